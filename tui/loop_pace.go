package tui

import "time"

const (
	// frameInterval is the time between two frames of an animation, and between two ordinary frames
	// that cost much or that the terminal takes its time for.
	frameInterval = 33 * time.Millisecond
	// quickInterval is the shortest time between two ordinary frames.
	quickInterval = 8 * time.Millisecond
	// quickCost is the duration up to which a frame is cheap.
	quickCost = 2 * time.Millisecond
	// costShare is the share of one core that frames take at most: one part in so many.
	costShare = 3
)

// urgency says how soon a frame is wanted.
type urgency uint8

const (
	notWanted urgency = iota
	ordinary          // quickInterval or frameInterval after the last frame
	echo              // of a key: at once, unless frames are dear and the last echo is less than a frameInterval ago
	forced            // at once, but no more than a share of a core
	flushed           // at once: what waits for it is final, and is replayed as fast as it can be
)

// pace decides when the next frame is due. It has no clock of its own. Frames take a third of one
// core at most: each starts no sooner than three times the duration of the last one after the start
// of that. A replay, which ends, is excepted.
type pace struct {
	lastStart time.Time     // start of the last frame
	lastCost  time.Duration // its duration
	lastEcho  time.Time     // start of the last frame that was an echo
	wanted    urgency
}

// request asks for a frame.
func (p *pace) request(u urgency) { p.wanted = max(p.wanted, u) }

// due returns when the wanted frame may start; ok is false if none is wanted. lags says that the
// terminal has not taken all of the last frame.
func (p *pace) due(lags bool) (t time.Time, ok bool) {
	earliest := p.lastStart.Add(costShare * p.lastCost)
	dear := lags || p.lastCost > quickCost
	switch p.wanted {
	case notWanted:
		return time.Time{}, false
	case forced:
		return earliest, true
	case flushed:
		return p.lastStart, true
	case echo:
		if dear {
			earliest = later(earliest, p.lastEcho.Add(frameInterval))
		}
		return earliest, true
	}
	if dear {
		return later(earliest, p.lastStart.Add(frameInterval)), true
	}
	return later(earliest, p.lastStart.Add(quickInterval)), true
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// noteFrame notes that a frame ran from start to end.
func (p *pace) noteFrame(start, end time.Time) {
	if p.wanted == echo {
		p.lastEcho = start
	}
	p.lastStart, p.lastCost, p.wanted = start, min(end.Sub(start), time.Second), notWanted
}
