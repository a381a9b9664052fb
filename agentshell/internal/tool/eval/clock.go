package eval

import (
	"sync"
	"time"
)

// cellClock measures the time that a code cell has used. It is paused while the host works for the
// cell.
type cellClock struct {
	mu    sync.Mutex
	left  time.Duration
	since time.Time // since is when the clock last started to run.
	busy  int       // busy is the number of running calls of the host.
	timer *time.Timer
	ended bool
}

// newClock returns a running clock. It calls up once when limit is used up.
func newClock(limit time.Duration, up func()) *cellClock {
	c := &cellClock{left: limit, since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(limit, func() {
		if c.end() {
			up()
		}
	})
	return c
}

// pause stops the clock. It runs again when resume was called for each pause.
func (c *cellClock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy++; c.busy == 1 && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

// resume ends one pause.
func (c *cellClock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && !c.ended {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}

// end stops the clock for good; resume does not start it again. first is false if it was stopped
// before.
func (c *cellClock) end() (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, c.ended = !c.ended, true
	c.timer.Stop()
	return first
}
