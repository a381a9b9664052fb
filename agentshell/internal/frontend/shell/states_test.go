package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// endlessCells run cells that do not end by themselves.
type endlessCells struct{ echoCells }

func (c endlessCells) Prepare(ctx context.Context, id string, input json.RawMessage) (tool.Call, error) {
	call, err := c.echoCells.Prepare(ctx, id, input)
	call.Run = func(ctx context.Context, progress func(string)) (tool.Result, error) {
		progress("begun\n")
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	return call, err
}

// willing says yes to everything.
type willing struct{}

func (willing) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return approval.Yes{ID: p.ID}, nil
}

// Esc and Ctrl+C stop what runs, whatever it is, and nothing else begins.
func TestOneKeyStopsWhateverRuns(t *testing.T) {
	for name, c := range map[string]struct{ typed, line, shown string }{
		"a compaction": {"/compact", `{"hang":true}`, "compacting"},
		"an answer":    {"go", `{"say":"words","hang":true}`, "words"},
		"a wait": {"go", `{"error":{"status":529,"message":"busy","retry_after_ms":60000}}`,
			"Retrying in 1 min"},
		"a cell": {"$while True: pass", `{"say":"Never."}`, "begun"},
		"a call": {"go", `{"tool_calls":[{"id":"a","name":"eval","input":{"cells":[{"code":"1"}]}}]}`,
			"begun"},
		"before a token": {"go", `{"hang":true}`, "working"},
	} {
		for _, key := range []string{"esc", "ctrl+c"} {
			t.Run(name+" by "+key, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := stage{screen: tuitest.Config{Cols: 70, Rows: 16}, more: []tool.Tool{endlessCells{}},
						seen:   func(*Shell) approval.Approver { return willing{} },
						change: func(c *Config) { c.Programs.Cells = endlessCells{} }}.begin(t,
						`{"say":"Hello.","delay_ms":0}`,
						c.line, `{"say":"Never."}`)
					s.Paste("hello " + strings.Repeat("long ", 2000))
					s.send("")
					s.send(c.typed)
					s.holds(c.shown, "Esc stops")
					s.Type("draft")
					s.Press(key)
					s.pass(time.Second)
					s.holds("stopped")
					s.lacks("Never.", "· Esc stops")
					if c.shown == "begun" { // its title says so, and what it had printed stays
						s.holds("! eval py  stopped\nbegun\n")
						s.lacks("interrupted", "context canceled")
					}
					if got := s.sh.editor.Text(); got != "draft" {
						t.Errorf("the prompt holds %q", got)
					}
					s.pass(10 * time.Minute)
					s.lacks("Never.")
				})
			})
		}
	}
}

// What stands below the transcript keeps its order: the list of the model, the work, the queue, the
// prompt with what is offered, and the facts.
func TestTheRowsBelowTheTranscriptKeepTheirOrder(t *testing.T) {
	play(t, []string{`{"say":"An answer.","hang":true}`}, func(s *session) {
		s.sh.app.Do(func() { s.sh.todoList = todo.Parse("- [ ] count the herons") })
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("and then")
		s.Press("enter")
		s.Type("/hel")
		s.Settle()
		s.order("› go", "An answer.", "count the herons", "working 1 s", "next: and then", "› /hel", "/help",
			"ask ·")
		s.Press("esc", "esc")
		s.pass(time.Second)
	})
}

// The person is called back at the end of a turn that took long, and only then.
func TestTheEndOfALongTurnIsNotified(t *testing.T) {
	for _, c := range []struct {
		lines []string
		queue string
		want  int
	}{
		{[]string{`{"say":"` + strings.Repeat("slow ", 30) + `","delay_ms":2000}`}, "", 1},
		{[]string{`{"say":"quick"}`}, "", 0},
		{[]string{slowLook, `{"say":"` + strings.Repeat("slow ", 30) + `","delay_ms":2000}`}, "!", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := begin(t, tuitest.Config{Cols: 70, Rows: 16, Env: map[string]string{"SCROLLKEEP_NOTIFY": "osc9"}}, nil,
				c.lines...)
			s.Send([]byte("\x1b[O")) // another window has the focus
			s.Bytes()
			s.Type("go")
			s.Press("enter")
			s.pass(time.Second)
			if c.queue != "" { // a stop was asked for by the person, who is there
				s.pass(25 * time.Second)
				s.Press("esc")
			}
			s.pass(5 * time.Minute)
			if n := strings.Count(string(s.Bytes()), "\x1b]9;"); n != c.want {
				t.Errorf("%q: %d notifications, want %d", fmt.Sprintf("%.20s", c.lines[0]), n, c.want)
			}
		})
	}
}

