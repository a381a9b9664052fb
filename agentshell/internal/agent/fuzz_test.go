package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// program is a random conversation: what the model sends, how the person answers, and when the turn
// is stopped.
type program struct {
	lines []string
	// Yes, no, stop, stale, revise, other id, error, late: in turn for each question, then again
	// from the start.
	answers []string
	stop    time.Duration
}

func (p program) String() string {
	return fmt.Sprintf("answers %v, stopped after %v, script\n%s", p.answers, p.stop, strings.Join(p.lines, "\n"))
}

// decodeProgram reads one byte after the other; whatever they are, it is a program.
func decodeProgram(b []byte) program {
	next := func(n int) int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0]) % n
		b = b[1:]
		return v
	}
	kinds := []string{"yes", "no", "stop", "stale", "revise", "other id", "error", "late"}
	p := program{stop: []time.Duration{time.Hour, 0, time.Millisecond, 40 * time.Millisecond, 3 * time.Second,
		30 * time.Second}[next(6)]}
	for range 1 + next(4) {
		p.answers = append(p.answers, kinds[next(len(kinds))])
	}
	if !slices.ContainsFunc(p.answers, func(a string) bool { return a != "stale" && a != "revise" }) {
		p.answers = append(p.answers, "yes") // somebody has to decide some day
	}
	for range 1 + next(4) {
		var list []string
		for i := range next(6) {
			path := string(rune('a' + next(3)))
			switch next(7) {
			case 0, 1:
				list = append(list, call(fmt.Sprint("c", i), "change", path))
			case 2, 3:
				list = append(list, call(fmt.Sprint("c", i), "look", path))
			case 4:
				list = append(list, call(fmt.Sprint("c", i), []string{"slow", "boom", "unknown"}[next(3)], path))
			case 5:
				list = append(list, fmt.Sprintf(`{"id":"c%d","name":"look","input":{"fail":"prepare"}}`, i))
			case 6:
				list = append(list, fmt.Sprintf(`{"id":"c%d","name":"change","raw":"{"}`, i))
			}
		}
		end := []string{"", "", "", `,"error":{"status":529}`, `,"error":{"status":401}`, `,"hang":true`,
			`,"stop":"length"`, `,"stop":"end"`}[next(8)]
		p.lines = append(p.lines, fmt.Sprintf(`{"say":"text","tool_calls":[%s]%s}`, strings.Join(list, ","), end))
	}
	return p
}

// person answers as the program says.
type person struct {
	answers []string
	asked   int
	open    atomic.Int32 // questions at this moment
	most    int32
	said    map[string]bool // ids with a yes
}

func (p *person) Ask(ctx context.Context, q *approval.Proposal) (approval.Answer, error) {
	p.most = max(p.most, p.open.Add(1))
	defer p.open.Add(-1)
	kind := p.answers[p.asked%len(p.answers)]
	p.asked++
	select {
	case <-time.After(10 * time.Millisecond):
	case <-ctx.Done():
		if kind != "late" {
			return nil, ctx.Err()
		}
	}
	switch kind {
	case "yes", "late":
		if ctx.Err() == nil {
			p.said[q.ID] = true
		}
		return approval.Yes{ID: q.ID}, nil
	case "stop":
		return approval.Stop{ID: q.ID}, nil
	case "stale":
		return approval.Stale{ID: q.ID}, nil
	case "revise":
		return approval.Revise{ID: q.ID, After: []byte{}}, nil
	case "other id":
		return approval.Yes{ID: q.ID + "x"}, nil
	case "error":
		return approval.Yes{ID: q.ID}, errors.New("broken")
	}
	return approval.No{ID: q.ID}, nil
}

// table is a person with several questions in front of them, who takes the last one first.
type table struct{ *person }

func (d table) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	ps = slices.Clone(ps)
	for i := len(ps) - 1; i >= 0; i-- {
		for ps[i] != nil {
			a, err := d.Ask(ctx, ps[i])
			if err != nil {
				return err
			}
			ps[i] = answered(i, a)
		}
	}
	return ctx.Err()
}

// FuzzEveryCallHasOneResultAndNothingRunsWithoutAYes: whatever the model sends and the person
// answers, and whenever the turn is stopped.
func FuzzEveryCallHasOneResultAndNothingRunsWithoutAYes(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x01\x03\x03\x00\x00\x01\x02\x02\x00\x00"))
	f.Add([]byte("\x03\x03\x07\x04\x03\x02\x03\x05\x00\x04\x01\x02\x02\x00\x00\x05"))
	f.Add([]byte("\x00\x00\x03\x03\x05\x00\x00\x01\x00\x02\x00\x00\x02\x00\x00\x03\x04\x00\x06"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := decodeProgram(b)
		for _, several := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				tools := &bench{}
				who := &person{answers: p.answers, said: map[string]bool{}}
				ctx, cancel := context.WithTimeout(t.Context(), p.stop)
				defer cancel()
				var asked approval.Approver = who
				if several {
					asked = table{who}
				}
				a := agent.New(agent.Config{Tools: tools, Approver: asked, Model: model(t, p.lines...)})
				events := turn(t, a, ctx, "go") // checks that each call has one result, in order
				started, ended := map[string]int{}, map[string]int{}
				for _, e := range events {
					switch e := e.(type) {
					case agent.MessageEnd:
						started, ended = map[string]int{}, map[string]int{}
					case agent.ToolStart:
						started[e.ID]++
					case agent.ToolEnd:
						ended[e.ID]++
						if started[e.ID] != 1 || ended[e.ID] != 1 {
							t.Errorf("call %s started %d times and ended %d times", e.ID, started[e.ID], ended[e.ID])
						}
						if e.Proposal != nil && e.OK && !who.said[e.Proposal.ID] {
							t.Errorf("%s ran without a yes to %s", e.Title, e.Proposal.ID)
						}
					}
				}
				changes := 0
				for _, line := range tools.diary {
					if strings.HasPrefix(line, "change") {
						changes++
					}
					if strings.HasPrefix(line, "TWO") {
						t.Error(line)
					}
				}
				if changes > len(who.said) {
					t.Errorf("%d changes ran for %d yeses", changes, len(who.said))
				}
				if who.most > 1 {
					t.Errorf("%d questions at once", who.most)
				}
			})
		}
		if t.Failed() {
			t.Log(p)
		}
	})
}
