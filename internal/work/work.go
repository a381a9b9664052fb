// Package work measures the CPU time of a piece of code, for tests that compare costs. Unlike
// elapsed time, it does not depend on what other programs do.
package work

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// minMeasured is the minimum time of one measurement. Some systems count CPU time in steps of 10
// ms.
const minMeasured = 30 * time.Millisecond

// Of returns the CPU time that one call of f takes on its own thread, without garbage collection.
// It measures three times, with many calls each, and returns the smallest average. The work of
// other goroutines is not included. On systems other than Linux, it measures the elapsed time.
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
