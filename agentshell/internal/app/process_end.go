package app

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// Time limits for the end of the process, counted from a signal or from the moment when the screen
// is restored. Before killAll, everything has been asked to end by itself.
const (
	// After this time all programs that agentshell has started are killed.
	killAll   = 1200 * time.Millisecond
	exitAfter = 2600 * time.Millisecond // After this time the process exits, whatever still runs.
	// The part of that time that has passed when the screen is restored.
	quitElapsed = 900 * time.Millisecond
)

// ending limits the time that the process takes to end. The zero value does nothing. It is safe for
// several goroutines.
type ending struct {
	kill   func() // Kills all programs that agentshell has started.
	exit   func(code int)
	cancel context.CancelFunc // Cancels the context of the whole run of agentshell.

	mu sync.Mutex
	// The time limits have started.
	begun bool
	// Handles Ctrl+C. It returns false if everything has to end, and is nil if Ctrl+C always means
	// that.
	interrupt func() bool
	screen    bool   // The shell on the screen, or a program that uses the terminal meanwhile, handles Ctrl+C.
	die       func() // Ends the process with SIGPIPE, because nobody reads the output; nil if somebody may.
}

// begin starts the time limits for the end of the process, which will exit with code. elapsed is
// the time that has already passed. Later calls do nothing.
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

// noReader starts the time limits because nobody reads the output any more. At the end, die ends
// the process with a signal.
func (e *ending) noReader(die func()) {
	e.mu.Lock()
	if e.die == nil {
		e.die = die
	}
	e.mu.Unlock()
	e.begin(exitNoReader, 0)
}

// leave ends the process at once, with the exit code or with SIGPIPE if nobody reads the output.
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

// setScreen tells whether the shell on the screen handles Ctrl+C from now on.
func (e *ending) setScreen(on bool) {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.screen = on
	e.mu.Unlock()
}

// setInterrupt sets the function that handles Ctrl+C from now on. handle returns false if the
// process has to end.
func (e *ending) setInterrupt(handle func() bool) {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.interrupt = handle
	e.mu.Unlock()
}

// watch handles the signals of the process. The first one ends everything in order. A second one
// kills the programs that agentshell has started, and exits. While the shell uses the screen, it
// handles Ctrl+C itself and restores the terminal.
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