// Ctrl+Z leaves the screen to the shell around it, also in the middle of an answer, and the draft
// is there afterwards.
func TestCtrlZLeavesAndComesBack(t *testing.T) {
	play(t, []string{`{"say":"A long answer that goes on.","delay_ms":500}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.Type("draft")
		s.pass(700 * time.Millisecond)
		s.Press("ctrl+z")
		s.Settle()
		if n := s.Stops(); n != 1 {
			t.Errorf("stopped %d times", n)
		}
		s.holds("› draft")
		s.pass(20 * time.Second)
		s.order("› go", "A long answer that goes on.", "› draft")
	})
}

// A model that is chosen while an answer streams changes nothing of that answer, and the notice
// says from when on it answers.
func TestAModelChosenWhileAnAnswerStreamsWaits(t *testing.T) {
	play(t, []string{`{"say":"An answer that goes on.","delay_ms":500}`}, func(s *session) {
		chosen := ""
		s.sh.app.Do(func() { s.sh.cfg.Models.Set = func(name string) error { chosen = name; return nil } })
		s.Type("go")
		s.Press("enter")
		s.pass(700 * time.Millisecond)
		s.Type("/model other")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.holds("model: other, from the next step on", "Esc stops")
		s.pass(20 * time.Second)
		s.order("› go", "An answer that goes on.", "model: other, from the next step on")
		if chosen != "other" {
			t.Errorf("chosen is %q", chosen)
		}
		s.send("/model third")
		s.holds("model: third")
		s.lacks("third, from")
	})
}

// Work that is over soon shows no row, and longer work shows one.
func TestQuickWorkShowsNoStatus(t *testing.T) {
	play(t, nil, func(s *session) {
		for _, took := range []time.Duration{statusDelay / 2, time.Minute} {
			s.sh.app.Do(func() {
				s.sh.runBeside("looking", func(ctx context.Context) func() {
					select {
					case <-time.After(took):
					case <-ctx.Done():
					}
					return func() {}
				})
			})
			s.pass(statusDelay / 4)
			s.lacks("looking")
			s.pass(statusDelay)
			if shown := strings.Contains(s.Visible(), "looking"); shown != (took > statusDelay) {
				t.Errorf("work of %v: shown is %v", took, shown)
			}
		}
		s.Press("esc")
		s.pass(time.Second)
		s.lacks("looking")
	})
}

// Ctrl+D quits with an empty prompt. During a turn it says what does.
func TestCtrlDQuitsOnlyFromAnEmptyPrompt(t *testing.T) {
	play(t, []string{`{"hang":true}`}, func(s *session) {
		s.Type("go")
		s.Press("left", "ctrl+d") // deletes the o
		s.Settle()
		if got := s.sh.editor.Text(); got != "g" {
			t.Errorf("the prompt holds %q", got)
		}
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.Press("ctrl+d")
		s.Settle()
		s.holds("a turn is running: Esc stops it, Ctrl+C twice quits")
		s.Press("esc")
		s.pass(time.Second)
		s.Press("ctrl+d")
		if !s.over(time.Second) {
			t.Errorf("it goes on:\n%s", s.Visible())
		}
	})
}

// A command of a turn may have checked out another branch.
func TestTheBranchIsReadAgainAfterATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		branch := "main"
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(c *Config) {
			c.Appearance.Status, c.Appearance.Branch = []string{"branch"}, func() string { return branch }
		}, `{"say":"Done."}`)
		s.Settle()
		s.holds("main")
		branch = "topic"
		s.send("go")
		s.holds("topic")
	})
}

// Before the first message stand the first screen, the notices of the start, and the conversation
// that goes on, in this order.
func TestNoticesOfTheStartComeWithTheFirstScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24, Before: "$ agentshell\n"}, func(c *Config) {
			c.Start = Start{Notes: []string{"The first notice.", "The second notice."}, FirstMessage: "go on",
				Resumed: []provider.Message{said2(provider.User, "earlier"), said2(provider.Assistant, "An answer.")}}
		}, `{"say":"Done."}`)
		s.pass(5 * time.Second)
		s.order("$ agentshell", "agentshell 0.1", "Type a message", "The first notice.", "The second notice.",
			"› earlier", "An answer.", "› go on", "Done.")
	})
}

// The mode that a key chooses during a turn is shown at once, and its calls are decided by it.
func TestAModeThatIsChosenDuringATurnIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, err := approval.NewPolicy(approval.PolicyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(c *Config) { c.Approval.Policy = policy },
			slowLook,
			`{"say":"Done."}`)
		s.Type("go")
		s.Press("enter")
		s.pass(500 * time.Millisecond)
		s.holds("ask · test script")
		s.Press("shift+tab")
		s.Settle()
		s.holds("edits · test script", "Esc stops")
		verdict := policy.Decide(approval.Subject{Tool: "write_file", Path: "a.txt", Mutates: true, Asks: true})
		if policy.Mode() != approval.ModeEdits || verdict.Action != approval.Allow {
			t.Errorf("in mode %s a change is %+v", policy.Mode(), verdict)
		}
		s.pass(time.Minute)
		s.holds("Done.")
	})
}
