package tui

import "time"

// frameInterval is the shortest time between two ordinary frames.
const frameInterval = 33 * time.Millisecond

// urgency says how soon a frame is wanted.
type urgency uint8

const (
	notWanted urgency = iota
	ordinary          // frameInterval after the last frame
	echo              // of a key: at once, unless the last echo is less than a frameInterval ago
	forced            // at once
)

// pace decides when the next frame is due. It has no clock of its own. Frames take about half of
// one core at most: each starts no sooner than twice the duration of the last one after the start
// of that.
type pace struct {
	lastStart time.Time     // start of the last frame
	lastCost  time.Duration // its duration
	lastEcho  time.Time     // start of the last frame that was an echo
	wanted    urgency
}

// request asks for a frame.
func (p *pace) request(u urgency) { p.wanted = max(p.wanted, u) }

// due returns when the wanted frame may start; ok is false if none is wanted.
func (p *pace) due() (t time.Time, ok bool) {
	earliest := p.lastStart.Add(2 * p.lastCost)
	switch p.wanted {
	case notWanted:
		return time.Time{}, false
	case forced:
		return earliest, true
	case echo:
		if t := p.lastEcho.Add(frameInterval); t.After(earliest) {
			earliest = t
		}
		return earliest, true
	}
	if t := p.lastStart.Add(frameInterval); t.After(earliest) {
		earliest = t
	}
	return earliest, true
}

// noteFrame notes that a frame ran from start to end.
func (p *pace) noteFrame(start, end time.Time) {
	if p.wanted == echo {
		p.lastEcho = start
	}
	p.lastStart, p.lastCost, p.wanted = start, min(end.Sub(start), time.Second), notWanted
}
