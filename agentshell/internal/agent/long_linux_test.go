package agent_test

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
)

// processor returns how long this thread has worked, in nanoseconds: a busy machine does not make
// it more.
func processor(t *testing.T) float64 {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		t.Fatal(err)
	}
	return float64(at.Nano())
}

// A turn behind two thousand others takes as much memory as one behind fifty, and not much more
// work: what is known of a message is found out once. To read all of them takes fifty times as
// long; the bound on time is wide, since other processes empty the caches of this one.
func TestATurnOfALongConversationCostsAsMuchAsOneOfAShortOne(t *testing.T) {
	const early, late, turns = 50, 2000, 40
	var lines []string
	said := strings.Repeat("word ", 400)
	for i := range late + turns {
		lines = append(lines, fmt.Sprintf(`{"say":"%s %d","delay_ms":0,"chunk_runes":4000}`, said, i))
	}
	a := agent.New(agent.Config{Model: model(t, lines...), Budget: agent.Budget{Window: func(string) window.Model {
		return window.Model{}
	}}})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it works for all threads
	n := 0
	play := func(turns int) {
		for range turns {
			n++
			if err := a.RunText(t.Context(), fmt.Sprintf("question %d", n), func(agent.Event) {}); err != nil {
				t.Fatal(err)
			}
		}
	}
	cost := func() (ns, bytes float64) {
		ns = math.Inf(1)
		for range turns / 10 { // the least of some: other processes empty the caches
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := processor(t)
			play(10)
			ns = min(ns, (processor(t)-began)/10)
			runtime.ReadMemStats(&after)
			bytes += float64(after.TotalAlloc-before.TotalAlloc) / turns
		}
		return ns, bytes
	}
	play(early)
	earlyTime, earlyBytes := cost()
	play(late - early - turns)
	runtime.GC()
	lateTime, lateBytes := cost()
	t.Logf("%.0f µs and %.0f bytes at turn %d, %.0f µs and %.0f bytes at turn %d", earlyTime/1e3, earlyBytes, early,
		lateTime/1e3, lateBytes, late)
	if lateBytes > 1.5*earlyBytes || lateTime > 8*earlyTime {
		t.Errorf("at turn %d a turn takes %.1f times as much memory and %.1f times as long as at turn %d", late,
			lateBytes/earlyBytes, lateTime/earlyTime, early)
	}
}
