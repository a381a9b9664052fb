package app

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// The end of the process in time, after a signal or after the screen was given back. Before the
// first of them everybody is asked to end.
const (
	// Then every program that we have started is killed, and all that wait for one go on.
	killAll = 1200 * time.Millisecond
	leave   = 2600 * time.Millisecond // then we are gone, whatever hangs
	// How much of that a person who quits has waited already when the screen is given back.
	quitting = 900 * time.Millisecond
)

// ending bounds how long the process takes to end. The zero value does nothing; it is safe for use
// by several goroutines.
type ending struct {
	kill   func() // every program that we have started, at once
	exit   func(code int)
	cancel context.CancelFunc // ends the context of everything

	mu     sync.Mutex
	begun  bool
	screen bool // signals of the keyboard are the screen's, or of a program that it was lent to
}

// begin starts the clock. After the first time it does nothing.
func (e *ending) begin(code int, passed time.Duration) {
	if e == nil || e.kill == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.begun {
		return
	}
	e.begun = true
	time.AfterFunc(killAll-passed/2, e.kill)
	time.AfterFunc(leave-passed, func() { e.exit(code) })
}

// show says whether the screen takes the signals of the keyboard from now on.
func (e *ending) show(on bool) {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.screen = on
	e.mu.Unlock()
}

// watch takes signals until there are no more. The first one ends everything in order, a second one
// kills what we have started and ends us. While the screen is ours it restores the terminal by
// itself, so that we only see to the others.
func (e *ending) watch(signals <-chan os.Signal) {
	for sig := range signals {
		e.mu.Lock()
		again, screen := e.begun, e.screen
		e.mu.Unlock()
		switch {
		case screen && sig == os.Interrupt:
		case !again:
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
