package shell

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// subAgent is an agent of a session that somebody else has started. It asks under its name.
type subAgent struct {
	s       *session
	name    string
	stop    context.CancelFunc
	stopped bool // the person has answered so
	ended   bool
}

// Ask implements approval.Approver as the asker of a crew does.
func (a *subAgent) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	named := *p
	named.By = a.name
	answer, err := a.s.sh.Ask(ctx, &named)
	switch answer.(type) {
	case approval.StopAgent:
		a.stopped = true
		a.stop()
	case approval.Stop:
		return approval.No{ID: p.ID}, err
	}
	return answer, err
}

// employ starts an agent that plays a script of its own.
func (s *session) employ(name string, lines ...string) *subAgent {
	s.t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: s.dir}}})
	if err != nil {
		s.t.Fatal(err)
	}
	model, err := script.Parse(name, []byte(strings.Join(lines, "\n")))
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	a := &subAgent{s: s, name: name, stop: cancel}
	mate := agent.New(agent.Config{Model: model, Approver: a, Tools: tool.Builtin(tool.Env{Workspace: ws})})
	go func() {
		defer ws.Close()
		_ = mate.RunTurn(ctx, agent.Message{Text: "go"}, func(e agent.Event) {
			if end, is := e.(agent.ToolEnd); is {
				s.sh.app.Do(func() { s.sh.askers.callEnded(name, end) })
			}
		})
		a.ended = true
		cancel()
	}()
	s.Settle()
	return a
}

// put returns a message that writes a file.
func put(path, text string) string {
	return `{"say":"W","delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":"` + path +
		`","content":"` + text + `"}}]}`
}

// swap returns a message that replaces a text in notes.md.
func swap(old, now string) string {
	return `{"say":"E","delay_ms":0,"tool_calls":[{"id":"1","name":"edit_file","input":{"path":"notes.md",` +
		`"old_string":"` + old + `","new_string":"` + now + `"}}]}`
}

const fine = `{"say":"Fine.","delay_ms":0}`

// staffed plays a session without a turn on a window of a size.
func staffed(t *testing.T, cols, rows int, test func(s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(begin(t, tuitest.Config{Cols: cols, Rows: rows}, map[string]string{"notes.md": notes},
			`{"say":"Working.","hang":true}`))
	})
}

func TestTabGoesRoundTheAgentsThatWait(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		first := s.employ("Lexer", put("a.txt", `a\n`), fine)
		second := s.employ("Docs", put("b.txt", `b\n`), fine)
		third := s.employ("Reviewer.Bench", put("c.txt", `c\n`), fine)
		s.pass(2 * time.Second)
		s.holds("write a.txt  by Lexer · 2 more wait", "[Tab] next agent", "[D] stop it")
		s.Press("tab")
		s.Press("y") // nobody has seen the next one for a second
		s.pass(time.Millisecond)
		s.holds("write b.txt  by Docs · 2 more wait")
		s.pass(2 * time.Second)
		if got := s.file("b.txt"); got != "(none)" {
			t.Fatalf("a y before its time wrote %q", got)
		}
		s.Press("y")
		s.pass(2 * time.Second)
		if !second.ended || first.ended || third.ended || s.file("b.txt") != "b\n" || s.file("a.txt") != "(none)" {
			t.Errorf("who waits holds others up: %v %v %v", first.ended, second.ended, third.ended)
		}
		s.holds("write c.txt  by Reviewer.Bench · 1 more waits")
		s.Press("tab")
		s.pass(2 * time.Second)
		s.holds("write a.txt  by Lexer · 1 more waits")
		s.Press("n")
		s.pass(2 * time.Second)
		if !first.ended || third.ended || s.file("a.txt") != "(none)" {
			t.Errorf("a denial ends the wait of one agent: %v %v", first.ended, third.ended)
		}
		s.holds("write c.txt  by Reviewer.Bench  new file")
		s.lacks("[Tab]", "more wait")
		s.Press("y")
		s.pass(2 * time.Second)
		s.lacks("[y]es")
		if s.file("c.txt") != "c\n" {
			t.Errorf("c.txt is %q", s.file("c.txt"))
		}
	})
}

func TestTwoAgentsThatWantOneFileAreNamedBeforeEitherIsAnswered(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		s.employ("Lexer", swap("one", "1"), fine)
		s.employ("Other", put("b.txt", `b\n`), fine)
		s.employ("Docs", swap("teh", "the"), fine)
		s.pass(2 * time.Second)
		s.holds("edit notes.md:1  by Lexer · 2 more wait", "also wanted by Docs: 1 hunk, none overlaps")
		s.Press("tab") // the one of the same file stands beside it
		s.pass(2 * time.Second)
		s.holds("edit notes.md:3  by Docs · 2 more wait", "also wanted by Lexer: 1 hunk, none overlaps")
		s.Press("y")
		s.pass(20 * time.Millisecond)
		// At once, and not when the file is looked at the next time.
		s.holds("Docs changed the file while you were asked; this is the new diff", "by Lexer · 1 more waits")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "one\ntwo\nthe end\n" {
			t.Fatalf("notes.md is %q", got)
		}
		s.Press("y")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "1\ntwo\nthe end\n" {
			t.Errorf("notes.md is %q\n%s", got, s.tape())
		}
		s.holds("write b.txt  by Other  new file")
	})
}

func TestAChangeThatDoesNotFitAnyMoreIsAConflictThatNamesBoth(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		s.employ("Lexer", swap("teh end", "the end"), fine)
		docs := s.employ("Docs", swap("teh", "thy"), fine)
		s.pass(2 * time.Second)
		s.holds("also wanted by Docs: 1 hunk, 1 overlaps")
		s.Press("y")
		s.pass(2 * time.Second)
		s.holds("edit_file notes.md: the change of Docs does not fit any more, since that of Lexer was made.")
		s.lacks("[y]es")
		if got := s.file("notes.md"); got != "one\ntwo\nthe end\n" || !docs.ended {
			t.Errorf("notes.md is %q, Docs has ended: %v", got, docs.ended)
		}
	})
}

