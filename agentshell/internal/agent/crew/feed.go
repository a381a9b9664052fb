package crew

import "sync"

// Feed calls on with the events of all agents that wanted accepts, in order, on a goroutine of its
// own: unlike that of Follow, on may wait, and may call the crew. wanted must not. stop ends the
// feed once on has got all events until then.
func (c *Crew) Feed(wanted func(Event) bool, on func(Event)) (stop func()) {
	f := &feed{changed: make(chan struct{}, 1), ended: make(chan struct{})}
	leave := c.Follow(func(e Event) {
		if wanted(e) {
			f.put(e)
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.play(on)
	}()
	return func() {
		leave()
		close(f.ended)
		<-done
	}
}

// feed holds events that nobody has got yet.
type feed struct {
	mu      sync.Mutex
	events  []Event
	changed chan struct{} // holds a value after put
	ended   chan struct{} // closed when no more events come
}

func (f *feed) put(e Event) {
	f.mu.Lock()
	f.events = append(f.events, e)
	f.mu.Unlock()
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// take returns the events that have come since the last call.
func (f *feed) take() []Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	events := f.events
	f.events = nil
	return events
}

// play passes all events on until there are no more.
func (f *feed) play(on func(Event)) {
	for last := false; !last; {
		select {
		case <-f.changed:
		case <-f.ended:
			last = true
		}
		for _, e := range f.take() {
			on(e)
		}
	}
}
