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
	app   *App
	state *state
	q     *queue
	t     *Transcript

	term       device // nil: there is none
	out        canvas
	cols, rows int
	caps       Caps
	theme      *Theme
	gone       error // the terminal is
	away       bool  // the terminal is given to another program
	stalled    bool  // too much is not taken by the terminal

	input  input
	clocks clocks
	chrome chrome
	frames frames
	pics   *pictures // nil without a terminal
	pace   pace
	resize resizing
	proof  proof // of what an overlay shows

	raced    bool // a change of size came so shortly after a frame that this may have been late
	early    bool // a change of size was seen before its signal
	laid     int  // columns for which history was written
	measured Pos  // the size of the window that Room is of

	lines lines // without a terminal
	set   settings
	log   *redrawLog // nil: none
}

// input is what is known of whoever types.
type input struct {
	lastKey time.Time // when the last key or paste was read
	typed   time.Time // when one was that goes on with a text; zero after Enter
	// elsewhere: another window has the keyboard, as far as the terminal has told. A person looks
	// there, so no scene stands.
	elsewhere bool
}

// clocks are the last times of what the loop goes by.
type clocks struct {
	sized   time.Time // the last sign of a resize
	sent    time.Time // the last ordinary frame
	handed  time.Time // rows became final
	flowed  time.Time // text streamed, or rows became final again and again
	redrawn time.Time // the last Ctrl+L
}

// chrome is what is shown besides the transcript.
type chrome struct {
	footer slot
	full   *fullScreen   // while an overlay has the alternate screen
	drawn  [2]drawnCaret // in the footer or what replaces it, and in an overlay
	caret  Pos           // of the last frame
	mouse  mouse
}