func TestAnAgentCanBeDeniedAndStopped(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		s.Type("go")
		s.Press("enter")
		lexer := s.employ("Lexer", put("a.txt", `a\n`), fine)
		docs := s.employ("Docs", put("b.txt", `b\n`), fine)
		s.pass(2 * time.Second)
		s.Press("D")
		s.pass(2 * time.Second)
		if !lexer.stopped || !lexer.ended || docs.ended || s.sh.stopped {
			t.Errorf("Lexer %+v, Docs %+v, the turn is stopped: %v", lexer, docs, s.sh.stopped)
		}
		s.holds("write b.txt  by Docs")
		s.Press("escape")
		s.pass(2 * time.Second)
		if docs.stopped || !docs.ended || s.sh.busy() {
			t.Errorf("Docs %+v, a turn runs: %v", docs, s.sh.busy())
		}
		s.holds("stopped")
		if s.file("a.txt") != "(none)" || s.file("b.txt") != "(none)" {
			t.Error("something was written")
		}
	})
}

func TestWhatAStoppedAgentAsksGoesWithIt(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		lexer := s.employ("Lexer", put("a.txt", `a\n`), fine)
		s.employ("Docs", put("b.txt", `b\n`), fine)
		s.pass(2 * time.Second)
		lexer.stop() // as /agents does
		s.pass(2 * time.Second)
		s.holds("write b.txt  by Docs  new file")
		s.lacks("more wait")
		s.Press("y")
		s.pass(2 * time.Second)
		if s.file("a.txt") != "(none)" || s.file("b.txt") != "b\n" {
			t.Errorf("a.txt is %q, b.txt %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.lacks("[y]es")
	})
}

// An approved change may be written late: its agent waits for a slot first. Nobody can approve the
// other one of the same file meanwhile.
func TestNothingOfAFileIsApprovedWhileAnotherChangeOfItIsWritten(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		s.employ("Docs", swap("teh", "the"), fine)
		late := &approval.Proposal{}
		*late = *s.sh.question.panes[0].proposal
		late.ID, late.Call, late.By = "late", "7", "Late"
		ctx, cancel := context.WithCancel(s.t.Context())
		defer cancel()
		answered := make(chan approval.Answer, 1)
		go func() {
			a, _ := s.sh.Ask(ctx, late)
			answered <- a
		}()
		s.pass(2 * time.Second)
		s.Press("tab")
		s.pass(2 * time.Second)
		s.holds("by Late · 1 more waits")
		s.Press("y")
		if a := <-answered; a != (approval.Yes{ID: "late"}) {
			t.Fatalf("%v", a)
		}
		s.pass(5 * time.Second)
		s.holds("by Docs", "wait: the change of Late is written")
		s.Press("y")
		s.pass(5 * time.Second)
		if got := s.file("notes.md"); got != notes {
			t.Fatalf("notes.md is %q", got)
		}
		s.sh.app.Do(func() { s.sh.askers.callEnded("Late", agent.ToolEnd{ID: "7"}) }) // it has failed
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got != "one\ntwo\nthe end\n" {
			t.Errorf("notes.md is %q\n%s", got, s.tape())
		}
	})
}

func TestHowManyAskersLook(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {30, 10}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			staffed(t, size[0], size[1], func(s *session) {
				s.employ("Reviewer.Lexer", swap("one", "1"), fine)
				s.employ("Docs", swap("teh", "the"), fine)
				s.employ("Bench", put("b.txt", `b\n`), fine)
				s.pass(2 * time.Second)
				s.Golden()
			})
		})
	}
}

// In a narrow window the row of keys still has the one for the next agent.
func TestANarrowPaneNamesTheKeyForTheNextAgent(t *testing.T) {
	for cols, want := range map[int]string{
		80: "[D] stop it  [Tab] next agent", 50: "[D] stop  [Tab] next  [r]eason  [?]",
		40: "[y]es  [n]o  [D] stop  [Tab] next  [?]", 30: "[y]es [n]o [D] stop [Tab] [?]",
	} {
		staffed(t, cols, 12, func(s *session) {
			s.employ("Lexer", put("a.txt", `a\n`), fine)
			s.employ("Docs", put("b.txt", `b\n`), fine)
			s.pass(2 * time.Second)
			s.holds(want)
		})
	}
}

func TestAlwaysSaysForWhom(t *testing.T) {
	staffed(t, 80, 24, func(s *session) {
		policy, err := approval.NewPolicy(approval.PolicyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		s.sh.cfg.Approval.Policy = policy
		s.employ("Lexer", put("a.txt", `a\n`), fine)
		s.pass(2 * time.Second)
		s.Press("a", "1")
		s.pass(2 * time.Second)
		s.holds("[y]es: 1  [f] for Lexer  [n]o  Esc back")
		s.Press("f") // nobody knows its kind here
		s.pass(10 * time.Millisecond)
		s.holds("(y)es: 1  [f] for all")
		s.Press("y") // the row has not been there for a second
		s.pass(2 * time.Second)
		if len(policy.Rules()) > 0 {
			t.Fatalf("%v", policy.Rules())
		}
		s.Press("f")
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		if got := policy.Rules(); len(got) != 1 || got[0].For != (approval.Grantee{Agent: "Lexer"}) ||
			s.file("a.txt") != "a\n" {
			t.Errorf("the rules are %v, a.txt is %q", got, s.file("a.txt"))
		}
	})
}
