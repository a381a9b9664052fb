package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// loop is one run of an App: queued operations in, frames out.
type loop struct {
	app        *App
	state      *state
	queue      *queue
	transcript *Transcript

	term       device // nil: there is none
	canvas     canvas
	cols, rows int
	caps       Caps
	theme      *Theme
	fatalErr   error // why the terminal is gone
	lent       bool  // another program has the terminal
	backlogged bool  // the terminal is too far behind: no frames until Drained

	input    input
	clocks   clocks
	chrome   chrome
	frames   frames
	pictures *pictures // nil without a terminal
	pace     pace
	resize   resizing
	proof    proof // that the overlay is drawn as it was sent

	measurement measurement // of the widths that the terminal has

	// a change of size came so shortly after a frame that the terminal may have read the frame
	// after it
	sizeRaced      bool
	sizeSeenEarly  bool // a change of size was seen before its signal
	laidCols       int  // the columns for which history was written
	measuredWindow Pos  // the size of the window for which LiveSize was found

	lines    inputLines // without a terminal
	settings settings
	log      *redrawLog // nil: none
}

// input is what is known of the person who types.
type input struct {
	lastKey    time.Time // when the last key or paste was read
	lastTyping time.Time // when a key or paste was read that continues a text; zero after Enter
	// Another window has the keyboard, as far as the terminal has told. The person looks there, so
	// that no scene counts as shown.
	unfocused bool
}

// clocks holds the times of the last events that decide when and how the next frame is painted.
type clocks struct {
	lastResize time.Time // the last sign of a change of size
	lastFrame  time.Time // the last ordinary frame
	lastCommit time.Time // rows became final
	lastFlow   time.Time // text streamed, or rows became final several times in a short time
	lastRedraw time.Time // the last Ctrl+L
}

// chrome is everything that is shown besides the transcript.
type chrome struct {
	footer      slot
	fullScreen  *fullScreen   // nil: no overlay has the alternate screen
	drawnCarets [2]drawnCaret // in the footer or its replacement, and in an overlay
	caret       Pos           // of the last frame
	mouse       mouse
}

// frames holds the results of the frames so far, and storage for the next one.
type frames struct {
	base         int // number of rows that were handed over as final
	commit, live []Line
	seam         renderer.Seam
	writes       int // number of writes to the terminal
	unread       int // frames that the terminal has not confirmed to have read, see awaitsRead
	// The last one was careful: its live rows may be cut, and the next one is due when the careful
	// time is over.
	careful    bool
	caretDrawn bool     // the last one has drawn the caret for that
	onShown    []func() // called when a frame has taken everything that is queued
}

// serve takes turns until the run is to end, and returns why.
//
// It is fully serial: components, callbacks, writers' rows and events of the terminal are dealt
// with one at a time, on this goroutine, in the order in which they were queued ([queue]). Nobody
// else may touch the loop or the components: another goroutine comes in by the queue (App.Do,
// writers, Block.Update). No callback may wait for the loop ([ErrOnLoop]); while one is under way
// no writer waits either, so that it may write.
//
// A turn takes what is queued, twice, so that what a callback has queued is in the frame that it
// asked for; then it paints at most one frame, and waits for the queue or the next clock. While a
// size settles, a proof is under way, the terminal is behind, or another program has it, frames
// wait, and the queue is taken all the same.
//
// The run ends when the context does, at Quit, when Main returns, or when the terminal is gone. But
// for the last, Main and the goroutines of App.Go then have mainTime for their last words, and
// another program gives the terminal back first.
func (l *loop) serve(ctx context.Context, cancel func(), mainDone <-chan outcome) error {
	var (
		timer     = time.NewTimer(time.Hour)
		grace     <-chan time.Time // runs while Main and others say their last words
		timerSet  = true           // timer
		result    error
		ending    bool
		mainEnded = l.app.Main == nil // it has ended
		graceOver bool                // grace is over
	)
	defer timer.Stop()
	defer context.AfterFunc(ctx, l.queue.signal)()
	end := func(err error) {
		ending, result = true, err
		cancel()
		grace = time.After(mainTime)
	}
	for {
		for range 2 {
			// What a callback queues is in the frame that it asks for: a line that was sent does
			// not vanish until the next one.
			for _, o := range l.queue.takeAll() {
				l.applyOp(o)
			}
		}
		if l.term == nil {
			l.feedLine()
		}
		if l.fatalErr != nil {
			return l.fatalErr
		}
		// A program that has the terminal gives it back first.
		if ending && (graceOver || mainEnded && !l.state.hasGoroutines()) && !l.lent {
			return result
		}
		now := time.Now()
		next, ok := l.takeTurn(now)
		if l.fatalErr != nil {
			return l.fatalErr
		}
		if ok {
			timer.Reset(max(next.Sub(now), 0))
		} else if timerSet {
			timer.Stop()
		}
		timerSet = ok
		l.queue.setIdle(l.isIdle())
		if timerSet || grace != nil {
			select {
			case <-l.queue.wake:
			case <-timer.C:
			case <-grace:
				graceOver = true
			}
		} else {
			<-l.queue.wake // most of the time that is all there is to wait for: what ends the run signals, too
		}
		if !ending && ctx.Err() != nil {
			end(ctx.Err())
		}
		if err, quit := l.state.quitting(); quit && !ending {
			end(err)
		}
		select {
		case o := <-mainDone:
			if o.panic != nil {
				panic(fmt.Sprintf("%v [in tui.App.Main]\n\n%s", o.panic, o.stack))
			}
			if mainEnded = true; !ending {
				end(o.err)
			}
		default:
		}
	}
}