// frames is what became of the frames so far, and storage for the next one.
type frames struct {
	base         int // rows handed over as final
	commit, live []Line
	seam         renderer.Seam
	wrote        int      // writes
	unread       int      // of whom nothing says yet that the terminal has read them, see tracks
	careful      bool     // the last one was: its live rows may be cut, the next one is due when that time is over
	rested       bool     // the last one has drawn the caret for that
	shown        []func() // to be called when one has taken all that there is
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
func (l *loop) serve(ctx context.Context, cancel func(), done <-chan outcome) error {
	var (
		timer  = time.NewTimer(time.Hour)
		grace  <-chan time.Time // runs while Main and others say their last words
		armed  = true           // timer
		result error
		ending bool
		over   = l.app.Main == nil // it has ended
		late   bool                // grace is over
	)
	defer timer.Stop()
	defer context.AfterFunc(ctx, l.q.signal)()
	end := func(err error) {
		ending, result = true, err
		cancel()
		grace = time.After(mainTime)
	}
	for {
		for range 2 {
			// What a callback queues is in the frame that it asks for: a line that was sent does
			// not vanish until the next one.
			for _, o := range l.q.take() {
				l.apply(o)
			}
		}
		if l.term == nil {
			l.feed()
		}
		if l.gone != nil {
			return l.gone
		}
		// A program that has the terminal gives it back first.
		if ending && (late || over && !l.state.works()) && !l.away {
			return result
		}
		now := time.Now()
		next, ok := l.turn(now)
		if l.gone != nil {
			return l.gone
		}
		if ok {
			timer.Reset(max(next.Sub(now), 0))
		} else if armed {
			timer.Stop()
		}
		armed = ok
		l.q.rest(l.idle())
		if armed || grace != nil {
			select {
			case <-l.q.wake:
			case <-timer.C:
			case <-grace:
				late = true
			}
		} else {
			<-l.q.wake // most of the time that is all there is to wait for: what ends the run signals, too
		}
		if !ending && ctx.Err() != nil {
			end(ctx.Err())
		}
		if err, quit := l.state.quitting(); quit && !ending {
			end(err)
		}
		select {
		case o := <-done:
			if o.panic != nil {
				panic(fmt.Sprintf("%v [in tui.App.Main]\n\n%s", o.panic, o.stack))
			}
			if over = true; !ending {
				end(o.err)
			}
		default:
		}
	}
}

// turn paints if it is time and returns when it wants to be called again.
func (l *loop) turn(now time.Time) (next time.Time, ok bool) {
	if l.away {
		return time.Time{}, false
	}
	l.fullness(now)
	switch l.resize.step(now) {
	case ask:
		if l.term != nil {
			l.term.ExpectCursor()
		}
		if err := l.out.Ask(); err != nil {
			l.gone = err
		}
	case predict:
		l.predict()
		l.settled()
	}
	if l.resize.phase != steady {
		return l.resize.at, true
	}
	if l.stalled {
		return time.Time{}, false
	}
	if t, holds := l.proving(now); holds {
		return t, true
	}
	l.arm(now)
	if l.stand(now) {
		l.want(forced, "shown")
	}
	if t, ok := l.wake(); ok && !now.Before(t) {
		l.want(ordinary, "clock")
	}
	if due, ok := l.pace.due(); ok && !now.Before(due) {
		if t := l.clocks.sent.Add(readTime); l.frames.unread > 0 && now.Before(t) {
			return t, true
		}
		l.frames.unread = 0
		if l.term != nil && l.term.Behind() {
			l.stalled = true // until Drained
			return time.Time{}, false
		}
		if l.sizeChanged(now) {
			return l.resize.at, true
		}
		more := l.paint(now)
		end := time.Now()
		l.pace.painted(now, end)
		l.check(end)
		l.measure()
		if more || l.chrome.full == nil && l.crowded() {
			l.want(forced, "rest")
		}
		now = end
	}
	if t, holds := l.proving(now); holds {
		return t, true
	}
	next, ok = l.pace.due()
	if t, wakes := l.wake(); wakes && (!ok || t.Before(next)) {
		if earliest := l.pace.last.Add(frameInterval); t.Before(earliest) {
			t = earliest // an animation has the ordinary pace
		}
		if !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	if o := l.state.top(); o != nil && !o.armed {
		t, set := o.arming(l.input.lastKey)
		if !set {
			t = now.Add(frameInterval) // the terminal has not taken all of it
		}
		if !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	if o := l.state.top(); o != nil && o.stands.waits() && !l.input.elsewhere && l.believed() {
		if t := now.Add(frameInterval); !ok || t.Before(next) {
			next, ok = t, true
		}
	}
	return next, ok
}

// idle reports whether there is nothing to paint and nothing under way, or another program has the
// terminal.
func (l *loop) idle() bool {
	// Another frame on the normal screen.
	due := l.chrome.full == nil && (l.frames.careful || l.frames.rested && !l.t.streams())
	return l.away || l.pace.want == idle && l.resize.phase == steady && !l.stalled && !due &&
		(l.pics == nil || !l.pics.busy())
}

// wake returns when the first of the animations goes on.
func (l *loop) wake() (t time.Time, ok bool) {
	see := func(w time.Time) {
		if !w.IsZero() && (!ok || w.Before(t)) {
			t, ok = w, true
		}
	}
	if l.frames.careful && l.chrome.full == nil {
		see(l.clocks.sized.Add(carefulTime))
	}
	// A careful frame draws the caret whatever flows, until the clock above ends it.
	if l.frames.rested && !l.frames.careful && l.chrome.full == nil && !l.t.streams() {
		see(l.clocks.flowed.Add(flowTime))
	}
	if o := l.state.top(); o != nil {
		see(o.wake)
	}
	if l.chrome.full != nil {
		return t, ok
	}
	for _, b := range l.t.blocks {
		see(b.wake)
	}
	if !l.replaced() {
		see(l.chrome.footer.wake)
	}
	return t, ok
}

// arm looks whether the overlay on top has been quiet for long enough.
func (l *loop) arm(now time.Time) {
	o := l.state.top()
	if o == nil || o.armed || !o.made {
		return
	}
	if o.painted.IsZero() && (l.term == nil || l.term.Backlog() == 0) {
		o.painted = now
	}
	if o.arm(now, l.input.lastKey) {
		l.want(forced, "armed") // it may show that it is armed
	}
}

// stand looks since when the terminal has shown the scene of the overlay on top, and reports
// whether that has changed. While the window has not the keyboard it shows none.
func (l *loop) stand(now time.Time) bool {
	o := l.state.top()
	if o == nil || l.input.elsewhere {
		return false
	}
	all, even := now, o.stands.sent
	switch {
	case l.term == nil:
	case l.unproven() != "":
		return o.stands.lose()
	case !l.believed():
		return false
	default:
		all, even = l.term.CaughtUp()
	}
	return o.stands.look(all, even)
}

// unseen says that rows of the window may have gone out of sight: no scene stands.
func (l *loop) unseen() {
	for _, o := range l.state.overlays {
		if o.stands.scene != "" {
			l.want(ordinary, "unseen")
		}
		o.stands = standing{}
	}
	l.forgetProof()
}

// crowded reports whether more than four windows of final rows wait.
func (l *loop) crowded() bool { return l.t.left+l.t.fresh > 4*l.rows }

// apply does one operation.
func (l *loop) apply(o op) {
	switch o.kind {
	case opDo:
		l.call(o.f)
		l.touch()
		l.want(ordinary, "do")
	case opUpdate:
		l.call(o.f)
		l.t.apply(o, l.space(o.at))
		l.want(ordinary, "update")
	case opEvent:
		l.event(o.event, o.at)
	case opLine:
		l.lines.waiting = append(l.lines.waiting, o.note)
	case opQuiet:
		o.f()
	case opShown, opFlush:
		l.frames.shown = append(l.frames.shown, o.f)
		l.want(o.kind.urgency(), "shown")
	case opGone:
		l.lost(o.err)
	default:
		l.t.apply(o, l.space(o.at))
		if crowded := l.crowded(); crowded {
			l.q.crowd()
			l.want(forced, "crowd")
		}
		l.want(ordinary, "write")
	}
}

// lost deals with the end of events: the terminal is gone, or a signal asks for an orderly end.
func (l *loop) lost(err error) {
	var sig terminal.SignalError
	if !errors.As(err, &sig) || sig.Signal == syscall.SIGHUP {
		l.gone = fmt.Errorf("tui: the terminal is gone: %w", err)
		return
	}
	err = fmt.Errorf("tui: %w", err)
	if sig.Signal == os.Interrupt {
		err = ErrInterrupted
	}
	l.state.stop(err)
}

func (l *loop) call(f func()) {
	if f != nil {
		l.q.enter()
		f()
		l.q.leave()
	}
}

// touch makes every component be asked: a callback may have changed any of them.
func (l *loop) touch() {
	l.t.touch()
	l.chrome.footer.dirty = true
	for _, o := range l.state.overlays {
		o.dirty = true
	}
}

// space returns the space of components outside the transcript, without focus.
func (l *loop) space(now time.Time) Space {
	s := Space{Width: l.cols, Now: now, Native: l.set.native, Theme: l.theme, Model: l.model()}
	if l.pics != nil {
		s.pics = &l.pics.normal
	}
	return s
}

func (l *loop) model() (m width.Model) {
	m.Method, m.MarksWrap = measure(l.caps), l.caps.Name == "urxvt" // 9.30, measured
	return m
}

// learn takes over what is known about the terminal now.
func (l *loop) learn() {
	if c := l.term.Caps(); c != l.caps || l.theme == nil {
		l.caps = c
		l.theme = l.newTheme()
		l.pics.learn(c, l.rows)
		if l.out != nil {
			l.out.SetModel(l.model())
			l.out.SetSync(c.Sync)
			l.out.SetQuirks(quirksOf(c))
			l.out.SetLinks(c.Links)
			l.out.SetMarks(c.Marks)
		}
	}
}

func (l *loop) newTheme() *Theme {
	t := NewTheme(l.caps)
	if l.app.Theme != nil {
		l.call(func() { t = l.app.Theme(l.caps) })
	}
	if l.set.still {
		still := *t
		still.Glyphs.Spinner = []string{t.Glyphs.Tool}
		t = &still
	}
	return t
}
