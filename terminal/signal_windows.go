package terminal

import (
	"os"
	"os/signal"
)

// SignalError is the cause in a [GoneError] when a signal asks the process to end.
type SignalError struct{ Signal os.Signal }

func (e SignalError) Error() string { return "signal: " + e.Signal.String() }

// signals ends the terminal on Ctrl+Break and when the console is closed.
type signals struct {
	c    chan os.Signal
	quit chan struct{}
}

func watchSignals(t *Terminal) *signals {
	s := &signals{c: make(chan os.Signal, 1), quit: make(chan struct{})}
	signal.Notify(s.c, os.Interrupt)
	go func() {
		select {
		case <-s.quit:
		case sig := <-s.c:
			t.die(SignalError{sig})
		}
	}()
	return s
}

func (s *signals) stop() {
	signal.Stop(s.c)
	close(s.quit)
}

// stopProcess does nothing: there is no job control.
func (t *Terminal) stopProcess() {
	if t.conf.Stop != nil {
		t.conf.Stop(os.Interrupt)
	}
}
