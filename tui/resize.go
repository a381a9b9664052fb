package tui

import "time"

// The times of a resize (rendering contract, section 5).
const (
	settleTime = 120 * time.Millisecond // after the last sign of a resize
	// In tmux, which tells of a size at once, but of another one within 250 ms only when those are
	// over.
	tmuxTime = 300 * time.Millisecond
	// A terminal that is late has read what it was sent before that (kitty waits for 3).
	raceTime = 10 * time.Millisecond
	// Under load kitty 0.48.2 took frames at its new size that were 38 ms old. Rows above its
	// cursor are counted as it wraps them, and with 10 ms up to 21 of 3,000 words were lost.
	belowTime  = 60 * time.Millisecond
	reportTime = 200 * time.Millisecond // for the cursor report
)

// raceTime is how long before a change of size a frame may have been sent that met it.
func (l *loop) raceTime() time.Duration {
	if quirksOf(l.caps).Below {
		return belowTime
	}
	return raceTime
}

// judge tells the renderer whether its last frame may have met the change of size.
func (l *loop) judge() {
	if l.raced {
		l.out.Overtaken()
	}
}

// predict goes on without a cursor report.
func (l *loop) predict() {
	l.judge()
	l.raced = false
	l.out.Predict()
}

// resizing is where a change of size stands: no frame is composed until it is steady again.
type resizing struct {
	phase resizePhase
	at    time.Time // when the phase ends by itself
	asked int       // requests sent
}

type resizePhase uint8

const (
	steady   resizePhase = iota
	settling             // waits for the last of a burst
	asking               // waits for a cursor report
)

// resizeStep is what has to be done now.
type resizeStep uint8

const (
	nothing resizeStep = iota
	ask                // renderer.Ask
	predict            // renderer.Predict, then render
)

// start begins anew: the size has just changed.
func (r *resizing) start(now time.Time, settle time.Duration) {
	*r = resizing{phase: settling, at: now.Add(settle)}
}

// stop ends it: the renderer knows where it is.
func (r *resizing) stop() { *r = resizing{} }

// step says what is due.
func (r *resizing) step(now time.Time) resizeStep {
	if r.phase == steady || now.Before(r.at) {
		return nothing
	}
	if r.phase == settling || r.asked < 2 {
		r.phase, r.at = asking, now.Add(reportTime)
		r.asked++
		return ask
	}
	r.stop()
	return predict
}
