package tui

import (
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

const (
	maxFrameBytes = 64 << 10 // maximum size of the final rows in one frame
	// maximum number of rounds of callbacks that queue more callbacks, at the end of the run
	maxFinalRounds = 16
)

// paintFrame sends encoded pictures, then composes and renders one frame. It returns true if final
// rows or pictures are left for the next frame.
func (l *loop) paintFrame(now time.Time) (more bool) {
	if n := len(l.state.overlays); n > 1 {
		for _, o := range l.state.overlays[:n-1] {
			o.scene = sceneState{}
		}
	}
	picturesLeft := l.pictures != nil && l.pictures.sendReady(l.term, l.chrome.fullScreen != nil)
	if l.chrome.fullScreen != nil {
		l.paintFullScreen(now)
		return picturesLeft
	}
	s := l.baseSpace(now)
	hold := l.isCovered()
	l.frames.commit, l.frames.live, more = l.transcript.compose(s, l.frames.commit[:0], l.frames.live[:0],
		maxFrameBytes, hold)
	f := renderer.Frame{Base: l.frames.committedRows, Commit: l.frames.commit, Live: l.frames.live,
		Careful: now.Sub(l.clocks.lastResize) < carefulTime}
	l.frames.careful = f.Careful
	if f.Careful && !hold {
		f.Live = f.Live[:0] // in a storm of sizes they would be pushed into history, one copy for each
	}
	if l.transcript.isStreaming() || len(f.Commit) > 0 && now.Sub(l.clocks.lastCommit) < flowTime {
		l.clocks.lastFlow = now
	}
	if len(f.Commit) > 0 {
		l.clocks.lastCommit = now
	}
	l.frames.caretDrawn = false
	f.Status = !f.Careful && l.awaitsRead()
	l.chrome.mouse.beginFrame()
	l.addFooter(s, &f)
	if !f.Careful {
		l.clocks.lastFrame = now
	}
	l.renderFrame(f)
	l.updateMouse()
	l.frames.live = f.Live
	unshown := 0
	if more || hold {
		unshown = l.transcript.waitingBytes()
	}
	if !more && !hold {
		for _, f := range l.frames.shownCallbacks {
			f()
		}
		l.frames.shownCallbacks = nil
	}
	l.queue.reportBacklog(unshown, l.isCrowded() || hold && l.transcript.waitingRows() > 4*l.rows ||
		l.frames.seam.Pending > 4*l.rows)
	return more || picturesLeft
}

// erasePictures deletes the pictures of a screen from the terminal. Pictures that are still shown
// are sent again later.
func (l *loop) erasePictures(su *surface) {
	if b := l.pictures.eraseSurface(su, nil); len(b) > 0 {
		_, _ = l.term.Write(b)
	}
}

// renderFrame renders f and records the result.
func (l *loop) renderFrame(f renderer.Frame) {
	seam, err := l.canvas.Render(f)
	if err != nil {
		l.fatalErr = fmt.Errorf("tui: painting: %w", err)
	}
	l.frames.committedRows += len(f.Commit)
	l.frames.seam = seam
	if seam.Asked {
		l.frames.unreadFrames++
	}
}

// isCovered reports whether a layer covers rows of the window. In that time no rows become final,
// so that they are laid out at the width that the window has after the layer is gone.
func (l *loop) isCovered() bool {
	_, layers := l.visibleOverlays()
	return len(layers) > 0
}

// footerReplaced reports whether an overlay is shown in place of the footer.
func (l *loop) footerReplaced() bool {
	base, _ := l.visibleOverlays()
	return base != nil
}

// addFooter adds to f everything below the transcript: the footer or the overlay that replaces it,
// the layers, and the caret. It never changes the rows of a View, which the component may return
// again: drawing a caret copies them.
func (l *loop) addFooter(s Space, f *renderer.Frame) {
	base, layers := l.visibleOverlays()
	limit := l.liveLimit()
	s.Height = limit
	switch {
	case base != nil:
		l.addReplacement(base, s, f)
	case l.chrome.footer.comp == nil:
		l.trimLive(f, l.tailLimit())
		l.appendBeside(f, s, 0)
	default:
		in := s
		in.Focused = l.keyOverlay(false) == nil
		if len(f.Live) > 0 {
			in.Height = max(limit-1, 1) // the last row of the answer is shown
		}
		full := l.chrome.footer.currentView(in, l.queue)
		v, _ := l.fitHeight(full, in.Height)
		shown := mouseArea{width: l.cols, rows: len(v.Lines), skippedRows: rowsSkipped(full, v)}
		l.chrome.mouse.addArea(nil, full, shown)
		l.trimLive(f, max(l.tailLimit()-len(v.Lines), 1))
		l.appendBeside(f, s, len(v.Lines))
		l.appendBelow(f, v, s, in.Focused)
	}
	f.Overlay = l.composeLayers(layers, s, nil, !f.Careful)
}

// addReplacement adds the overlay o to f in place of the footer.
func (l *loop) addReplacement(o *overlay, s Space, f *renderer.Frame) {
	in, limit := l.overlaySpace(s, o, o == l.keyOverlay(false)), s.Height
	if len(f.Live) > 0 && quirksOf(l.caps).PushesLive {
		in.Height = max(limit-1, min(limit, lowPaneRows)) // a row of the answer is shown, too
	}
	if o.place.Full { // the alternate screen, where there is none
		limit, in.Height = l.rows, l.rows
	}
	in.Width, in.Height = o.place.MaxSize(in.Width, in.Height)
	full := o.currentView(in, l.queue)
	v, fits := l.fitHeight(full, min(limit, in.Height))
	l.chrome.mouse.addArea(o, full, mouseArea{width: in.Width, rows: len(v.Lines), skippedRows: rowsSkipped(full, v)})
	// a row of the answer, where the window has one.
	l.trimLive(f, min(max(limit-len(v.Lines), 1), l.rows-len(v.Lines)))
	l.appendBeside(f, s, len(v.Lines))
	l.appendBelow(f, v, s, o == l.state.topOverlay())
	if o == l.state.topOverlay() {
		o.scene.noteFrame(v.Scene, len(v.Lines), fits && !f.Careful, s.Now)
	}
}

// fitHeight returns the part of v that fits in height rows: the last rows, or earlier ones if the
// caret is there. all is true if nothing is left out.
func (l *loop) fitHeight(v View, height int) (part View, all bool) {
	n := len(v.Lines) - height
	if n <= 0 {
		return v, true
	}
	if v.Cursor != nil {
		n = min(n, max(v.Cursor.Row, 0))
	}
	v.Lines, v.Cursor = v.Lines[n:n+height], caretBelow(v.Cursor, n)
	return v, false
}

// trimLive drops the transcript's live rows except the last n.
func (l *loop) trimLive(f *renderer.Frame, n int) {
	if k := len(f.Live) - max(n, 0); k > 0 {
		f.Live = f.Live[:copy(f.Live, f.Live[k:])]
	}
}

// appendBelow appends the rows of v below the transcript's live rows. If caret is true it also
// shows the caret of v.
func (l *loop) appendBelow(f *renderer.Frame, v View, s Space, caret bool) {
	rows := v.Lines
	if caret && v.Cursor != nil && (l.settings.drawCaret || l.drawsCaret(s.Now, f.Careful)) {
		rows = l.chrome.drawnCarets[0].drawAt(rows, *v.Cursor, s)
	} else if caret && v.Cursor != nil {
		l.chrome.caret = Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + len(f.Live)}
		f.Cursor = &l.chrome.caret
	}
	f.Live = append(f.Live, rows...)
}

