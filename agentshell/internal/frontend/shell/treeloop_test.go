package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// ready is Sessions on a session that is read in no time.
type ready struct {
	*logged
	nodes []sessionlog.Node
}

func (r ready) Tree() ([]sessionlog.Node, string, error) {
	return r.nodes, r.nodes[len(r.nodes)-1].ID, nil
}

func (ready) Spent() sessionlog.Spent { return sessionlog.Spent{} }

// held returns the longest time for which the loop does nothing else while /tree opens with n
// entries, the best of some tries: the machine may have other things to do.
func held(b *testing.B, n int) time.Duration {
	b.Helper()
	model, err := script.Parse("test script", nil)
	if err != nil {
		b.Fatal(err)
	}
	sh := New(Config{Models: Models{Name: "test script"}, Session: Session{Path: "x",
		Stored: ready{nodes: treeOf(n).nodes}}})
	sh.setUp(agent.New(agent.Config{Model: model, Approver: sh}))
	s := tuitest.Start(b, &sh.app, tuitest.Config{Cols: 80, Rows: 24})
	best, last := time.Hour, fmt.Sprintf("message %d: ", n-1)
	for range 5 {
		s.Type("/tree")
		s.Settle()
		s.Send([]byte("\r"))
		var longest time.Duration
		for began := time.Now(); !strings.Contains(s.Visible(), last); {
			asked, answered := time.Now(), make(chan struct{})
			sh.app.Do(func() { close(answered) })
			<-answered
			longest = max(longest, time.Since(asked))
			if time.Since(began) > 20*time.Second {
				b.Fatalf("no tree is shown:\n%s", s.Visible())
			}
		}
		best = min(best, longest)
		s.Press("escape")
		s.Settle()
	}
	return best
}

// BenchmarkTheTreeHoldsTheLoop opens the tree of a session of 10,000 entries: the loop is held for
// at most 50 ms, and for about as long as with 100.
func BenchmarkTheTreeHoldsTheLoop(b *testing.B) {
	for b.Loop() {
		few, lots := held(b, 100), held(b, 10000)
		b.ReportMetric(float64(lots.Microseconds())/1000, "held-ms")
		b.ReportMetric(float64(lots)/float64(few), "ratio")
		if lots > 50*time.Millisecond || lots > 3*few && lots > 5*time.Millisecond {
			b.Errorf("the loop is held for %v with 10,000 entries, for %v with 100", lots, few)
		}
	}
}
