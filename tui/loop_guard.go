package tui

import (
	"errors"
	"reflect"
	"runtime"
)

// ErrOnLoop is the error of [Ask], App.Suspend, App.Lend and App.WaitShown if a callback of the
// loop calls them: the loop would wait for itself. The check does not find a callback that waits
// for another goroutine which makes such a call.
var ErrOnLoop = errors.New("tui: called in a callback, for which the loop waits; use a goroutine (App.Go)")

// onLoop reports whether its caller runs in a callback of the loop. It looks for the loop on the
// call stack.
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
