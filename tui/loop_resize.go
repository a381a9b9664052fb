package tui

import "time"

// Times for handling a change of the window's size.
const (
	settleTime = 120 * time.Millisecond // wait after the last sign of a change of size
	// Wait after the last change of size in tmux, which reports the first size at once, but a
	// second one within 250 ms only when those are over.
	tmuxSettleTime = 300 * time.Millisecond
	// A slow terminal may read output that was sent up to raceTime before its size report only
	// after the change (kitty waits 3 ms).
	raceTime = 10 * time.Millisecond
	// Maximum time between a change of size that was found at a frame and the signal for it. A
	// later signal reports a size that came and went.
	maxSignalDelay      = 100 * time.Millisecond
	cursorReportTimeout = 200 * time.Millisecond // maximum wait for a cursor report
	// frames are careful for this time, since the grid may have another size already
	carefulTime  = time.Second
	resizingTime = 2 * time.Second // for this time after a change of size another one is likely
	// maximum time that a frame waits for the last one to be read, see awaitsRead
	readTimeout = time.Second
)

// awaitsRead reports whether each frame ends with a status request, and the next frame waits for
// the answer. kitty 0.48.2 under load has read twenty frames at a new size 0.7 s before it reported
// that size. With the wait it reads at most one. If the terminal reports sizes in band (mode 2048),
// the answer arrives before the report exactly if the frame was read at the old size.
func (l *loop) awaitsRead() bool { return quirksOf(l.caps).RedrawsPrompt }

// noteOvertaken tells the renderer if the terminal may have read its last frame after the change of
// size.
func (l *loop) noteOvertaken() {
	if l.sizeRaced {
		l.canvas.Overtaken()
	}
}

// beginResize begins the handling of a change of size. No frame is composed until the size has
// settled. A report of the same size means that there was another one in between.
func (l *loop) beginResize(r Resize, now time.Time) {
	if r.Cols < 1 || r.Rows < 1 {
		return
	}
	if r.Cols != l.cols && l.pictures.protocol.staysAfterRewrap && l.chrome.fullScreen == nil {
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
			settle = tmuxSettleTime
		}
		l.resize.start(now, settle)
	}
}

// checkSize asks for the window's size right before a frame, because multiplexers change their grid
// some time before they report it (tmux 3.3a: up to 250 ms). If the size has changed it begins a
// resize. It returns true if a resize is in progress.
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

// predictPlace lets the renderer predict the position of the live region, without a cursor report.
func (l *loop) predictPlace() {
	l.noteOvertaken()
	l.sizeRaced = false
	l.canvas.Predict()
}

// endResize ends the handling of a change of size. The renderer now knows where the live region is,
// or has to guess.
func (l *loop) endResize() {
	l.resize.stop()
	l.sizeRaced = false
	if l.historyCols != l.cols && l.settings.resize != ResizePreserve {
		l.replay(l.settings.resize.reset())
	}
	l.historyCols = l.cols
	l.requestFrame(forced, "resize")
}

// resizing is the progress of handling a change of size. Frames are composed only in the phase
// steady.
type resizing struct {
	phase    resizePhase
	deadline time.Time // when the phase ends by itself
	requests int       // number of cursor requests sent so far
}

// resizePhase is a phase of handling a change of size.
type resizePhase uint8

const (
	// the size is not changing
	steady   resizePhase = iota
	settling             // waits for further changes of size
	asking               // waits for a cursor report
)

// resizeStep is an action that the loop has to take now.
type resizeStep uint8

const (
	noStep        resizeStep = iota
	askCursor                // call Ask of the renderer
	predictCursor            // call Predict of the renderer, then paint
)

// start begins the phase settling, after each change of size.
func (r *resizing) start(now time.Time, settle time.Duration) {
	*r = resizing{phase: settling, deadline: now.Add(settle)}
}

// stop returns to the phase steady.
func (r *resizing) stop() { *r = resizing{} }

// step returns the action that is due at the time now, and advances the phase.
func (r *resizing) step(now time.Time) resizeStep {
	if r.phase == steady || now.Before(r.deadline) {
		return noStep
	}
	if r.phase == settling || r.requests < 2 {
		r.phase, r.deadline = asking, now.Add(cursorReportTimeout)
		r.requests++
		return askCursor
	}
	r.stop()
	return predictCursor
}
