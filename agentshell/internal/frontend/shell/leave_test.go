package shell

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// askAgain asks c again whenever it was answered, pause later, until the test ends.
func (s *session) askAgain(c answerable, pause time.Duration) {
	ctx := s.t.Context()
	go func() {
		for n := 0; ; n++ {
			var ps []*approval.Proposal
			for i, p := range c.ps {
				q := *p
				q.ID, q.Flags = fmt.Sprintf("%d.%d", n, i), c.flags
				ps = append(ps, &q)
			}
			if s.sh.AskAll(ctx, ps, func(int, approval.Answer) *approval.Proposal { return nil }) != nil {
				return
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return
			}
		}
	}()
	synctest.Wait()
}

// over reports whether the session has ended.
func (s *session) over(within time.Duration) bool {
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Wait() }()
	select {
	case <-done:
		return true
	case <-time.After(within):
		return false
	}
}

// sessionAt plays a session of its own where c is asked again and again.
func sessionAt(t *testing.T, c answerable, pause time.Duration, test func(s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		policy, err := approval.NewPolicy(approval.PolicyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) { cfg.Approval.Policy = policy })
		s.askAgain(c, pause)
		test(s)
	})
}

// The second Ctrl+C quits, whatever is asked, what the pane shows, and how often and how soon it is
// asked again.
func TestTheSecondCtrlCQuitsFromEveryPane(t *testing.T) {
	before := map[string]func(s *session){
		"at once":              func(s *session) { s.pass(50 * time.Millisecond) },
		"with the keys":        func(s *session) { s.pass(3 * time.Second) },
		"with a draft":         func(s *session) { s.Type("keep this"); s.pass(time.Second) },
		"in the reason field":  func(s *session) { s.pass(time.Second); s.Type("rno") },
		"in the search":        func(s *session) { s.pass(time.Second); s.Type("/x") },
		"in the help":          func(s *session) { s.pass(time.Second); s.Type("?") },
		"on the whole screen":  func(s *session) { s.pass(time.Second); s.Type("f") },
		"after many a no":      func(s *session) { s.no(8) },
		"after a key that was": func(s *session) { s.pass(time.Second); s.Type("x") },
	}
	var names []string
	for name := range before {
		names = append(names, name)
	}
	pauses := []time.Duration{0, 20 * time.Millisecond, 700 * time.Millisecond}
	gaps := []time.Duration{30 * time.Millisecond, 450 * time.Millisecond, 1200 * time.Millisecond,
		2800 * time.Millisecond}
	for _, c := range answerables(t) {
		t.Run(c.name, func(t *testing.T) {
			for i, name := range names {
				pause, gap := pauses[(i+c.n)%len(pauses)], gaps[(i/2+c.n)%len(gaps)]
				sessionAt(t, c, pause, func(s *session) {
					before[name](s)
					s.Send([]byte("\x03"))
					<-time.After(min(gap, 200*time.Millisecond))
					s.Settle()
					s.holds("Ctrl+C again quits")
					<-time.After(max(gap-200*time.Millisecond, 0))
					s.Send([]byte("\x03"))
					if !s.over(time.Second) {
						t.Errorf("%s, asked again after %v, the second one after %v: it goes on\n%s", name, pause, gap,
							s.Visible())
					}
				})
			}
		})
	}
}

// no denies n questions.
func (s *session) no(n int) {
	for range n {
		s.pass(1500 * time.Millisecond)
		s.Type("n")
	}
	s.pass(time.Second)
}

// The control: a Ctrl+C much later, or behind another key, is a first one.
func TestAFirstCtrlCDoesNotQuit(t *testing.T) {
	c := answerables(t)[0]
	for _, between := range []string{"", "j", "n", "\x1b", "draft"} {
		sessionAt(t, c, 0, func(s *session) {
			s.pass(time.Second)
			for range 4 {
				s.Send([]byte("\x03"))
				s.pass(500 * time.Millisecond)
				s.Type(between)
				if between == "" {
					s.pass(5 * time.Second)
				}
				s.pass(500 * time.Millisecond)
			}
			if s.over(time.Second) {
				t.Errorf("%q between: it has quit", between)
			}
		})
	}
}

