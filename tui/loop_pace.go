package tui

import "time"

const (
	// frameInterval is the time between two frames of an animation, and between two ordinary frames
	// that are expensive or that the terminal takes slowly.
	frameInterval = 33 * time.Millisecond
	// quickInterval is the minimum time between two ordinary frames.
	quickInterval = 8 * time.Millisecond
	// quickCost is the maximum duration of a frame that counts as cheap.
	quickCost = 2 * time.Millisecond
	// costShare limits the time that frames take to 1/costShare of one core.
	costShare = 3
)

// urgency says how soon a requested frame must be painted.
type urgency uint8

const (
	notWanted urgency = iota
	ordinary          // quickInterval or frameInterval after the last frame
	// shows the effect of a key: at once, unless frames are expensive and the last echo was less
	// than a frameInterval ago
	echo
	forced  // at once, within the limit of costShare
	flushed // at once, without any limit: final text is written as fast as possible
)

// pace decides when the next frame is due. Time is passed to it. A frame starts at the earliest
// costShare times the duration of the last frame after the start of that one, so that frames take
// at most a third of one core. Flushed frames are exempt, since they come to an end.
type pace struct {
	lastStart time.Time     // start of the last frame
	lastCost  time.Duration // duration of the last frame
	lastEcho  time.Time     // start of the last frame that showed the effect of a key
	wanted    urgency       // the most urgent request for the next frame
}

// request requests a frame. The most urgent request counts.
func (p *pace) request(u urgency) { p.wanted = max(p.wanted, u) }

// due returns the time at which the requested frame may start. ok is false if none is requested.
// lags says that the terminal has not taken all of the last frame.
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
			earliest = laterTime(earliest, p.lastEcho.Add(frameInterval))
		}
		return earliest, true
	}
	if dear {
		return laterTime(earliest, p.lastStart.Add(frameInterval)), true
	}
	return laterTime(earliest, p.lastStart.Add(quickInterval)), true
}

func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// noteFrame records that a frame was painted from start to end.
func (p *pace) noteFrame(start, end time.Time) {
	if p.wanted == echo {
		p.lastEcho = start
	}
	p.lastStart, p.lastCost, p.wanted = start, min(end.Sub(start), time.Second), notWanted
}
