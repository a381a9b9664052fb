package terminal

import "sync"

// Guard restores the terminal when the process dies without doing so itself: by a panic in a
// goroutine, a fatal error of the Go runtime, os.Exit or SIGKILL. It is a process of its own, the
// same program started a second time, so that [NewGuard] has to be the first call in main.
//
// After it has restored the terminal it prints the message of a panic, or the trace of a fatal
// error. (The runtime does not pass on the first line of a fatal error.) If the process was ended
// by a signal or os.Exit, a shell may print its prompt before the terminal is restored. On Windows
// a Guard does nothing.
type Guard struct {
	mu      sync.Mutex
	process *guardProcess // nil: the guard does not run.
}

// guardEnv is the environment variable that is set for the guard's process.
const guardEnv = "SCROLLKEEP_GUARD"

// armGuard tells the guard how to restore the terminal if the process dies from now on. If the
// guard cannot be started, that is only logged.
func (t *Terminal) armGuard() {
	d, isDevice := t.tty.(*device)
	if t.config.Guard == nil || t.config.TTY != nil || !isDevice {
		return
	}
	g := t.config.Guard
	if err := g.start(d); err != nil {
		t.log.Warn(err.Error())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.modes.onChange = func(end []byte) { g.arm(d, end) }
	t.modes.notifyChange()
}

// disarmGuard tells the guard that the terminal was restored.
func (t *Terminal) disarmGuard() {
	if t.config.Guard != nil {
		t.mu.Lock()
		t.modes.onChange = nil
		t.mu.Unlock()
		t.config.Guard.disarm()
	}
}

// notifyChange calls onChange with the bytes that would switch off all modes that are on now.
func (s *modeState) notifyChange() {
	if s.onChange != nil {
		now := *s
		now.onChange = nil
		end, _ := now.leaveModes(nil)
		s.onChange(end)
	}
}
