package tui

import "time"

// frameInterval is the shortest time between two ordinary frames.
const frameInterval = 33 * time.Millisecond

// urgency says how soon a frame is wanted.
type urgency uint8

const (
	idle     urgency = iota
	ordinary         // frameInterval after the last frame
	echo             // of a key: at once, if the last echo is an interval ago
	forced           // at once
)

// pace says when the next frame is due. It has no clock of its own. Frames take about half of one
// core at most: the next one starts no sooner than twice the time that the last one took after its
// start.
type pace struct {
	last  time.Time     // start of the last frame
	cost  time.Duration // what it took
	typed time.Time     // the last frame that was an echo
	want  urgency
}

// request asks for a frame.
func (p *pace) request(u urgency) { p.want = max(p.want, u) }

// due returns when the frame that was asked for may start; ok is false if none was.
func (p *pace) due() (t time.Time, ok bool) {
	earliest := p.last.Add(2 * p.cost)
	switch p.want {
	case idle:
		return time.Time{}, false
	case forced:
		return earliest, true
	case echo:
		if t := p.typed.Add(frameInterval); t.After(earliest) {
			earliest = t
		}
		return earliest, true
	}
	if t := p.last.Add(frameInterval); t.After(earliest) {
		earliest = t
	}
	return earliest, true
}

// painted says that a frame ran from start to end.
func (p *pace) painted(start, end time.Time) {
	if p.want == echo {
		p.typed = start
	}
	p.last, p.cost, p.want = start, min(end.Sub(start), time.Second), idle
}
