package app

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// The most bytes that an agent may hold once it has given its result.
const (
	maxIdleAgent   = 3 << 20
	maxParkedAgent = 200 << 10
)

var heldAgents = flag.Int("heldagents", 16, "agents that are idle, and then parked, while memory is measured")

// readers returns a model whose main agent starts n agents that read that many files each.
func readers(n, files int) *cast {
	return &cast{answer: func(who string, req provider.Request) []provider.Part {
		switch h := heard(req); {
		case who == "Main" && n == 0:
			return []provider.Part{provider.Text{Text: "end"}}
		case who == "Main":
			some := min(n, 32) // in one call
			n -= some
			return []provider.Part{use(fmt.Sprint("t", n), "task", tasksFor("task", some))}
		case len(h) <= files:
			return []provider.Part{provider.Text{Text: "I read."}, use(fmt.Sprint("r", len(h)), "read_file",
				fmt.Sprintf(`{"path":"f%d.txt"}`, len(h)))}
		}
		return []provider.Part{use("y", "yield", `{"result":"done"}`)}
	}}
}

// Agents that have read 20 files each give their results, and are parked. Garbage is not counted.
func TestAgentsThatHaveEndedHoldLittleMemory(t *testing.T) {
	const files = 20
	for name, o := range map[string]conversationOptions{"log": {}, "no log": {NoLog: true}} {
		t.Run(name, func(t *testing.T) {
			p, r := opened(t)
			for i := range files {
				name, line := fmt.Sprintf("f%d.txt", i+1), fmt.Sprintf("line of file %d\n", i)
				putFiles(t, r.dir, map[string]string{name: strings.Repeat(line, 4<<10/len(line))})
			}
			r.model, r.cfg.Agents.Max = readers(*heldAgents, files), 4
			c := conversationIn(t, p, r, o)
			before := heapInUse()
			playMain(t, c, nil)
			idle := (heapInUse() - before) / *heldAgents
			for _, a := range c.crew.Agents() {
				if a.State != team.Idle || a.Steps != files+1 {
					t.Fatalf("%s is %s after %d steps", a.ID, a.State, a.Steps)
				}
				if err := c.crew.Park(a.ID); err != nil {
					t.Fatal(err)
				}
			}
			parked := (heapInUse() - before) / *heldAgents
			t.Logf("%d agents: %d KB each while idle, %d KB each while parked", *heldAgents, idle>>10, parked>>10)
			if idle > maxIdleAgent || parked > maxParkedAgent {
				t.Errorf("an idle agent holds %d bytes, at most %d; a parked one %d, at most %d", idle, maxIdleAgent,
					parked, maxParkedAgent)
			}
			if c.log != nil && parked > idle/2 {
				t.Errorf("of %d bytes a parked agent has given back %d", idle, idle-parked)
			}
			if text, err := c.crew.History("A0"); strings.Count(text, "line of file") < files {
				t.Errorf("A0 has forgotten what it read: %q, %v", text, err)
			}
		})
	}
}

// heapInUse returns the number of bytes that are reachable.
func heapInUse() int {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Without a log nothing but memory has what a parked agent has said.
func TestAParkedAgentOfASessionWithoutALogKnowsWhatItSaid(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var last []string // what A0 was told, at its last request
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, tasksFor("task", 1))
		}
		mu.Lock()
		defer mu.Unlock()
		last = heard(req)
		return []provider.Part{use("y", "yield", `{"result":"done"}`)}
	}}
	c := crewed(t, 1, m)
	playMain(t, c, nil)
	if err := c.crew.Park("A0"); err != nil {
		t.Fatal(err)
	}
	if text, err := c.crew.History("A0"); !strings.Contains(text, "work 0") {
		t.Errorf("history://A0 is %q, %v", text, err)
	}
	if r := c.crew.Tell("A0", "and more"); len(r) != 1 || r[0].Outcome != team.Revived {
		t.Fatalf("the receipts are %+v", r)
	}
	untilIdle(c, "A0")
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(last, "work 0") || !strings.Contains(strings.Join(last, "|"), "and more") {
		t.Errorf("it was told %q", last)
	}
}

// An idle agent is parked after seven minutes, unless a setting says otherwise.
func TestAnIdleAgentIsParkedWhenItsTimeIsUp(t *testing.T) {
	one := 1
	for limit, setting := range map[time.Duration]*int{7 * time.Minute: nil, time.Minute: &one} {
		synctest.Test(t, func(t *testing.T) {
			p, r := opened(t)
			r.model, r.cfg.Agents.Max, r.cfg.Agents.IdleMinutes = readers(1, 0), 1, setting
			c := conversationIn(t, p, r, conversationOptions{NoLog: true})
			playMain(t, c, nil)
			for _, step := range []struct {
				wait time.Duration
				want team.State
			}{{limit - time.Second, team.Idle}, {2 * time.Second, team.Parked}} {
				<-time.After(step.wait)
				synctest.Wait()
				if a := mateOf(c, "A0"); a.State != step.want {
					t.Errorf("limit %v: A0 is %s, want %s", limit, a.State, step.want)
				}
			}
		})
	}
}
