package tui

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// PanicError is what Run returns when a goroutine of [App.Go] has panicked.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // of the goroutine, as runtime/debug prints it
}

// Error returns the value and the trace, in several lines. Controls in them are visible tokens.
func (e *PanicError) Error() string {
	text, _ := visible.Lines(fmt.Sprintf("tui: a goroutine panicked: %v\n\n%s", e.Value, e.Stack))
	return text
}

// Unwrap is Value if that is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// going are the goroutines of App.Go.
type going struct {
	ctx      context.Context               // of Run; nil before it
	waiting  []func(context.Context) error // for Run
	running  int
	panicked *PanicError // the first
	ended    bool        // Run has
}

// Go runs f in a goroutine of its own, before Run as soon as that begins. ctx ends with Run, which
// then waits a second for f. An error of f that is not nil ends Run, which returns it. A panic in f
// ends Run, too: when the terminal is restored, Run returns a [PanicError], which holds the trace;
// one after that panics on. An f that runs does not hold the end of a program without a terminal: a
// Stream does. False: Run has ended, f is dropped. Any goroutine.
func (a *App) Go(f func(ctx context.Context) error) bool {
	s := a.get()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.going.ended {
		return false
	}
	if s.going.ctx == nil {
		s.going.waiting = append(s.going.waiting, f)
	} else {
		s.run(f)
	}
	return true
}

// begin starts what waits for Run, whose context is ctx.
func (s *state) begin(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going.ctx = ctx
	for _, f := range s.going.waiting {
		s.run(f)
	}
	s.going.waiting = nil
}

// run starts f. s.mu is held.
func (s *state) run(f func(context.Context) error) {
	s.going.running++
	ctx := s.going.ctx
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = &PanicError{Value: p, Stack: debug.Stack()}
			}
			s.returned(err)
		}()
		err = f(ctx)
	}()
}

// returned takes how a goroutine has ended.
func (s *state) returned(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.going
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
	s.q.signal()
}

// works reports whether goroutines run.
func (s *state) works() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.going.running > 0
}

// last returns what Run returns: err, if no goroutine has panicked.
func (s *state) last(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going.ended = true
	if s.going.panicked != nil {
		return s.going.panicked
	}
	return err
}
