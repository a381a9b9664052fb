package tui

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// PanicError is the error of Run if a goroutine of [App.Go] has panicked.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine, as runtime/debug prints it
}

// Error returns the value and the trace, in several lines. Controls in them are visible tokens.
func (e *PanicError) Error() string {
	text, _ := visible.Lines(fmt.Sprintf("tui: a goroutine panicked: %v\n\n%s", e.Value, e.Stack))
	return text
}

// Unwrap returns Value if that is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// goroutines holds the state of the goroutines of App.Go.
type goroutines struct {
	ctx      context.Context               // of Run; nil before it
	waiting  []func(context.Context) error // functions that start with Run
	running  int
	panicked *PanicError // the first panic
	ended    bool        // Run has ended
}

// Go runs f in a goroutine of its own; before Run it starts as soon as Run does. ctx ends with Run,
// which then waits a second for f. An error of f that is not nil ends Run, which returns it. A
// panic in f ends Run, too: when the terminal is restored, Run returns a [PanicError], which holds
// the trace. A panic after that is not caught. Without a terminal a running f does not delay the
// end of the program, as a Stream does. Go returns false, and drops f, if Run has ended. Any
// goroutine.
func (a *App) Go(f func(ctx context.Context) error) bool {
	s := a.getState()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.goroutines.ended {
		return false
	}
	if s.goroutines.ctx == nil {
		s.goroutines.waiting = append(s.goroutines.waiting, f)
	} else {
		s.startGoroutine(f)
	}
	return true
}

// startWaiting starts the goroutines that wait for Run, whose context is ctx.
func (s *state) startWaiting(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goroutines.ctx = ctx
	for _, f := range s.goroutines.waiting {
		s.startGoroutine(f)
	}
	s.goroutines.waiting = nil
}

// startGoroutine starts f. s.mu is held.
func (s *state) startGoroutine(f func(context.Context) error) {
	s.goroutines.running++
	ctx := s.goroutines.ctx
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = &PanicError{Value: p, Stack: debug.Stack()}
			}
			s.goroutineEnded(err)
		}()
		err = f(ctx)
	}()
}

// goroutineEnded notes that a goroutine has ended with err.
func (s *state) goroutineEnded(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.goroutines
	g.running--
	if p, ok := err.(*PanicError); ok {
		if g.ended { // nobody would hear of it
			panic(p)
		}
		if g.panicked == nil {
			g.panicked = p
		}
	}
	if err != nil && !s.quit {
		s.quit, s.err = true, err
	}
	s.queue.signal()
}

// hasGoroutines reports whether goroutines run.
func (s *state) hasGoroutines() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goroutines.running > 0
}

// runError returns the error of Run: err, if no goroutine has panicked.
func (s *state) runError(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goroutines.ended = true
	if s.goroutines.panicked != nil {
		return s.goroutines.panicked
	}
	return err
}
