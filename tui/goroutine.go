package tui

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// PanicError is the error that Run returns if a goroutine of [App.Go] has panicked.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // the goroutine's stack trace, as runtime/debug prints it
}

// Error returns the panic value and the stack trace in several lines. Control characters are
// visible tokens in them.
func (e *PanicError) Error() string {
	text, _ := visible.Lines(fmt.Sprintf("tui: a goroutine panicked: %v\n\n%s", e.Value, e.Stack))
	return text
}

// Unwrap returns Value if it is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// goroutines is the state of the goroutines started by App.Go.
type goroutines struct {
	ctx      context.Context               // the context of Run; nil before Run
	waiting  []func(context.Context) error // functions to start as soon as Run begins
	running  int                           // number of running goroutines
	panicked *PanicError                   // the first panic; nil if there was none
	runEnded bool                          // Run has ended
}

// Go runs f in a new goroutine. Before Run it waits for Run to begin. ctx ends with Run, which then
// waits up to a second for f to return. If f returns an error Run ends with it.
//
// If f panics, Run ends: it restores the terminal and returns a [PanicError] with the stack trace.
// A panic after the end of Run is not caught. Without a terminal a running f does not delay the end
// of the program as a Stream does. If Run has ended, Go drops f and returns false. It may be called
// on any goroutine.
func (a *App) Go(f func(ctx context.Context) error) bool {
	s := a.getState()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.goroutines.runEnded {
		return false
	}
	if s.goroutines.ctx == nil {
		s.goroutines.waiting = append(s.goroutines.waiting, f)
	} else {
		s.startGoroutine(f)
	}
	return true
}

// startWaiting starts the goroutines that wait for Run. ctx is the context of Run.
func (s *state) startWaiting(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goroutines.ctx = ctx
	for _, f := range s.goroutines.waiting {
		s.startGoroutine(f)
	}
	s.goroutines.waiting = nil
}

// startGoroutine starts f in a goroutine. The caller must hold s.mu.
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

// goroutineEnded records that a goroutine has ended with err. An error or a panic makes Run end.
func (s *state) goroutineEnded(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.goroutines
	g.running--
	if p, ok := err.(*PanicError); ok {
		if g.runEnded { // nobody would hear of it
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

// hasGoroutines reports whether goroutines of App.Go are running.
func (s *state) hasGoroutines() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goroutines.running > 0
}

// runError returns the error for Run to return: that of a panic in a goroutine, or else err. It
// marks Run as ended.
func (s *state) runError(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goroutines.runEnded = true
	if s.goroutines.panicked != nil {
		return s.goroutines.panicked
	}
	return err
}
