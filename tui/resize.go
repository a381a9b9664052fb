package tui

import "time"

// The times of a resize (rendering contract, section 5).
const (
	settleTime = 120 * time.Millisecond // after the last sign of a resize
	tmuxTime   = 300 * time.Millisecond // in tmux, which tells of a size at once, but of another one within 250 ms only when those are over
	metTime    = 10 * time.Millisecond  // a terminal that is late has read what it was sent before that (kitty waits for 3)
	reportTime = 200 * time.Millisecond // for the cursor report
)

// maxOpen is how many frames are marked before the first of them is answered for: those of a second. A terminal that is further behind is not followed.
const maxOpen = 32

// order is what the order of replies tells of a terminal that is late and reports its size among them (kitty): it has taken a marked frame before a change
// of size if its answer comes before the report, and after it else.
type order struct {
	open    int  // marks without an answer
	reports int  // of a size, since the screen was steady
	late    int  // marks that were open at one of those
	guess   bool // the last frame was sent so shortly before the news that it may have been late
}

// answer takes the answer to a mark and reports whether that frame was taken before any change of size.
func (o *order) answer() (landed bool) {
	if o.open == 0 { // of before a hand-over
		return false
	}
	o.open--
	return o.reports == 0
}

// sized takes a report of a new size.
func (o *order) sized() { o.reports, o.late = o.reports+1, max(o.late, o.open) }

// begin forgets the last change of size: the screen is steady.
func (o *order) begin() { *o = order{open: o.open} }

// judge tells the renderer which frames have met the change of size. All answers have come: that to the cursor request comes after them.
func (l *loop) judge() {
	switch o := &l.order; {
	case o.reports == 0 && o.guess:
		l.out.Overtaken(0)
	case o.late > 0 && o.reports == 1 && o.open == 0:
		l.out.Overtaken(o.late)
	case o.late > 0:
		l.out.Overtaken(0)
	}
}

// predict goes on without a cursor report.
func (l *loop) predict() {
	l.judge()
	l.order.begin()
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
