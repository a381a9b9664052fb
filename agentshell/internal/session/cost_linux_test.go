package session_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// worked returns how long the processor has worked for this thread, in nanoseconds: a busy machine
// does not make it more. The clock counts finer than getrusage, which some kernels round to ticks.
func worked(t *testing.T) float64 {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		t.Fatal(err)
	}
	return float64(at.Nano())
}

// leastWork is how many nanoseconds are measured at least: some systems count the work of a thread
// in steps of 10 ms.
const leastWork = 60e6

// Of three thousand messages each costs at most three times what one of a hundred does, in time and
// in memory.
func TestALongSessionCostsAsMuchAMessageAsAShortOne(t *testing.T) {
	jobs := map[string]func(cfg session.Config, l *session.Log) error{
		"tree":   func(_ session.Config, l *session.Log) error { _, _, err := l.Tree(); return err },
		"left":   func(_ session.Config, l *session.Log) error { _, err := l.Left("3"); return err },
		"replay": func(cfg session.Config, l *session.Log) error { _, _, err := session.Read(cfg, l.ID()); return err },
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it works for all threads
	fewCfg, few := long(t, 100)
	manyCfg, many := long(t, 3000)
	for name, job := range jobs {
		cost := func(cfg session.Config, l *session.Log, n int) (ns, bytes float64) {
			ns = math.Inf(1)
			for range 3 {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				began, messages := worked(t), 0.0
				for worked(t)-began < leastWork || messages == 0 {
					if err := job(cfg, l); err != nil {
						t.Fatal(err)
					}
					messages += float64(n)
				}
				ns = min(ns, (worked(t)-began)/messages)
				runtime.ReadMemStats(&after)
				bytes = float64(after.TotalAlloc-before.TotalAlloc) / messages
			}
			return ns, bytes
		}
		fewTime, fewBytes := cost(fewCfg, few, 100)
		manyTime, manyBytes := cost(manyCfg, many, 3000)
		t.Logf("%s: %.0f ns and %.0f bytes a message of 100, %.0f ns and %.0f bytes of 3,000", name, fewTime, fewBytes,
			manyTime, manyBytes)
		// A quadratic cost would be thirty times as much. The bound on time is wide: other
		// processes empty the caches of this one.
		if manyTime > 10*fewTime || manyBytes > 3*fewBytes {
			t.Errorf("%s: a message of 3,000 takes %.1f times as long and %.1f times as much memory as one of 100",
				name, manyTime/fewTime, manyBytes/fewBytes)
		}
	}
}
