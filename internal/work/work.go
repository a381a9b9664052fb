// Package work measures how long the processor works for a piece of code, for tests that hold a
// cost in proportion. A clock on the wall would count other programs, too.
package work

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// least is how much work is measured at least in one go: some systems count it in steps of 10 ms.
const least = 30 * time.Millisecond

// Of returns how long the processor works for f on its own thread, garbage collection left out: the
// least of three times over enough calls. What f starts on other goroutines is not in it. Where the
// system does not tell the work of a thread it is the time that passes.
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
		for took := time.Duration(0); calls == 0 || took < least; took = thread() - began {
			f()
			calls++
		}
		best = min(best, (thread()-began)/time.Duration(calls))
	}
	return best
}
