package tui

import (
	"errors"
	"reflect"
	"runtime"
)

// ErrOnLoop is the error of calls that wait for the loop ([Ask], App.Suspend, App.Lend,
// App.WaitShown) when a callback makes them: the loop would wait for itself. It is not found if a
// goroutine makes the call and a callback waits for that goroutine.
var ErrOnLoop = errors.New("tui: called in a callback, for which the loop waits; use a goroutine (App.Go)")

// onLoop reports whether the caller is a callback of the loop: one is under way, and the loop is
// among the callers.
func (s *state) onLoop() bool {
	if !s.queue.inCallback() {
		return false
	}
	loop := runtime.FuncForPC(reflect.ValueOf((*loop).runLoop).Pointer()).Name()
	pcs := make([]uintptr, 64)
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			if f, more = frames.Next(); f.Function == loop {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
