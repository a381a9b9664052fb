package app

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// Times for the end of the process, counted from a signal or from when the screen was given back.
// Before killAll everything is asked to end.
const (
	// then all programs that we have started are killed
	killAll   = 1200 * time.Millisecond
	exitAfter = 2600 * time.Millisecond // then the process exits, whatever still runs
	// how much of that time has passed when the screen is given back
	quitElapsed = 900 * time.Millisecond
)

// ending limits the time that the process takes to end. The zero value does nothing. It is safe for
// several goroutines.
type ending struct {
	kill   func() // kills all programs that we have started
	exit   func(code int)
	cancel context.CancelFunc // ends the context of everything

	mu    sync.Mutex
	begun bool
	// interrupt handles a Ctrl+C and reports whether it did; nil: it ends everything
	interrupt func() bool
	screen    bool   // the screen handles signals of the keyboard, or a program to which it was lent
	die       func() // ends the process because nobody reads its output; nil: somebody may
}

// begin starts the time limits. Later calls do nothing.
func (e *ending) begin(code int, elapsed time.Duration) {
	if e == nil || e.kill == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.begun {
		return
	}
	e.begun = true
	time.AfterFunc(killAll-elapsed/2, e.kill)
	time.AfterFunc(exitAfter-elapsed, func() { e.exit(code) })
}

// noReader starts the time limits because nobody reads the output any more. die ends the process by
// a signal.
func (e *ending) noReader(die func()) {
	e.mu.Lock()
	if e.die == nil {
		e.die = die
	}
	e.mu.Unlock()
	e.begin(exitNoReader, 0)
}

// leave ends the process at once.
func (e *ending) leave(code int) {
	e.mu.Lock()
	die := e.die
	e.mu.Unlock()
	if die != nil {
		die()
		code = exitNoReader
	}
	os.Exit(code)
}

// setScreen sets whether the screen handles Ctrl+C and other signals of the keyboard from now on.
func (e *ending) setScreen(on bool) {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.screen = on
	e.mu.Unlock()
}

// setInterrupt sets what handles Ctrl+C from now on. It returns false to end everything.
func (e *ending) setInterrupt(handle func() bool) {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.interrupt = handle
	e.mu.Unlock()
}

// watch handles signals. The first one ends everything in order. A second one kills the programs
// that we have started and exits. While the screen is in use it handles keyboard signals and
// restores the terminal itself.
func (e *ending) watch(signals <-chan os.Signal) {
	for sig := range signals {
		e.mu.Lock()
		begun, screen, interrupt := e.begun, e.screen, e.interrupt
		e.mu.Unlock()
		switch {
		case screen && sig == os.Interrupt:
		case !begun && sig == os.Interrupt && interrupt != nil && interrupt():
		case !begun:
			e.begin(headless.ExitInterrupted, 0)
			e.cancel()
		default:
			e.kill()
			if !screen {
				e.exit(headless.ExitInterrupted)
			}
		}
	}
}
