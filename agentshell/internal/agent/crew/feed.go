package crew

import "sync"

// Feed passes events of agents to a callback, in order, on a goroutine of its own. The methods of a
// nil Feed do nothing.
type Feed struct {
	leave func()
	done  chan struct{} // closed when the goroutine that calls the callback ends

	mu      sync.Mutex
	items   []item
	changed chan struct{} // holds a value if items were added since the goroutine last took them
	ended   chan struct{} // closed by Stop: no more events come
}

// item is a queued event, or a mark: a channel that is closed when all items before it were passed
// on.
type item struct {
	event Event
	mark  chan struct{}
}

// Feed calls on with all events of agents that wanted accepts, until Stop is called. Unlike the
// callback of Follow, on may block and may call the crew; wanted must not.
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

// Sync waits until all events so far were passed on. The callback must not call it.
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

// Stop ends the feed after all events so far were passed on. It may be called only once, and not by
// the callback.
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

// take returns the items that were queued since its last call.
func (f *Feed) take() []item {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	return items
}

// play passes queued events to on until the feed is stopped.
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
