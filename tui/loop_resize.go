package tui

import "time"

// The times of a resize.
const (
	settleTime = 120 * time.Millisecond // after the last sign of a resize
	// In tmux, which tells of a size at once, but of another one within 250 ms only when those are
	// over.
	tmuxTime = 300 * time.Millisecond
	// A terminal that is late has read what it was sent before that (kitty waits for 3).
	raceTime = 10 * time.Millisecond
	// The signal of a size that a frame has found comes within that. A later one tells of a size
	// that came and went.
	signalTime  = 100 * time.Millisecond
	reportTime  = 200 * time.Millisecond // for the cursor report
	carefulTime = time.Second            // in it frames are careful, since the grid may have another size already
	readTime    = time.Second            // a frame waits until the last one has been read, see tracks
)

// tracks reports whether frames end with a status request, and the next one waits for the answer.
// kitty (0.48.2, under load) has read twenty frames at a size that it had taken 0.7 s before it
// said so. Now that is one. Where sizes are reported in band (mode 2048), the answer comes before
// the report exactly if the frame was read at the old one.
func (l *loop) tracks() bool { return quirksOf(l.caps).RedrawsPrompt }

// overtaken tells the renderer whether its last frame may have met the change of size.
func (l *loop) overtaken() {
	if l.raced {
		l.out.Overtaken()
	}
}

// resized begins a resize: nothing is composed until it has settled. The same size again means that
// there was another one in between.
func (l *loop) resized(r Resize, now time.Time) {
	if r.Cols < 1 || r.Rows < 1 {
		return
	}
	if r.Cols != l.cols && l.pics.how.floats && l.chrome.full == nil {
		l.erasePictures(&l.pics.normal)
	}
	l.cols, l.rows, l.clocks.sized, l.early = r.Cols, r.Rows, now, false
	l.pics.rows = r.Rows
	l.unseen()
	l.want(ordinary, "resize")
	if l.chrome.full != nil {
		l.chrome.full.resized = true
		l.chrome.full.screen.Resize(r.Cols, r.Rows)
		l.want(forced, "resize")
		return
	}
	l.out.Resize(r.Cols, r.Rows)
	l.raced = l.raced || !(l.tracks() && l.caps.SizeReports) && now.Sub(l.clocks.sent) < raceTime
	if !l.away {
		settle := settleTime
		if l.caps.Mux == "tmux" { // a cursor report from a grid whose size we do not know would put us on the wrong row
			settle = tmuxTime
		}
		l.resize.start(now, settle)
	}
}

// sizeChanged asks for the size right before a frame: multiplexers resize their grid some time
// before they say so (tmux 3.3a: up to 250 ms). A change begins a resize.
func (l *loop) sizeChanged(now time.Time) bool {
	if l.term == nil {
		return false
	}
	if cols, rows := l.term.Size(); cols != l.cols || rows != l.rows {
		l.resized(Resize{Cols: cols, Rows: rows}, now)
		l.early = l.cols == cols
	}
	return l.resize.phase != steady
}

// predict goes on without a cursor report.
func (l *loop) predict() {
	l.overtaken()
	l.raced = false
	l.out.Predict()
}

// settled ends a resize: the renderer knows where it is, or has to guess.
func (l *loop) settled() {
	l.resize.stop()
	l.raced = false
	if l.laid != l.cols && l.set.resize != ResizePreserve {
		l.replay(l.set.resize.reset())
	}
	l.laid = l.cols
	l.want(forced, "resize")
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
