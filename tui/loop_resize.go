package tui

import "time"

// The times of a resize.
const (
	settleTime = 120 * time.Millisecond // after the last sign of a change of size
	// In tmux, which reports a size at once, but the next one within 250 ms only when those are
	// over.
	tmuxTime = 300 * time.Millisecond
	// A terminal that is late has read what it was sent before that (kitty waits for 3 ms).
	raceTime = 10 * time.Millisecond
	// The signal of a size that was found at a frame comes within that time. A later one reports a
	// size that came and went.
	signalTime   = 100 * time.Millisecond
	reportTime   = 200 * time.Millisecond // for the cursor report
	carefulTime  = time.Second            // in it frames are careful, since the grid may have another size already
	resizingTime = 2 * time.Second        // after a change of size another one is likely
	readTime     = time.Second            // a frame waits until the last one has been read, see awaitsRead
)

// awaitsRead reports whether frames end with a status request, for whose answer the next one waits.
// kitty (0.48.2, under load) has read twenty frames at a size that it had taken 0.7 s before it
// reported it. With the wait it is one. Where sizes are reported in band (mode 2048), the answer
// comes before the report exactly if the frame was read at the old size.
func (l *loop) awaitsRead() bool { return quirksOf(l.caps).RedrawsPrompt }

// noteOvertaken tells the renderer if its last frame may have been read after the change of size.
func (l *loop) noteOvertaken() {
	if l.sizeRaced {
		l.canvas.Overtaken()
	}
}

// beginResize begins a resize: nothing is composed until it has settled. The same size again means
// that there was another one in between.
func (l *loop) beginResize(r Resize, now time.Time) {
	if r.Cols < 1 || r.Rows < 1 {
		return
	}
	if r.Cols != l.cols && l.pictures.protocol.floats && l.chrome.fullScreen == nil {
		l.erasePictures(&l.pictures.normal)
	}
	l.cols, l.rows, l.clocks.lastResize, l.sizeSeenEarly = r.Cols, r.Rows, now, false
	l.pictures.rows = r.Rows
	l.dropScenes()
	l.requestFrame(ordinary, "resize")
	if l.chrome.fullScreen != nil {
		l.chrome.fullScreen.resized = true
		l.chrome.fullScreen.screen.Resize(r.Cols, r.Rows)
		l.requestFrame(forced, "resize")
		return
	}
	l.canvas.Resize(r.Cols, r.Rows)
	l.sizeRaced = l.sizeRaced || !(l.awaitsRead() && l.caps.SizeReports) && now.Sub(l.clocks.lastFrame) < raceTime
	if !l.lent {
		settle := settleTime
		if l.caps.Mux == "tmux" { // a cursor report from a grid whose size we do not know would put us on the wrong row
			settle = tmuxTime
		}
		l.resize.start(now, settle)
	}
}

// checkSize asks for the size right before a frame, since multiplexers resize their grid some time
// before they report it (tmux 3.3a: up to 250 ms). A change begins a resize. It reports whether a
// resize is under way.
func (l *loop) checkSize(now time.Time) bool {
	if l.term == nil {
		return false
	}
	if cols, rows := l.term.Size(); cols != l.cols || rows != l.rows {
		l.beginResize(Resize{Cols: cols, Rows: rows}, now)
		l.sizeSeenEarly = l.cols == cols
	}
	return l.resize.phase != steady
}

// predictPlace lets the renderer continue without a cursor report.
func (l *loop) predictPlace() {
	l.noteOvertaken()
	l.sizeRaced = false
	l.canvas.Predict()
}

// endResize ends a resize: the renderer knows where it is, or has to guess.
func (l *loop) endResize() {
	l.resize.stop()
	l.sizeRaced = false
	if l.laidCols != l.cols && l.settings.resize != ResizePreserve {
		l.replay(l.settings.resize.reset())
	}
	l.laidCols = l.cols
	l.requestFrame(forced, "resize")
}

// resizing is the progress of a change of size. No frame is composed until it is steady again.
type resizing struct {
	phase    resizePhase
	deadline time.Time // when the phase ends by itself
	requests int       // number of cursor requests that were sent
}

// resizePhase is a part of a resize.
type resizePhase uint8

const (
	steady   resizePhase = iota
	settling             // waits for the last size of several
	asking               // waits for a cursor report
)

// resizeStep is what has to be done now.
type resizeStep uint8

const (
	noStep        resizeStep = iota
	askCursor                // renderer.Ask
	predictCursor            // renderer.Predict, then render
)

// start begins again: the size has just changed.
func (r *resizing) start(now time.Time, settle time.Duration) {
	*r = resizing{phase: settling, deadline: now.Add(settle)}
}

// stop ends the resize: the renderer knows where it is.
func (r *resizing) stop() { *r = resizing{} }

// step returns what is due now.
func (r *resizing) step(now time.Time) resizeStep {
	if r.phase == steady || now.Before(r.deadline) {
		return noStep
	}
	if r.phase == settling || r.requests < 2 {
		r.phase, r.deadline = asking, now.Add(reportTime)
		r.requests++
		return askCursor
	}
	r.stop()
	return predictCursor
}
