package tui

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// question is a call of Ask that waits for its answer.
type question struct {
	show   func() Component // creates the component; nil: it was called
	place  Place
	remove func() // closes the overlay that shows the component

	comp        Component   // the component; nil: it is not shown yet
	rowsWritten bool        // the component's rows were written, without a terminal
	answered    atomic.Bool // the question is answered or was given up
	failed      chan error  // receives the error that ends the call of Ask
}

// fail ends the call of Ask with err.
func (q *question) fail(err error) {
	q.answered.Store(true)
	q.failed <- err
}

// shownQuestion returns the question that is shown, or nil if there is none.
func (s *state) shownQuestion() *question {
	if len(s.questions) == 0 || s.questions[0].comp == nil {
		return nil
	}
	return s.questions[0]
}

// Ask shows the component that show returns, and waits until it calls done. Only the first call of
// done counts. Several questions are shown one after the other, in the order of the calls of Ask.
// The error is ctx.Err() if ctx ends first, ErrClosed if Run ends, and [ErrDismissed] if the user
// closes the component with Esc, see [App.Overlay].
//
// Without a terminal the rows of the component are written, up to the row of the caret. Lines of
// App.Input go to the [Submitter] in the component. The error is io.EOF after the last line, and
// [terminal.ErrNotTerminal] if there is no Submitter.
//
// show and the component run on the loop. done may be called on any goroutine. Ask itself must not
// be called on the loop; there it returns ErrOnLoop at once.
func Ask[T any](ctx context.Context, a *App, p Place, show func(done func(T)) Component) (t T, err error) {
	var (
		s      = a.getState()
		once   sync.Once
		answer = make(chan T, 1)
		q      = &question{place: p, failed: make(chan error, 1)}
	)
	if s.onLoop() {
		return t, ErrOnLoop
	}
	if err := ctx.Err(); err != nil {
		return t, err
	}
	q.show = func() Component {
		return show(func(v T) {
			once.Do(func() {
				q.answered.Store(true)
				answer <- v
				a.Do(func() { s.removeQuestion(a, q) })
			})
		})
	}
	if !a.Do(func() { s.addQuestion(a, q) }) {
		return t, ErrClosed
	}
	select {
	case t = <-answer:
		return t, nil
	case <-ctx.Done():
		err = ctx.Err()
	case err = <-q.failed:
	case <-s.ended:
		err = ErrClosed
	}
	once.Do(func() { close(answer) }) // from here on an answer is dropped
	if v, ok := <-answer; ok {        // it came first after all
		return v, nil
	}
	a.Do(func() { s.removeQuestion(a, q) })
	return t, err
}

// addQuestion queues q, and shows it if no other question is shown.
func (s *state) addQuestion(a *App, q *question) {
	s.questions = append(s.questions, q)
	s.showNextQuestion(a)
}

// removeQuestion removes q and shows the next question.
func (s *state) removeQuestion(a *App, q *question) {
	if q.remove != nil {
		q.remove()
		q.remove = nil
	}
	if i := slices.Index(s.questions, q); i >= 0 {
		s.questions = slices.Delete(s.questions, i, i+1)
	}
	s.showNextQuestion(a)
}

// showNextQuestion shows the first queued question if it is not shown yet.
func (s *state) showNextQuestion(a *App) {
	if len(s.questions) == 0 || s.questions[0].show == nil {
		return
	}
	q := s.questions[0]
	show := q.show
	q.show = nil
	q.comp = show()
	q.place.Passive = false // then nobody could answer it
	q.remove = a.Overlay(q.comp, q.place)
	o := s.topOverlay()
	o.close = func() { // by Esc or a click
		q.remove()
		if !q.answered.Load() {
			q.fail(ErrDismissed)
		}
	}
}
