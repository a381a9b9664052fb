package terminal

import (
	"os"
	"os/signal"
)

// SignalError is the cause in a [GoneError] if a signal has asked the process to end.
type SignalError struct{ Signal os.Signal }

func (e SignalError) Error() string { return "signal: " + e.Signal.String() }

// signals ends the terminal on Ctrl+Break, and when the console is closed.
type signals struct {
	caught chan os.Signal
	quit   chan struct{}
}

func watchSignals(t *Terminal) *signals {
	s := &signals{caught: make(chan os.Signal, 1), quit: make(chan struct{})}
	signal.Notify(s.caught, os.Interrupt)
	go func() {
		select {
		case <-s.quit:
		case sig := <-s.caught:
			t.endReading(SignalError{sig})
		}
	}()
	return s
}

func (s *signals) stop() {
	signal.Stop(s.caught)
	close(s.quit)
}

// stopProcess does nothing but call Config.Stop: Windows has no job control.
func (t *Terminal) stopProcess() {
	if t.config.Stop != nil {
		t.config.Stop(os.Interrupt)
	}
}
