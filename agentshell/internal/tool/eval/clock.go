package eval

import (
	"sync"
	"time"
)

// cellClock measures the time that a code cell has used. It is paused while the host works for the
// cell.
type cellClock struct {
	mu           sync.Mutex
	timeLeft     time.Duration
	runningSince time.Time // runningSince is when the clock last started to run.
	hostCalls    int       // hostCalls is the number of running calls of the host.
	timer        *time.Timer
	ended        bool
}

// newClock returns a running clock. It calls up once when limit is used up.
func newClock(limit time.Duration, up func()) *cellClock {
	c := &cellClock{timeLeft: limit, runningSince: time.Now()}
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
	if c.hostCalls++; c.hostCalls == 1 && c.timer.Stop() {
		c.timeLeft -= time.Since(c.runningSince)
	}
}

// resume ends one pause.
func (c *cellClock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hostCalls--; c.hostCalls == 0 && !c.ended {
		c.runningSince = time.Now()
		c.timer.Reset(max(c.timeLeft, 0))
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