// takeTurn paints a frame if it is due, and returns when it has to be called again.
func (l *loop) takeTurn(now time.Time) (next time.Time, ok bool) {
	if l.lent {
		return time.Time{}, false
	}
	l.updateFullScreen(now)
	switch l.resize.step(now) {
	case askCursor:
		if l.term != nil {
			l.term.ExpectCursor()
		}
		if err := l.canvas.Ask(); err != nil {
			l.fatalErr = err
		}
	case predictCursor:
		l.predictPlace()
		l.endResize()
	}
	if l.resize.phase != steady {
		return l.resize.deadline, true
	}
	if l.backlogged {
		return time.Time{}, false
	}
	if t, holds := l.holdForProof(now); holds {
		return t, true
	}
	l.armOverlay(now)
	if l.updateScene(now) {
		l.requestFrame(forced, "shown")
	}
	if t, ok := l.nextWake(); ok && !now.Before(t) {
		l.requestFrame(ordinary, "clock")
	}
	if due, ok := l.frameDue(now); ok && !now.Before(due) {
		if t := l.clocks.lastFrame.Add(readTime); l.frames.unread > 0 && now.Before(t) {
			return t, true
		}
		l.frames.unread = 0
		if l.term != nil && l.term.Behind() {
			l.backlogged = true // until Drained
			return time.Time{}, false
		}
		if l.checkSize(now) {
			return l.resize.deadline, true
		}
		more := l.paintFrame(now)
		end := time.Now()
		l.pace.noteFrame(now, end)
		l.startMeasuring(end)
		l.startProof(end)
		l.updateLiveSize()
		if more || l.chrome.fullScreen == nil && l.isCrowded() {
			l.requestFrame(forced, "rest")
		}
		now = end
	}
	if t, holds := l.holdForProof(now); holds {
		return t, true
	}
	next, ok = l.frameDue(now)
	if t, wakes := l.nextWake(); wakes && (!ok || t.Before(next)) {
		if earliest := l.pace.lastStart.Add(frameInterval); t.Before(earliest) {
			t = earliest // an animation has the ordinary pace
		}
		if !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	if o := l.state.topOverlay(); o != nil && !o.armed {
		t, set := o.armTime(l.input.lastKey)
		if !set {
			t = now.Add(frameInterval) // the terminal has not taken all of it
		}
		if !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	if o := l.state.topOverlay(); o != nil && o.scene.isWaiting() && !l.input.unfocused && l.isProven() {
		if t := now.Add(frameInterval); !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	return next, ok
}

// frameDue returns when the wanted frame may start; ok is false if none is wanted. Only when it
// could start does it count what the terminal has not taken yet. A size seldom changes once only,
// and a frame that is under way while it does may leave live rows in history: after a change frames
// have the longer pause.
func (l *loop) frameDue(now time.Time) (t time.Time, ok bool) {
	t, ok = l.pace.due(false)
	if !ok || now.Before(t) {
		return t, ok
	}
	resized := now.Before(l.clocks.lastResize.Add(resizingTime))
	if resized || l.term != nil && l.term.Backlog() > 0 {
		return l.pace.due(true)
	}
	return t, ok
}

// isIdle reports whether nothing has to be painted and nothing is under way, or another program has
// the terminal.
func (l *loop) isIdle() bool {
	// Another frame on the normal screen.
	due := l.chrome.fullScreen == nil && (l.frames.careful || l.frames.caretDrawn && !l.transcript.isStreaming())
	return l.lent || l.pace.wanted == notWanted && l.resize.phase == steady && !l.backlogged && !due &&
		(l.pictures == nil || !l.pictures.isBusy())
}

// nextWake returns when the next animation step is due.
func (l *loop) nextWake() (t time.Time, ok bool) {
	see := func(w time.Time) {
		if !w.IsZero() && (!ok || w.Before(t)) {
			t, ok = w, true
		}
	}
	if l.frames.careful && l.chrome.fullScreen == nil {
		see(l.clocks.lastResize.Add(carefulTime))
	}
	// A careful frame draws the caret whatever flows, until the clock above ends it.
	if l.frames.caretDrawn && !l.frames.careful && l.chrome.fullScreen == nil && !l.transcript.isStreaming() {
		see(l.clocks.lastFlow.Add(flowTime))
	}
	if l.measurement.awaited > 0 && l.needsProof() && l.proof.overlay != l.state.topOverlay() { // then it has failed
		see(l.measurement.deadline)
	}
	base, layers := l.visibleOverlays()
	for _, o := range layers {
		see(o.wakeAt)
	}
	for _, o := range l.state.beside {
		see(o.wakeAt)
	}
	if base != nil {
		see(base.wakeAt)
	}
	if l.chrome.fullScreen != nil {
		return t, ok
	}
	for _, b := range l.transcript.blocks {
		see(b.wakeAt)
	}
	if base == nil {
		see(l.chrome.footer.wakeAt)
	}
	return t, ok
}

// isCrowded reports whether more than four windows of final rows wait.
func (l *loop) isCrowded() bool { return l.transcript.leftRows+l.transcript.freshRows > 4*l.rows }

// applyOp does one operation.
func (l *loop) applyOp(o op) {
	switch o.kind {
	case opDo:
		l.runCallback(o.fn)
		l.markAllDirty()
		l.requestFrame(ordinary, "do")
	case opUpdate:
		l.runCallback(o.fn)
		l.transcript.applyOp(o, l.baseSpace(o.at))
		l.requestFrame(ordinary, "update")
	case opEvent:
		l.handleEvent(o.event, o.at)
	case opLine:
		l.lines.waiting = append(l.lines.waiting, o.text)
	case opQuiet:
		o.fn()
	case opShown, opFlush:
		l.frames.onShown = append(l.frames.onShown, o.fn)
		l.requestFrame(o.kind.frameUrgency(), "shown")
	case opGone:
		l.terminalLost(o.err)
	default:
		l.transcript.applyOp(o, l.baseSpace(o.at))
		if crowded := l.isCrowded(); crowded {
			l.queue.blockWriters()
			l.requestFrame(forced, "crowd")
		}
		l.requestFrame(ordinary, "write")
	}
}

// terminalLost handles the end of events: the terminal is gone, or a signal asks for an orderly
// end.
func (l *loop) terminalLost(err error) {
	var sig terminal.SignalError
	if !errors.As(err, &sig) || sig.Signal == syscall.SIGHUP {
		l.fatalErr = fmt.Errorf("tui: the terminal is gone: %w", err)
		return
	}
	err = fmt.Errorf("tui: %w", err)
	if sig.Signal == os.Interrupt {
		err = ErrInterrupted
	}
	l.state.quitWith(err)
}

// runCallback calls f as a callback, during which no writer waits.
func (l *loop) runCallback(f func()) {
	if f != nil {
		l.queue.enterCallback()
		f()
		l.queue.leaveCallback()
	}
}

// markAllDirty makes every View be called again: a callback may have changed any component.
func (l *loop) markAllDirty() {
	l.transcript.markLiveDirty()
	l.chrome.footer.dirty = true
	for _, o := range l.state.overlays {
		o.dirty = true
	}
	for _, o := range l.state.beside {
		o.dirty = true
	}
}

// baseSpace returns the space of components outside the transcript, without focus.
func (l *loop) baseSpace(now time.Time) Space {
	s := Space{Width: l.cols, Now: now, Native: l.settings.native, Theme: l.theme, Model: l.widthModel()}
	if l.pictures != nil {
		s.surface = &l.pictures.normal
	}
	return s
}

// widthModel returns the way in which the terminal measures text.
func (l *loop) widthModel() (m width.Model) {
	if m.Method = widthMethod(l.caps); m.Method == width.Wcwidth && l.measurement.succeeded {
		m = l.measurement.model
	}
	switch l.caps.Name {
	case "urxvt", "st": // 9.30; 0.9
		m.MarksWrap = true
	case "emacs": // 28.2 wraps by the number of characters that come at once
		m.MarksWrap = true
	}
	return m
}

// updateCaps applies what is known about the terminal now.
func (l *loop) updateCaps() {
	if c := l.term.Caps(); c != l.caps || l.theme == nil {
		l.caps = c
		l.theme = l.makeTheme()
		l.pictures.updateCaps(c, l.rows)
		if l.canvas != nil {
			l.canvas.SetModel(l.widthModel())
			l.canvas.SetSync(c.Sync)
			l.canvas.SetQuirks(quirksOf(c))
			l.canvas.SetLinks(c.Links)
			l.canvas.SetMarks(c.Marks)
		}
	}
}

// makeTheme returns the theme for the terminal as it is known now.
func (l *loop) makeTheme() *Theme {
	t := NewTheme(l.caps)
	if l.app.Theme != nil {
		l.runCallback(func() { t = l.app.Theme(l.caps) })
	}
	if l.settings.still {
		still := *t
		still.Glyphs.Spinner = []string{t.Glyphs.Tool}
		t = &still
	}
	return t
}
