package crew

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// endless asks for a call of nothing in each answer. said is what the agents were told last.
func endless(requests map[string]int, said map[string][]string, answer time.Duration) *stage {
	return &stage{play: func(ctx context.Context, id string, req provider.Request) ([]provider.Part, error) {
		requests[id]++
		said[id] = heard(req)
		select {
		case <-time.After(answer):
		case <-ctx.Done():
		}
		words := provider.Text{Text: fmt.Sprintf("step %d", requests[id])}
		return []provider.Part{words, use("1", "nothing", `{}`)}, nil
	}}
}

func TestABudgetIsHeldToTheRequestAndToldOnceBefore(t *testing.T) {
	for _, c := range []struct {
		name     string
		budget   Budget
		requests int
		err      string
	}{
		{"requests", Budget{Requests: 8}, 8, "it reached its limit of 8 requests"},
		{"tokens", Budget{Tokens: 1000}, 10, "it reached its limit of 1000 tokens"},
		{"time", Budget{Time: 10 * time.Second}, 5, "it reached its limit of 10s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			requests, said := map[string]int{}, map[string][]string{}
			s := endless(requests, said, 2100*time.Millisecond)
			s.steps = 50
			crew := s.crew(t, 1)
			crew.cfg.Budget = c.budget
			id, result := crew.start(t.Context(), team.Main, "A", "work")
			r := <-result
			synctest.Wait()
			words := fmt.Sprintf("step %d", c.requests)
			if c.name == "time" { // its last answer was cut off
				words = "step 4"
			}
			if requests[id] != c.requests || !r.Aborted || r.Err == nil || r.Err.Error() != c.err || r.Text != words {
				t.Errorf("%s: %d requests, %+v", c.name, requests[id], r)
			}
			limit := strings.TrimPrefix(c.err, "it reached its limit of ")
			if len(said[id]) != 2 || !strings.Contains(said[id][1], "percent of "+limit) {
				t.Errorf("%s: it was told %q", c.name, said[id])
			}
			if a := crew.of(t, id); a.State != team.Aborted {
				t.Errorf("%s: it is %s", c.name, a.State)
			}
		})
	}
}

func TestTheBudgetOfAnAgentIncludesThoseThatItHasStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests, said := map[string]int{}, map[string][]string{}
		var c *Crew
		s := endless(requests, said, time.Second)
		deeper := s.play
		s.play = func(ctx context.Context, id string, req provider.Request) ([]provider.Part, error) {
			if id == "A" { // its own request is not over while B works
				_, result := c.start(ctx, "A", "B", "work")
				<-result
			}
			return deeper(ctx, id, req)
		}
		c = s.crew(t, 3)
		c.cfg.Budget = Budget{Requests: 6}
		_, result := c.start(t.Context(), team.Main, "A", "work")
		r := <-result
		synctest.Wait()
		if requests["A.B"] != 6 || !r.Aborted || !strings.Contains(r.Err.Error(), "6 requests") {
			t.Errorf("%v requests, %+v", requests, r)
		}
		if b := c.of(t, "A.B"); b.State != team.Aborted {
			t.Errorf("the one below is %s", b.State)
		}
	})
}

func TestTheLastReminderForcesAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var forced []string
		s := &stage{play: func(_ context.Context, _ string, req provider.Request) ([]provider.Part, error) {
			forced = append(forced, req.Force)
			if req.Force != "" {
				return yields("forced"), nil
			}
			return []provider.Part{provider.Text{Text: "I am done."}}, nil
		}}
		c := s.crew(t, 1)
		_, result := c.start(t.Context(), team.Main, "A", "work")
		if r := <-result; r.Text != "forced" || fmt.Sprint(forced) != "[   yield]" {
			t.Errorf("%+v %q", r, forced)
		}
	})
}

func TestALongResultIsCutAndWholeAtItsAddress(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{strings.Repeat("ä", 249_999) + "\n", 499_999},
		{strings.Repeat("x\n", 250_000), 10_000},
		{strings.Repeat("ä", 300_000), 500_000},
		{"x" + strings.Repeat("ä", 300_000), 499_999},
		{strings.Repeat("x\n", 5000), 10_000},
		{strings.Repeat("x\n", 5000) + "x", 10_000},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &stage{play: func(context.Context, string, provider.Request) ([]provider.Part, error) {
				return yields(c.text), nil
			}}
			crew := s.crew(t, 1)
			id, result := crew.start(t.Context(), team.Main, "A", "work")
			r := <-result
			if len(r.Text) != c.want || r.Cut != (c.want < len(c.text)) || !strings.HasPrefix(c.text, r.Text) {
				t.Errorf("%d bytes of %d, cut: %v", len(r.Text), len(c.text), r.Cut)
			}
			if whole, err := crew.Text(id); err != nil || whole != c.text {
				t.Errorf("at its address are %d bytes: %v", len(whole), err)
			}
		})
	}
}
