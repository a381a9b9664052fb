//go:build unix

package terminal

import (
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// SignalError is the cause in a [GoneError] if a signal has asked the process to end.
type SignalError struct{ Signal os.Signal }

// Error returns the name of the signal.
func (e SignalError) Error() string { return "signal: " + e.Signal.String() }

// signalPatience is how long a program may take to end after a signal. Then the terminal is
// restored and the process ended.
const signalPatience = 2 * time.Second

// closePatience is how long restoring the terminal may take then.
const closePatience = 400 * time.Millisecond

// signals restores the terminal when a signal asks the process to end, and sets the modes again
// when the process continues after a stop. SIGTSTP is not caught, because Go could not restore its
// default action, by which [Terminal.Stop] stops the process. So a stop from outside (kill -TSTP,
// kill -STOP) leaves the modes on.
type signals struct {
	caught   chan os.Signal
	quit     chan struct{}
	cont     chan struct{} // Receives SIGCONT for stopProcess.
	stopping atomic.Bool   // stopProcess is running.
}

// watchSignals starts to handle signals for t.
func watchSignals(t *Terminal) *signals {
	s := &signals{caught: make(chan os.Signal, 8), quit: make(chan struct{}), cont: make(chan struct{}, 1)}
	signal.Notify(s.caught, unix.SIGTERM, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGCONT)
	go s.handle(t)
	return s
}

// stop ends the handling of signals.
func (s *signals) stop() {
	signal.Stop(s.caught)
	close(s.quit)
}

// handle acts on signals until stop is called.
func (s *signals) handle(t *Terminal) {
	dying := false
	for {
		select {
		case <-s.quit:
			return
		case sig := <-s.caught:
			switch sig {
			case unix.SIGCONT:
				if s.stopping.Load() {
					poke(s.cont)
				} else { // stopped by SIGSTOP: the shell has changed the modes since
					go t.retakeModes()
				}
			case unix.SIGQUIT:
				if !t.recentlyLent() {
					restoreAndRaise(t, sig)
				}
			default:
				if sig == unix.SIGINT && t.recentlyLent() {
					// Ctrl+C in the program that has the terminal: it is meant for that one
					continue
				}
				if dying { // somebody is impatient
					restoreAndRaise(t, sig)
				}
				dying = true
				t.endReading(SignalError{sig})
				time.AfterFunc(signalPatience, func() {
					select {
					case <-s.quit:
					default:
						restoreAndRaise(t, sig)
					}
				})
			}
		}
	}
}

// restoreAndRaise restores the terminal and sends the signal again with its default action.
func restoreAndRaise(t *Terminal, sig os.Signal) {
	go func() { // Close waits for a Suspend that gives or takes; not for ever
		time.Sleep(closePatience)
		raise(t, sig)
	}()
	t.Close()
	raise(t, sig)
}

// raise sends sig to the process with its default action.
func raise(t *Terminal, sig os.Signal) {
	if t.config.OnForcedExit != nil {
		t.config.OnForcedExit()
	}
	signal.Reset(sig)
	_ = unix.Kill(unix.Getpid(), sig.(unix.Signal))
}

// retakeModes sets all modes again after another program may have changed them.
func (t *Terminal) retakeModes() {
	t.handover.Lock()
	defer t.handover.Unlock()
	if t.handover.closed || t.handover.released {
		return
	}
	_ = t.releaseTTY()
	_ = t.acquireTTY()
}

// stopProcess stops the process group by SIGTSTP, and returns when it continues.
func (t *Terminal) stopProcess() {
	if t.config.Stop != nil {
		t.config.Stop(unix.SIGTSTP)
		return
	}
	if t.signals == nil {
		return
	}
	t.signals.stopping.Store(true)
	defer t.signals.stopping.Store(false)
	select { // an old one
	case <-t.signals.cont:
	default:
	}
	if err := unix.Kill(0, unix.SIGTSTP); err != nil {
		t.log.Warn(fmt.Sprintf("stopping: %v", err))
	}
	// The signal reaches us some time after the call; a process group that nobody could continue is
	// not stopped at all. When it goes on the timer has run out too, so that SIGCONT gets a second
	// chance to be heard.
	for _, d := range []time.Duration{stopGrace, stopGrace / 4} {
		timer := time.NewTimer(d)
		select {
		case <-t.signals.cont:
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
