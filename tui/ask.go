package tui

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// question is an Ask that is not answered.
type question struct {
	show   func() Component // nil: it was called
	place  Place
	remove func()

	comp     Component   // set once it is shown
	printed  bool        // without a terminal: its rows are written
	answered atomic.Bool // or given up
	failed   chan error
}

// fail ends the Ask without an answer.
func (q *question) fail(err error) {
	q.answered.Store(true)
	q.failed <- err
}

// shownQuestion returns the question that is shown, nil if none is.
func (s *state) shownQuestion() *question {
	if len(s.asks) == 0 || s.asks[0].comp == nil {
		return nil
	}
	return s.asks[0]
}

// Ask shows a component and waits for the first call of its done; later calls are dropped. Asks are
// shown one by one, in order. It returns ctx.Err() if that comes first, ErrClosed if Run ends, and
// [ErrDismissed] if Esc has closed it as a layer, see [App.Overlay].
//
// Without a terminal the rows of the component are written down to that of the caret, and lines of
// App.Input go to the [Submitter] in it. The error is io.EOF after the last line, and
// [terminal.ErrNotTerminal] if it has no Submitter.
//
// show and the component belong to the loop, done to any goroutine. Ask is for any goroutine but
// the loop, on which the error is ErrOnLoop at once.
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

// addQuestion queues q and shows it if it is the first.
func (s *state) addQuestion(a *App, q *question) {
	s.asks = append(s.asks, q)
	s.showNextQuestion(a)
}

// removeQuestion removes q, answered or not, and shows the next one.
func (s *state) removeQuestion(a *App, q *question) {
	if q.remove != nil {
		q.remove()
		q.remove = nil
	}
	if i := slices.Index(s.asks, q); i >= 0 {
		s.asks = slices.Delete(s.asks, i, i+1)
	}
	s.showNextQuestion(a)
}

// showNextQuestion shows the first question if that is not shown yet.
func (s *state) showNextQuestion(a *App) {
	if len(s.asks) == 0 || s.asks[0].show == nil {
		return
	}
	q := s.asks[0]
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
