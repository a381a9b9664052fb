package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// holding is a key that is held down, as a terminal tells it.
type holding struct {
	key   string
	begin time.Duration // since the pane was opened, or since the last key that led to what is approved
	delay time.Duration // until the first repeat
	gap   time.Duration // between the others
	kitty bool          // each event says what it is
}

func (h holding) String() string {
	return fmt.Sprintf("%s from %v on, after %v every %v, kitty %v", h.key, h.begin, h.delay, h.gap, h.kitty)
}

// bytes returns what the terminal sends for an event of the key: 1 press, 2 repeat, 3 release.
func (h holding) bytes(event int) string {
	switch {
	case !h.kitty:
		return h.key
	case strings.ToLower(h.key) != h.key:
		return fmt.Sprintf("\x1b[%d:%d;2:%du", strings.ToLower(h.key)[0], h.key[0], event)
	}
	return fmt.Sprintf("\x1b[%d;1:%du", h.key[0], event)
}

// answerable is a question with a key that approves it, once some keys have led there.
type answerable struct {
	name  string
	lead  string // keys that are pressed a second apart
	key   string
	ps    []*approval.Proposal
	flags []approval.Flag
	n     int // its number
}

// answerables returns a question of each kind.
func answerables(t *testing.T) []answerable {
	one := func(p approval.Payload, tool string) []*approval.Proposal {
		return []*approval.Proposal{{ID: "p1", Call: "t1", Tool: tool, Path: "workspace/a", Payload: p}}
	}
	base := func(kind string) approval.Base { return approval.Base{Kind: kind, Description: "This"} }
	command := func() []*approval.Proposal {
		return one(approval.Command{Base: base("command"), Command: "make", Simple: []string{"make"}}, "bash")
	}
	two := []*approval.Proposal{edit(9), edit(12)}
	two[1].ID, two[1].Call = "p2", "t2"
	return []answerable{
		{name: "a change", key: "y", ps: []*approval.Proposal{edit(20)}},
		{name: "a new file on the whole screen", lead: "f", key: "y", ps: []*approval.Proposal{write(t, nil, "one\n")}},
		{name: "a flagged change", key: "Y", ps: []*approval.Proposal{edit(20)},
			flags: []approval.Flag{{Name: approval.FlagRunsCode, Text: "it runs"}}},
		{name: "a flagged change after y", lead: "y", key: "Y", ps: []*approval.Proposal{edit(20)},
			flags: []approval.Flag{{Name: approval.FlagRunsCode, Text: "it runs"}}},
		{name: "a command", key: "y", ps: command()},
		{name: "a rule", lead: "a1", key: "y", ps: command()},
		{name: "a plan", key: "y", ps: one(approval.Plan{Base: base("plan"), Plan: "One.\n"}, "plan")},
		{name: "a plan and its changes", key: "m", ps: one(approval.Plan{Base: base("plan"), Plan: "One.\n"}, "plan")},
		{name: "an offer", key: "y", ps: one(approval.Prompts{Base: base("prompts"), What: "it", Text: "x\n"},
			"workspace")},
		{name: "a form", key: "y", ps: one(approval.Form{Base: base("form"), Server: "s", Text: "x = 1\n"}, "mcp")},
		{name: "a page", key: "y", ps: one(approval.Form{Base: base("page"), Server: "s", Text: "https://a.b"}, "mcp")},
		{name: "a sample", key: "y", ps: one(approval.Form{Base: base("sampling"), Server: "s", Text: "hi"}, "mcp")},
		{name: "a foreign call", key: "y", ps: one(approval.Generic{Base: base("call"), Detail: "{}"}, "mcp__s__t")},
		{name: "one of several", key: "y", ps: two},
		{name: "the next one of several", lead: "}", key: "y", ps: two},
		{name: "all of several", lead: "}A", key: "y", ps: two},
	}
}

// asking is a question that is on the screen.
type asking struct {
	*session
	close func()
	given func() []string // the answers that approve
}

