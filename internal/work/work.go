// Package work measures how long the processor works for a piece of code, for tests that compare
// costs. Other programs do not change the result, as they would with a clock.
package work

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// minMeasured is the work that is measured at once, at least. Some systems count work in steps of
// 10 ms.
const minMeasured = 30 * time.Millisecond

// Of returns how long the processor works for f on its own thread, without garbage collection. It
// is the smallest of three results over enough calls. Work on other goroutines is not included. If
// the system does not count the work of a thread, the elapsed time is returned.
func Of(tb testing.TB, f func()) time.Duration {
	tb.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it works for all threads
	best := time.Duration(math.MaxInt64)
	for range 3 {
		runtime.GC()
		calls := 0
		began := thread()
		for took := time.Duration(0); calls == 0 || took < minMeasured; took = thread() - began {
			f()
			calls++
		}
		best = min(best, (thread()-began)/time.Duration(calls))
	}
	return best
}
