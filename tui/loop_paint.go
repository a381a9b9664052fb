package tui

import (
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

const (
	maxFrame  = 64 << 10 // bytes of final rows in one frame
	maxRounds = 16       // of callbacks that queue callbacks, at the end
)

// paintFrame sends the pictures that are ready, then composes and shows one frame. more: final rows
// or pictures are left for the next one.
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
	l.frames.commit, l.frames.live, more = l.transcript.compose(s, l.frames.commit[:0], l.frames.live[:0], maxFrame,
		hold)
	f := renderer.Frame{Base: l.frames.base, Commit: l.frames.commit, Live: l.frames.live,
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
		for _, f := range l.frames.onShown {
			f()
		}
		l.frames.onShown = nil
	}
	l.queue.reportBacklog(unshown, l.isCrowded() || hold && l.transcript.waitingRows() > 4*l.rows ||
		l.frames.seam.Pending > 4*l.rows)
	return more || picturesLeft
}

// erasePictures deletes the pictures of a surface. Those that are still shown are asked for again.
func (l *loop) erasePictures(su *surface) {
	if b := l.pictures.eraseSurface(su, nil); len(b) > 0 {
		_, _ = l.term.Write(b)
	}
}

// renderFrame shows f and notes the result.
func (l *loop) renderFrame(f renderer.Frame) {
	seam, err := l.canvas.Render(f)
	if err != nil {
		l.fatalErr = fmt.Errorf("tui: painting: %w", err)
	}
	l.frames.base += len(f.Commit)
	l.frames.seam = seam
	if seam.Asked {
		l.frames.unread++
	}
}

// isCovered reports whether a layer covers rows of the window. Then no rows become final, so that
// they are laid out at the width of the window when the layer is gone.
func (l *loop) isCovered() bool {
	_, layers := l.visibleOverlays()
	return len(layers) > 0
}

// footerReplaced reports whether an overlay stands in the footer's place.
func (l *loop) footerReplaced() bool {
	base, _ := l.visibleOverlays()
	return base != nil
}

// addFooter adds to f everything below the transcript: the footer or its replacement, the layers,
// the caret. The rows of a View belong to its component, which may return them again: they are
// copied before a caret is drawn into them.
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
		l.chrome.mouse.addArea(nil, full, area{width: l.cols, rows: len(v.Lines), skippedRows: rowsSkipped(full, v)})
		l.trimLive(f, max(l.tailLimit()-len(v.Lines), 1))
		l.appendBeside(f, s, len(v.Lines))
		l.appendBelow(f, v, s, in.Focused)
	}
	f.Overlay = l.composeLayers(layers, s, nil, !f.Careful)
}

// addReplacement adds o to f in the footer's place.
func (l *loop) addReplacement(o *overlay, s Space, f *renderer.Frame) {
	in, limit := l.overlaySpace(s, o, o == l.keyOverlay(false)), s.Height
	if len(f.Live) > 0 && quirksOf(l.caps).PushesLive {
		in.Height = max(limit-1, min(limit, lowPane)) // a row of the answer is shown, too
	}
	if o.place.Full { // the alternate screen, where there is none
		limit, in.Height = l.rows, l.rows
	}
	in.Width, in.Height = o.place.MaxSize(in.Width, in.Height)
	full := o.currentView(in, l.queue)
	v, fits := l.fitHeight(full, min(limit, in.Height))
	l.chrome.mouse.addArea(o, full, area{width: in.Width, rows: len(v.Lines), skippedRows: rowsSkipped(full, v)})
	// a row of the answer, where the window has one.
	l.trimLive(f, min(max(limit-len(v.Lines), 1), l.rows-len(v.Lines)))
	l.appendBeside(f, s, len(v.Lines))
	l.appendBelow(f, v, s, o == l.state.topOverlay())
	if o == l.state.topOverlay() {
		o.scene.noteFrame(v.Scene, len(v.Lines), fits && !f.Careful, s.Now)
	}
}

// fitHeight returns the part of v that fits into height rows: the last rows that include its caret.
// all reports whether that is everything.
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

// trimLive drops all but the last n live rows of the transcript.
func (l *loop) trimLive(f *renderer.Frame, n int) {
	if k := len(f.Live) - max(n, 0); k > 0 {
		f.Live = f.Live[:copy(f.Live, f.Live[k:])]
	}
}

// appendBelow appends v below the live rows of the transcript.
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
	// caretTime is how long after a key, other than Enter, the terminal's own caret stays in the
	// prompt while text streams.
	caretTime = 2 * time.Second
	flowTime  = 500 * time.Millisecond // the longest pause in text that streams
)

// drawsCaret reports whether the caret is drawn and the terminal's cursor is hidden on the first
// live row, where a change of size finds it. That is so in careful frames, and while text streams,
// unless somebody types.
func (l *loop) drawsCaret(now time.Time, careful bool) bool {
	l.frames.caretDrawn = l.term != nil &&
		(careful || now.Sub(l.clocks.lastFlow) < flowTime && now.Sub(l.input.lastTyping) >= caretTime)
	return l.frames.caretDrawn
}

// caretBelow returns p after n rows above it were left out, nil if it was in one of them.
func caretBelow(p *Pos, n int) *Pos {
	if p == nil || p.Row < n {
		return nil
	}
	return &Pos{Col: p.Col, Row: p.Row - n}
}

// finishRun makes everything final and writes it.
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
	for range maxRounds { // what was queued may queue more
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
			l.frames.live[:0], maxFrame, false)
		f = renderer.Frame{Base: l.frames.base, Commit: l.frames.commit, Live: l.frames.live}
		l.renderFrame(f)
	}
	if l.fatalErr != nil {
		return l.fatalErr
	}
	return l.canvas.Release(false)
}