// asks puts a question to the person, and presses the keys that lead to what is approved.
func (s *session) asks(c answerable) *asking {
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan struct{})
	var yes []string
	ps := slices.Clone(c.ps)
	for i, p := range ps {
		q := *p
		q.Flags = c.flags
		ps[i] = &q
	}
	go func() {
		defer close(done)
		_ = s.sh.AskAll(ctx, ps, func(i int, a approval.Answer) *approval.Proposal {
			switch a.(type) {
			case approval.No, approval.Stop:
			default:
				yes = append(yes, fmt.Sprintf("%T", a))
			}
			return nil
		})
	}()
	synctest.Wait()
	a := &asking{session: s}
	a.given = func() []string { synctest.Wait(); return yes }
	a.close = func() { cancel(); <-done; synctest.Wait() }
	for i, k := range c.lead {
		if i == 0 || k == 'A' { // what is asked for all has been seen
			a.wait(1500 * time.Millisecond)
		}
		a.wait(time.Second)
		s.Send([]byte(string(k)))
		synctest.Wait()
		if unicode.IsLetter(k) {
			a.wait(letterPause)
		}
	}
	return a
}

func (a *asking) wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// long returns how long a key is held: for twice the second that counts, and for at least two
// repeats.
func (h holding) long() time.Duration { return max(2*time.Second, h.delay+2*h.gap) }

// plays holds a key down.
func (a *asking) plays(h holding) {
	a.wait(h.begin)
	a.Send([]byte(h.bytes(1)))
	a.wait(h.delay)
	for held := h.delay; held < h.long(); held += h.gap {
		a.Send([]byte(h.bytes(2)))
		a.wait(h.gap)
	}
	if h.kitty {
		a.Send([]byte(h.bytes(3)))
	}
}

// onAsking runs test for each question, in a session of its own in a bubble.
func onAsking(t *testing.T, test func(t *testing.T, s *session, c answerable)) {
	t.Helper()
	for i, c := range answerables(t) {
		c.n = i
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy, err := approval.NewPolicy(approval.PolicyConfig{})
				if err != nil {
					t.Fatal(err)
				}
				s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
					cfg.Approval.Policy, cfg.Appearance.Vim = policy, true
				})
				s.Press("escape") // in normal mode y types nothing: the prompt stays empty
				test(t, s, c)
			})
		})
	}
}

// A key that is held down approves nothing, whenever the hold has begun before a key would have
// approved, however slowly the key repeats, and whether or not the terminal says that it does.
func TestAHeldKeyApprovesNothing(t *testing.T) {
	ms := func(list ...int) (all []time.Duration) {
		for _, n := range list {
			all = append(all, time.Duration(n)*time.Millisecond)
		}
		return all
	}
	begins := ms(0, 200, 420, 430, 500, 700, 900, 980) // the pane has the focus after 425 ms
	onAsking(t, func(t *testing.T, s *session, c answerable) {
		n := 0
		for _, begin := range begins {
			if begin < 420*time.Millisecond && c.lead != "" {
				continue // it has the focus already
			}
			for _, delay := range ms(250, 500, 660) {
				for _, gap := range ms(30, 33, 250, 400, 500, 900, 1300) {
					for _, kitty := range []bool{false, true} {
						if gap > time.Second && !kitty {
							continue // nobody could tell that from single keys
						}
						if n++; n%13 != c.n%13 { // each in one or two of the questions
							continue
						}
						h := holding{c.key, begin, delay, gap, kitty}
						a := s.asks(c)
						a.plays(h)
						if got := a.given(); len(got) > 0 {
							t.Errorf("%v: %v", h, got)
						}
						a.close()
					}
				}
			}
		}
	})
}

