package tui

import (
	"context"
	"slices"
	"sync"
)

// question is an Ask that is not answered.
type question struct {
	show   func() Component // nil: it is shown
	place  Place
	remove func()
}

// Ask shows a component and waits for its first done; later calls are dropped. Asks are shown one by one, in order. It returns ctx.Err()
// if that comes first, ErrClosed if Run ends. show and what it returns belong to the loop, done to any goroutine. Any goroutine but the loop.
func Ask[T any](ctx context.Context, a *App, p Place, show func(done func(T)) Component) (t T, err error) {
	var (
		s      = a.get()
		once   sync.Once
		answer = make(chan T, 1)
		q      = &question{place: p}
	)
	if err := ctx.Err(); err != nil {
		return t, err
	}
	q.show = func() Component {
		return show(func(v T) {
			once.Do(func() {
				answer <- v
				a.Do(func() { s.settle(a, q) })
			})
		})
	}
	if !a.Do(func() { s.ask(a, q) }) {
		return t, ErrClosed
	}
	select {
	case t = <-answer:
		return t, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-s.ended:
		err = ErrClosed
	}
	once.Do(func() { close(answer) }) // from here on an answer is dropped
	if v, ok := <-answer; ok {        // it came first after all
		return v, nil
	}
	a.Do(func() { s.settle(a, q) })
	return t, err
}

// ask queues q and shows it if it is the first.
func (s *state) ask(a *App, q *question) {
	s.asks = append(s.asks, q)
	s.next(a)
}

// settle takes q away, answered or not, and shows the next one.
func (s *state) settle(a *App, q *question) {
	if q.remove != nil {
		q.remove()
		q.remove = nil
	}
	if i := slices.Index(s.asks, q); i >= 0 {
		s.asks = slices.Delete(s.asks, i, i+1)
	}
	s.next(a)
}

func (s *state) next(a *App) {
	if len(s.asks) == 0 || s.asks[0].show == nil {
		return
	}
	q := s.asks[0]
	show := q.show
	q.show = nil
	q.remove = a.Overlay(show(), q.place)
}
