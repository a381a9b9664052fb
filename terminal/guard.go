package terminal

import "sync"

// Guard gives the terminal back when this process dies without having done so: by a panic in a bare
// goroutine, a fatal error of the runtime, os.Exit, SIGKILL. It is a process of its own, the same
// program started a second time, so that [NewGuard] has to be the first thing in main. When it has
// restored the terminal it prints the message of a panic, or the trace of a fatal error, whose
// first line the runtime does not pass on. It does nothing on Windows.
//
// Where the process is ended by a signal or os.Exit a shell may write its prompt before the guard
// has restored the terminal.
type Guard struct {
	mu      sync.Mutex
	process *guardProcess // nil: it does not run
}

// guardEnv is set in the environment of the guard's process.
const guardEnv = "SCROLLKEEP_GUARD"

// armGuard tells the guard how to restore the terminal if the process dies from now on. A guard
// that cannot be started is logged only.
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

// disarmGuard undoes armGuard: the terminal was given back.
func (t *Terminal) disarmGuard() {
	if t.config.Guard != nil {
		t.mu.Lock()
		t.modes.onChange = nil
		t.mu.Unlock()
		t.config.Guard.disarm()
	}
}

// notifyChange calls onChange with the bytes that would switch off the modes that are on now.
func (s *modeState) notifyChange() {
	if s.onChange != nil {
		now := *s
		now.onChange = nil
		end, _ := now.leaveModes(nil)
		s.onChange(end)
	}
}