// A hold that began in the prompt, before there was a pane, approves nothing either.
func TestAKeyHeldSinceBeforeThePaneApprovesNothing(t *testing.T) {
	onAsking(t, func(t *testing.T, s *session, c answerable) {
		if c.lead != "" {
			return
		}
		for _, gap := range []time.Duration{30, 33, 250, 400, 500, 900} {
			for _, kitty := range []bool{false, true} {
				h := holding{c.key, 0, 0, gap * time.Millisecond, kitty}
				s.Send([]byte(h.bytes(1)))
				s.Send([]byte(h.bytes(2)))
				a := s.asks(c)
				for held := time.Duration(0); held < h.long(); held += h.gap {
					a.wait(h.gap)
					s.Send([]byte(h.bytes(2)))
				}
				if got := a.given(); len(got) > 0 {
					t.Errorf("%v: %v", h, got)
				}
				a.close()
			}
		}
	})
}

// The control: what is no hold counts. One press after a second does, also at once behind keys that
// move the body, held ones too; and so does one a second after a hold.
func TestASinglePressApproves(t *testing.T) {
	onAsking(t, func(t *testing.T, s *session, c answerable) {
		for name, before := range map[string]func(a *asking){
			"nothing": func(a *asking) { a.wait(1050 * time.Millisecond) },
			"scrolled": func(a *asking) {
				for _, k := range []string{"j", "j", "k", "G", "g", " ", "b", "\x1b[B", "\x1b[A", "\x1b[6~", "\x04",
					"]", ">", "w"} {
					if strings.HasPrefix(c.lead, "a") && k == "w" { // there it says how long the rule holds
						continue
					}
					a.Send([]byte(k))
					a.wait(90 * time.Millisecond)
				}
			},
			"scrolled with a held key": func(a *asking) {
				a.wait(300 * time.Millisecond)
				h := holding{key: "j"}
				a.Send([]byte(h.bytes(1)))
				for range 40 {
					a.wait(30 * time.Millisecond)
					a.Send([]byte(h.bytes(2)))
				}
				a.wait(20 * time.Millisecond)
			},
			"scrolled with a held key that says so": func(a *asking) {
				a.wait(300 * time.Millisecond)
				for i := range 40 {
					a.Send([]byte([]string{"\x1b[1;1:1B", "\x1b[1;1:2B"}[min(i, 1)]))
					a.wait(30 * time.Millisecond)
				}
			},
			"held before": func(a *asking) {
				a.wait(500 * time.Millisecond)
				for range 20 {
					a.Send([]byte(c.key))
					a.wait(30 * time.Millisecond)
				}
				a.wait(1050 * time.Millisecond)
			},
		} {
			a := s.asks(c)
			if c.lead == "" && strings.HasPrefix(name, "scrolled") {
				a.wait(500 * time.Millisecond) // the keys are the pane's
			}
			before(a)
			if got := a.given(); len(got) > 0 {
				t.Errorf("%s: it was approved before the press: %v", name, got)
			}
			a.Send([]byte(c.key))
			a.wait(letterPause + 20*time.Millisecond)
			if got := a.given(); len(got) == 0 {
				t.Errorf("%s: a press of %s does not approve\n%s", name, c.key, s.Visible())
			}
			a.close()
		}
	})
}

// A key that denies needs no second, also behind one that was held.
func TestADenialNeedsNoSecond(t *testing.T) {
	onAsking(t, func(t *testing.T, s *session, c answerable) {
		for _, key := range []string{"n", "\x03"} {
			a := s.asks(c)
			a.wait(500 * time.Millisecond)
			for range 10 {
				a.Send([]byte(c.key))
				a.wait(33 * time.Millisecond)
			}
			a.Send([]byte(key))
			a.wait(letterPause + 20*time.Millisecond)
			open := s.sh.question
			if got := a.given(); len(got) > 0 || key == "\x03" && open != nil && open.current >= 0 ||
				len(c.ps) == 1 && open != nil && open.current >= 0 {
				t.Errorf("%q is no denial: %v\n%s", key, got, s.Visible())
			}
			a.close()
		}
	})
}