// Two questions at the start are left with two Ctrl+C, one behind the other or both at once.
func TestTwoQuestionsAtTheStartAreLeftWithTwoCtrlC(t *testing.T) {
	for _, gap := range []time.Duration{0, 20 * time.Millisecond, 400 * time.Millisecond, 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var said []bool
			s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
				func(c *Config) { c.Start.Offers = []*Offer{anOffer(&said, nil), anOffer(&said, nil)} })
			s.pass(100 * time.Millisecond)
			s.holds("use commands, skills and rules")
			s.Send([]byte("\x03"))
			<-time.After(gap)
			s.Send([]byte("\x03"))
			if !s.over(time.Second) || len(said) > 0 {
				t.Errorf("after %v: it goes on, answers %v\n%s", gap, said, s.Visible())
			}
		})
	}
}

// So does whatever else stands over the prompt: a list, the output of a call or of a job.
func TestTheSecondCtrlCQuitsFromAnyOverlay(t *testing.T) {
	for _, line := range []string{"/model", "/theme", "/jobs", ""} {
		withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
			s.sh.cfg.Models.Names = []string{"a", "b"}
			s.sh.cfg.Models.Set = func(string) error { return nil }
			s.work(jobs, "make", 3, nil)
			s.line("!seq 100")
			s.pass(time.Second)
			s.Type(line)
			s.Press("enter")
			if line == "" {
				s.Press("ctrl+o")
			}
			s.pass(time.Second)
			if strings.Contains(s.Visible(), "ask · test script") {
				t.Errorf("%s opens nothing\n%s", line, s.Visible())
			}
			s.Send([]byte("\x03"))
			s.pass(100 * time.Millisecond)
			if !strings.Contains(s.Visible(), "Ctrl+C again quits") {
				t.Errorf("%s: Ctrl+C does not lead back\n%s", line, s.Visible())
			}
			s.Send([]byte("\x03"))
			if !s.over(time.Second) {
				t.Errorf("%s: it goes on\n%s", line, s.Visible())
			}
		})
	}
}

// A server whose last question was not answered can be stopped by a key, which the pane names; at
// its first question there is no such key.
func TestAServerThatAsksAgainCanBeStopped(t *testing.T) {
	for _, kind := range []string{"form", "page", "sampling"} {
		for _, again := range []bool{false, true} {
			for _, cols := range []int{80, 46, 30, 20} {
				p := &approval.Proposal{ID: "p1", Tool: "mcp", Payload: approval.Form{Base: approval.Base{Kind: kind},
					Server: "weather", Text: "x = 1\n", Again: again}}
				d := open(t, p, cols, 24).after(500 * time.Millisecond) // before anything can be approved
				rows := d.rows()
				if got := strings.Contains(rows[len(rows)-1], "[x] stop server"); got != (again && cols >= 30) {
					t.Errorf("%s, again %v, %d columns: %q", kind, again, cols, rows[len(rows)-1])
				}
				help := strings.Join(d.press("?").rows(), " ")
				if got := strings.Contains(help, "stop the MCP server weather"); got != again && cols == 80 {
					t.Errorf("%s, again %v: the help is %q", kind, again, help)
				}
				d.press("?x")
				if got := len(d.answers) == 1 && d.answers[0] == (approval.StopServer{ID: "p1"}); got != again {
					t.Errorf("%s, again %v: answers %v", kind, again, d.answers)
				}
			}
		}
	}
}

func TestTheEndOfAServerThatWasStoppedIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(*Config) {})
		var got approval.Answer
		go func() {
			got, _ = s.sh.Ask(context.Background(), &approval.Proposal{ID: "p1", Tool: "mcp",
				Payload: approval.Form{Base: approval.Base{Kind: "form"}, Server: "weather", Again: true}})
		}()
		s.pass(time.Second)
		s.Type("x")
		s.pass(time.Second)
		s.holds("MCP server weather is stopped; /mcp restart weather starts it.")
		if (got != approval.StopServer{ID: "p1"}) {
			t.Errorf("%T", got)
		}
	})
}
