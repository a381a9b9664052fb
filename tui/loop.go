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

// loop is the event loop of one run of an App. It takes queued operations and paints frames.
type loop struct {
	app        *App
	state      *state
	queue      *queue
	transcript *Transcript

	term       device // nil: there is no terminal
	canvas     canvas
	cols, rows int
	caps       Caps
	theme      *Theme
	fatalErr   error // the reason why the terminal is gone
	lent       bool  // another program has the terminal
	backlogged bool  // the terminal is too far behind, so that no frames are painted until the event Drained

	input    input
	clocks   clocks
	chrome   chrome
	frames   frames
	pictures *pictures // nil without a terminal
	pace     pace
	resize   resizing
	proof    proof // whether the terminal shows the overlay as it was sent

	measurement measurement // measures how wide the terminal draws certain characters

	// a change of size came so soon after a frame that the terminal may have read that frame after
	// it
	sizeRaced      bool
	sizeSeenEarly  bool // a change of size was noticed before its signal
	historyCols    int  // the width for which the rows in history were laid out
	measuredWindow Pos  // the window size for which LiveSize was computed

	inputLines inputLines // lines of standard input, without a terminal
	settings   settings
	redrawLog  *redrawLog // the log of SCROLLKEEP_DEBUG_REDRAW; nil: none
}

// input records when the user has typed, and whether the window has the focus.
type input struct {
	lastKey    time.Time // when the last key or paste was read
	lastTyping time.Time // when the last key or paste was read that continues a text; zero after Enter
	// Another window has the focus, according to the terminal. The user looks there, so that no
	// scene counts as shown.
	unfocused bool
}

// clocks holds the times of the latest events that decide when and how the next frame is painted.
type clocks struct {
	lastResize time.Time // the last sign of a change of size
	lastFrame  time.Time // the last ordinary frame
	lastCommit time.Time // rows became final
	lastFlow   time.Time // text was streamed, or rows became final several times in a short time
	lastRedraw time.Time // the last Ctrl+L
}

// chrome holds what is shown besides the transcript: the footer, the alternate screen, the caret
// and the mouse areas.
type chrome struct {
	footer      slot
	fullScreen  *fullScreen   // the overlay on the alternate screen; nil: none
	drawnCarets [2]drawnCaret // for the footer or the overlay that replaces it, and for an overlay above it
	caret       Pos           // position of the caret in the last frame
	mouse       mouse
}

// frames holds the results of earlier frames, and storage to reuse for the next one.
type frames struct {
	committedRows int // number of rows that were passed to the renderer as final
	commit, live  []Line
	seam          renderer.Seam
	writes        int // number of writes to the terminal
	unreadFrames  int // number of frames that the terminal has not confirmed to have read, see awaitsRead
	// The last frame was painted while the window's size was unsure, so that live rows may be cut.
	// The next one is due when that time is over.
	careful        bool
	caretDrawn     bool     // the last frame has drawn the caret instead of using the cursor
	shownCallbacks []func() // called when a frame includes everything that is queued
}

// serve runs the loop until the run must end. It returns the error of the run.
//
// Everything happens on this goroutine, one thing at a time: components, callbacks, rows from
// writers and terminal events, in the order of the queue. Other goroutines must not touch the loop
// or the components; they use the queue (App.Do, writers, Block.Update). A callback must not wait
// for the loop ([ErrOnLoop]). During a callback no writer blocks, so that a callback may write.
//
// Each round handles the queued operations twice, so that the frame also includes what a callback
// has queued. Then it paints at most one frame and waits for the queue or the next timer. Frames
// have to wait while the window's size settles, a proof is running, the terminal is behind, or
// another program has the terminal.
//
// The run ends when the context ends, at Quit, when Main returns, or when the terminal is gone.
// Except in the last case, Main and the goroutines of App.Go then have the time graceTime to
// finish. A program that has the terminal must give it back first.
func (l *loop) serve(ctx context.Context, cancel func(), mainDone <-chan mainOutcome) error {
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
		grace = time.After(graceTime)
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

// takeTurn paints a frame if one is due. It returns the time at which it must be called again; ok
// is false if there is no such time.
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
		if t := l.clocks.lastFrame.Add(readTimeout); l.frames.unreadFrames > 0 && now.Before(t) {
			return t, true
		}
		l.frames.unreadFrames = 0
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

// frameDue returns the time at which the requested frame may start. ok is false if no frame is
// requested. After a change of size, or while the terminal has not taken earlier output, the pause
// between frames is longer. A size often changes several times, and a frame written in between may
// leave live rows in history.
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

// isIdle reports whether there is nothing to paint and nothing in progress, or another program has
// the terminal.
func (l *loop) isIdle() bool {
	// Another frame on the normal screen.
	due := l.chrome.fullScreen == nil && (l.frames.careful || l.frames.caretDrawn && !l.transcript.isStreaming())
	return l.lent || l.pace.wanted == notWanted && l.resize.phase == steady && !l.backlogged && !due &&
		(l.pictures == nil || !l.pictures.isBusy())
}

// nextWake returns the time of the next animation step or other timer. ok is false if there is
// none.
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
	// Behind its deadline the measurement has failed.
	if l.measurement.awaitedReports > 0 && l.needsProof() && l.proof.overlay != l.state.topOverlay() {
		see(l.measurement.deadline)
	}
	base, layers := l.visibleOverlays()
	for _, o := range layers {
		see(o.wakeAt)
	}
	for _, o := range l.state.passiveOverlays {
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

// isCrowded reports whether more final rows wait to be written than four windows hold.
func (l *loop) isCrowded() bool { return l.transcript.unshownRows+l.transcript.freshRows > 4*l.rows }

// applyOp carries out a queued operation.
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
		l.inputLines.waiting = append(l.inputLines.waiting, o.text)
	case opQuiet:
		o.fn()
	case opShown, opFlush:
		l.frames.shownCallbacks = append(l.frames.shownCallbacks, o.fn)
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

// terminalLost handles the end of terminal events: the terminal is gone, or a signal requests an
// orderly end.
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

// runCallback calls f as a callback, so that writers do not block during f. It does nothing if f is
// nil.
func (l *loop) runCallback(f func()) {
	if f != nil {
		l.queue.enterCallback()
		f()
		l.queue.leaveCallback()
	}
}

// markAllDirty makes the next frame call every View again, since a callback may have changed any
// component.
func (l *loop) markAllDirty() {
	l.transcript.markLiveDirty()
	l.chrome.footer.dirty = true
	for _, o := range l.state.overlays {
		o.dirty = true
	}
	for _, o := range l.state.passiveOverlays {
		o.dirty = true
	}
}

// baseSpace returns the Space of components outside the transcript, without the focus.
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

// updateCaps applies the terminal's capabilities if they have changed.
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

// makeTheme returns the theme for the terminal as far as it is known.
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
