package eval

import (
	"sync"
	"time"
)

// clock measures the time of a cell. It stands while the host works for it.
type clock struct {
	mu    sync.Mutex
	left  time.Duration
	since time.Time // when it began to run
	busy  int       // calls of the host that are not answered
	timer *time.Timer
	ended bool
}

// newClock returns a running clock that calls up when its time is over.
func newClock(limit time.Duration, up func()) *clock {
	c := &clock{left: limit, since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(limit, func() {
		if c.end() {
			up()
		}
	})
	return c
}

// pause stops the clock until each pause has its resume.
func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy++; c.busy == 1 && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

// resume ends one pause.
func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && !c.ended {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}

// end stops the clock for good, and reports whether it was not stopped before. Calls that are
// answered after that begin it anew no more.
func (c *clock) end() (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, c.ended = !c.ended, true
	c.timer.Stop()
	return first
}
