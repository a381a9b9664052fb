package terminal

import "sync"

// Guard gives the terminal back when this process dies without having done so: by a panic in a bare
// goroutine, a fatal error of the runtime, os.Exit, SIGKILL. It is a process of its own, the same
// program started once more, so that [NewGuard] has to be the first thing in main. When the
// terminal is restored it prints a panic's message, and the trace of a fatal error, whose first
// line the runtime keeps from it. Not on Windows.
//
// Where the process is ended by a signal or os.Exit a shell may write its prompt before the guard
// has restored the terminal.
type Guard struct {
	mu   sync.Mutex
	live *watch // nil: there is none
}

// guardEnv is what the guard's process has in its environment.
const guardEnv = "SCROLLKEEP_GUARD"

// arm makes g give the terminal back, with what ends the modes that are on, if the process dies
// from now on. A guard that cannot be started is no reason not to go on.
func (t *Terminal) arm() {
	d, own := t.tty.(*device)
	if t.conf.Guard == nil || t.conf.TTY != nil || !own {
		return
	}
	g := t.conf.Guard
	if err := g.start(d); err != nil {
		t.log.Warn(err.Error())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.modes.tell = func(end []byte) { g.tell(d, end) }
	t.modes.told()
}

// disarm ends what arm began: the terminal is given back.
func (t *Terminal) disarm() {
	if t.conf.Guard != nil {
		t.mu.Lock()
		t.modes.tell = nil
		t.mu.Unlock()
		t.conf.Guard.rest()
	}
}

// told says what would end the modes that are on now.
func (s *modeState) told() {
	if s.tell != nil {
		now := *s
		now.tell = nil
		end, _ := now.leave(nil)
		s.tell(end)
	}
}