const (
	// caretTime is the time after a key, other than Enter, during which the terminal's cursor stays
	// in the prompt although text is streaming.
	caretTime = 2 * time.Second
	flowTime  = 500 * time.Millisecond // the longest pause within streaming text
)

// drawsCaret reports whether the caret is drawn as a character. The terminal's cursor is then
// hidden on the first live row, so that it is found there after a change of size. That is the case
// in careful frames, and while text is streaming unless the user is typing.
func (l *loop) drawsCaret(now time.Time, careful bool) bool {
	l.frames.caretDrawn = l.term != nil &&
		(careful || now.Sub(l.clocks.lastFlow) < flowTime && now.Sub(l.input.lastTyping) >= caretTime)
	return l.frames.caretDrawn
}

// caretBelow returns the position p after the first n rows were left out. It returns nil if p was
// in one of them.
func caretBelow(p *Pos, n int) *Pos {
	if p == nil || p.Row < n {
		return nil
	}
	return &Pos{Col: p.Col, Row: p.Row - n}
}

// finishRun handles everything that is queued, makes all rows final and writes them.
func (l *loop) finishRun() error {
	drain := func() (n int) {
		for _, o := range l.queue.takeAll() {
			if o.kind != opEvent && o.kind != opLine {
				l.applyOp(o)
				n++
			}
		}
		return n
	}
	for range maxFinalRounds { // what was queued may queue more
		if drain() == 0 {
			break
		}
	}
	l.queue.close()
	drain()
	l.state.overlays, l.frames.seam = nil, renderer.Seam{}
	l.leaveFullScreen(time.Now())
	if l.resize.phase != steady {
		l.resize.stop()
		l.predictPlace()
	}
	if l.pictures != nil {
		l.pictures.end()
	}
	l.transcript.closeAll()
	for more := true; more && l.fatalErr == nil; {
		var f renderer.Frame
		l.frames.commit, l.frames.live, more = l.transcript.compose(l.baseSpace(time.Now()), l.frames.commit[:0],
			l.frames.live[:0], maxFrameBytes, false)
		f = renderer.Frame{Base: l.frames.committedRows, Commit: l.frames.commit, Live: l.frames.live}
		l.renderFrame(f)
	}
	if l.fatalErr != nil {
		return l.fatalErr
	}
	return l.canvas.Release(false)
}
