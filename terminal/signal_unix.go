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

// SignalError is the cause in a [GoneError] when a signal asks the process to end.
type SignalError struct{ Signal os.Signal }

func (e SignalError) Error() string { return "signal: " + e.Signal.String() }

// lastWords is how long a program may take to end after a signal before the terminal is restored
// under it.
const lastWords = 2 * time.Second

// lastClose is how long restoring it may take then.
const lastClose = 400 * time.Millisecond

// signals restores the terminal when the process is asked to end, and takes it again when it goes
// on after a stop. SIGTSTP is not among the signals that are caught: Go could not give its default
// action back, which is how [Terminal.Stop] stops. A stop from outside (kill -TSTP, kill -STOP)
// therefore leaves the modes on until fg.
type signals struct {
	c        chan os.Signal
	quit     chan struct{}
	cont     chan struct{} // SIGCONT, for stopProcess
	stopping atomic.Bool   // stopProcess is at work
}

func watchSignals(t *Terminal) *signals {
	s := &signals{c: make(chan os.Signal, 8), quit: make(chan struct{}), cont: make(chan struct{}, 1)}
	signal.Notify(s.c, unix.SIGTERM, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGCONT)
	go s.run(t)
	return s
}

func (s *signals) stop() {
	signal.Stop(s.c)
	close(s.quit)
}

func (s *signals) run(t *Terminal) {
	dying := false
	for {
		select {
		case <-s.quit:
			return
		case sig := <-s.c:
			switch sig {
			case unix.SIGCONT:
				if s.stopping.Load() {
					poke(s.cont)
				} else { // stopped by SIGSTOP: the shell has changed the modes since
					go t.retake()
				}
			case unix.SIGQUIT:
				if !t.lent() {
					finish(t, sig)
				}
			default:
				if sig == unix.SIGINT && t.lent() {
					// Ctrl+C in the program that has the terminal: it is meant for that one
					continue
				}
				if dying { // somebody is impatient
					finish(t, sig)
				}
				dying = true
				t.die(SignalError{sig})
				time.AfterFunc(lastWords, func() {
					select {
					case <-s.quit:
					default:
						finish(t, sig)
					}
				})
			}
		}
	}
}

// finish restores the terminal and lets the signal do what it does without us.
func finish(t *Terminal, sig os.Signal) {
	go func() { // Close waits for a Suspend that gives or takes; not for ever
		time.Sleep(lastClose)
		raise(t, sig)
	}()
	t.Close()
	raise(t, sig)
}

func raise(t *Terminal, sig os.Signal) {
	if t.conf.Last != nil {
		t.conf.Last()
	}
	signal.Reset(sig)
	_ = unix.Kill(unix.Getpid(), sig.(unix.Signal))
}

// retake puts the terminal into our modes again after somebody else has changed them.
func (t *Terminal) retake() {
	t.handover.Lock()
	defer t.handover.Unlock()
	if t.closed || t.away {
		return
	}
	_ = t.release()
	_ = t.acquire()
}

// stopProcess stops the process group and returns when it goes on.
func (t *Terminal) stopProcess() {
	if t.conf.Stop != nil {
		t.conf.Stop(unix.SIGTSTP)
		return
	}
	if t.sig == nil {
		return
	}
	t.sig.stopping.Store(true)
	defer t.sig.stopping.Store(false)
	select { // an old one
	case <-t.sig.cont:
	default:
	}
	if err := unix.Kill(0, unix.SIGTSTP); err != nil {
		t.log.Warn(fmt.Sprintf("stopping: %v", err))
	}
	// The signal reaches us some time after the call; a process group that nobody could continue is
	// not stopped at all. When it goes on the timer has run out too, so that SIGCONT gets a second
	// chance to be heard.
	for _, d := range []time.Duration{grace, grace / 4} {
		timer := time.NewTimer(d)
		select {
		case <-t.sig.cont:
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
