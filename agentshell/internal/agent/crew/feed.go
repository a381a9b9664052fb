package crew

import "sync"

// Feed passes events of agents on, in order, on a goroutine of its own. A nil Feed passes nothing.
type Feed struct {
	leave func()
	done  chan struct{} // closed at the end of the goroutine

	mu      sync.Mutex
	items   []item
	changed chan struct{} // holds a value after put
	ended   chan struct{} // closed when no more events come
}

// item is an event, or a mark that is closed when all before it were passed on.
type item struct {
	event Event
	mark  chan struct{}
}

// Feed calls on with the events of all agents that wanted accepts until Stop is called. Unlike the
// callback of Follow on may wait, and may call the crew. wanted must not.
func (c *Crew) Feed(wanted func(Event) bool, on func(Event)) *Feed {
	f := &Feed{changed: make(chan struct{}, 1), ended: make(chan struct{}), done: make(chan struct{})}
	f.leave = c.Follow(func(e Event) {
		if wanted(e) {
			f.put(item{event: e})
		}
	})
	go func() {
		defer close(f.done)
		f.play(on)
	}()
	return f
}

// Sync waits until all events until now were passed on. It is not called by on.
func (f *Feed) Sync() {
	if f == nil {
		return
	}
	mark := make(chan struct{})
	f.put(item{mark: mark})
	select {
	case <-mark:
	case <-f.done:
	}
}

// Stop ends the feed once all events until now were passed on. It is called once, and not by on.
func (f *Feed) Stop() {
	if f == nil {
		return
	}
	f.leave()
	close(f.ended)
	<-f.done
}

func (f *Feed) put(i item) {
	f.mu.Lock()
	f.items = append(f.items, i)
	f.mu.Unlock()
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// take returns what has come since the last call.
func (f *Feed) take() []item {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	return items
}

// play passes all events on until there are no more.
func (f *Feed) play(on func(Event)) {
	for last := false; !last; {
		select {
		case <-f.changed:
		case <-f.ended:
			last = true
		}
		for _, i := range f.take() {
			if i.mark != nil {
				close(i.mark)
			} else {
				on(i.event)
			}
		}
	}
}
