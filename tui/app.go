package tui

import (
	"context"
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// App is a program that runs on one terminal. The zero value is ready to use. Do not change its
// fields after the call of Run, and do not copy it.
type App struct {
	Footer  Component                       // shown below the transcript; use a Stack for several components
	Main    func(ctx context.Context) error // runs in a goroutine beside the loop; Run ends with its result
	OnEvent func(Event) (handled bool)      // gets the events that no component has handled
	// Theme returns the theme for a terminal; nil: [NewTheme]. It is called again when more is
	// known of the terminal, and by Restyle.
	Theme func(Caps) *Theme

	Resize ResizeMode // Resize says what happens to the terminal's history when the width changes.
	// Retain is the maximum number of bytes of the transcript that are stored, so that Resize can
	// write them again. 0 stores everything if Resize needs it, and otherwise nothing. A negative
	// number stores nothing.
	Retain int
	Images ImageBudget // limits on the images that the terminal stores, see Image
	// Native leaves the wrapping of [Prose] to the terminal. A paragraph is then one line when the
	// user copies it, and the terminal wraps it again when the window changes. Otherwise the rows
	// break between words.
	Native bool
	Still  bool // spinners are not animated
	Strict bool // never erases the terminal's history, whatever Resize says

	// LiveRows is the maximum number of rows at the bottom of the window that may still change: the
	// end of an answer and the footer. PaneRows is the same limit while an overlay replaces the
	// footer. The default of LiveRows is 12, or half of the window if that is less. The default of
	// PaneRows is half of the window, or 12 if that is more; for a second after a change of size it
	// is 12.
	//
	// foot and urxvt push the top rows into history when the window gets lower. For them the
	// defaults are lower: 8 rows for LiveRows, 6 to 12 for PaneRows, and 6 during that second.
	//
	// Live rows beyond the limit are shown once they are final. Larger numbers cost duplicates: a
	// window that shrinks pushes its top rows into history, and those that are not final are
	// written again later.
	LiveRows, PaneRows int

	// NeedsTerminal makes Run fail at once if there is no terminal. Its text is appended to the
	// error and says what the user can do instead, such as "use less to read a file". With "" the
	// App also works without a terminal.
	NeedsTerminal string

	Terminal terminal.Config // the zero value stands for the terminal of the process
	Input    io.Reader       // provides lines of input if there is no terminal; nil: os.Stdin
	Output   io.Writer       // gets the final rows as text if there is no terminal; nil: os.Stdout

	once         sync.Once
	state        *state
	openTerminal func(context.Context) (device, error) // replaces terminal.Open in tests; nil: terminal.Open
}

// Caps describes the capabilities of the terminal.
type Caps = terminal.Caps

// state holds the part of an App that exists before, during and after Run.
type state struct {
	queue        *queue
	transcript   Transcript
	stderrWriter ansiWriter    // the writer that App.Stderr returns
	ended        chan struct{} // closed when Run has ended

	mu sync.Mutex
	// Run was called
	ran bool
	// Quit was called
	quit       bool
	err        error         // the argument of the first Quit
	lendSlot   chan struct{} // holds one element while another program has the terminal, or is about to get it
	loop       *loop         // the loop of Run; nil before it
	liveSize   Pos           // result of App.LiveSize
	goroutines goroutines

	// overlays that can take keys, the topmost last
	overlays        []*overlay
	passiveOverlays []*overlay  // overlays with Place.Passive
	questions       []*question // the calls of Ask that wait for an answer, in order
	lastClick       Pos         // position of the last click, as if the live region ended in the last row
}

// getState returns the state of a. The first call creates it.
func (a *App) getState() *state {
	a.once.Do(func() {
		q := newQueue()
		a.state = &state{queue: q, transcript: Transcript{queue: q}, ended: make(chan struct{}),
			lendSlot: make(chan struct{}, 1)}
		a.state.stderrWriter.t = &a.state.transcript
	})
	return a.state
}

// Quit makes Run return err. Only the first call counts. It may be called on any goroutine, even
// before Run.
func (a *App) Quit(err error) { a.getState().quitWith(err) }

// quitWith makes Run return err, unless an earlier call has done so.
func (s *state) quitWith(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quit {
		s.quit, s.err = true, err
		s.queue.signal()
	}
}

// quitting returns whether Quit was called, and its error.
func (s *state) quitting() (err error, yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err, s.quit
}

// Transcript returns the App's transcript, always the same value. It may be called on any
// goroutine, even before Run.
func (a *App) Transcript() *Transcript { return &a.getState().transcript }

// Stderr returns a writer for messages, for example for log.SetOutput(app.Stderr()). Each line that
// is written to it becomes a line of the transcript. Colours are kept, as with [NewANSI]. All calls
// return the same writer. The end of Run writes an unfinished line. Stderr may be called on any
// goroutine, even before Run.
func (a *App) Stderr() io.Writer { return &a.getState().stderrWriter }

// Do queues f to be called on the loop, and requests a frame. It does not block. Functions are
// called in the order of the calls of Do. If Run has ended, Do drops f and returns false. It may be
// called on any goroutine.
func (a *App) Do(f func()) bool { return a.getState().queue.add(op{kind: opDo, fn: f}) }

// LiveSize returns the number of columns of the window, and the number of rows in which the end of
// the transcript can be shown above the footer while it may still change (see LiveRows). It returns
// 0, 0 without a terminal, and before the first frame; [App.WaitShown] waits for that frame. The
// result depends on the size of the window, not on a growing footer. When it changes every View is
// called again. LiveSize may be called on any goroutine.
func (a *App) LiveSize() (cols, rows int) {
	s := a.getState()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.liveSize.Col, s.liveSize.Row
}

// Restyle calls App.Theme again and redraws everything that is not final in the new theme: the
// footer, overlays, and the live rows of the transcript. Final rows keep the style in which they
// were written. Call Restyle on the loop (see Do) or before Run. Run itself calls App.Theme.
func (a *App) Restyle() {
	if l := a.getState().loop; l != nil {
		l.theme = l.makeTheme()
		l.markAllDirty()
		l.requestFrame(ordinary, "theme")
	}
}

// WaitShown waits until everything queued before the call is in a frame, and the final rows of that
// frame are queued for the terminal. It slows down programs that change blocks with [Block.Update]
// or [App.Do] faster than a screen can follow, since those do not block. It returns ctx.Err() if
// ctx ends first, ErrClosed if Run ends, or ErrOnLoop in a callback. It may be called on any
// goroutine but the loop.
func (a *App) WaitShown(ctx context.Context) error { return a.awaitFrame(ctx, opShown) }

// Flush waits like [App.WaitShown], but for a frame that is painted at once instead of at the
// ordinary pace. It is for programs that write much final text, such as an earlier conversation, at
// high speed. Keys are handled between the frames.
func (a *App) Flush(ctx context.Context) error { return a.awaitFrame(ctx, opFlush) }

// awaitFrame queues an operation of the given kind, which requests a frame, and waits until the
// frame is painted.
func (a *App) awaitFrame(ctx context.Context, kind opKind) error {
	s := a.getState()
	if s.onLoop() {
		return ErrOnLoop
	}
	done := make(chan struct{})
	if !s.queue.add(op{kind: kind, fn: func() { close(done) }}) {
		return ErrClosed
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return ErrClosed
	}
}

// Settled reports whether everything that was queued or read from the terminal has been handled and
// is on the screen. Animations do not count. It is for tests, and may be called on any goroutine.
// It also returns true while another program has the terminal, and after Run.
func (a *App) Settled() bool {
	s := a.getState()
	select {
	case <-s.ended: // what was queued for the terminal since then stays there
		return true
	default:
	}
	s.mu.Lock()
	l := s.loop
	s.mu.Unlock()
	return l != nil && s.queue.isIdle() && (l.term == nil || l.term.Backlog() == 0)
}

// Suspend lends the terminal to f, for example to run an editor or another full-screen program. It
// restores the terminal's modes before f and sets them again afterwards. Output of the App waits in
// the meantime. Without a terminal it only calls f. It returns the error of f. If f was not called,
// it returns ctx.Err(), ErrClosed or ErrOnLoop. It may be called on any goroutine but the loop.
func (a *App) Suspend(ctx context.Context, f func() error) error {
	return a.lendTo(ctx, func(*terminal.Lent) error { return f() })
}

// Lend suspends the App like Suspend, and passes the terminal device to f, for a full-screen
// library in the same program, see [terminal.Terminal.Lend]. Without a terminal it returns
// [terminal.ErrNotTerminal]. It may be called on any goroutine but the loop.
func (a *App) Lend(ctx context.Context, f func(*terminal.Lent) error) error {
	return a.lendTo(ctx, func(l *terminal.Lent) error {
		if l == nil {
			return terminal.ErrNotTerminal
		}
		return f(l)
	})
}

// lendTo calls f while the loop has released the terminal. Without a terminal the argument of f is
// nil.
func (a *App) lendTo(ctx context.Context, f func(*terminal.Lent) error) error {
	s := a.getState()
	if s.onLoop() {
		return ErrOnLoop
	}
	select {
	case s.lendSlot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return ErrClosed
	}
	defer func() { <-s.lendSlot }()
	var l *loop
	ready := make(chan struct{})
	ok := a.Do(func() {
		l = s.loop
		l.releaseScreen()
		close(ready)
	})
	if !ok {
		return ErrClosed
	}
	select {
	case <-ready:
	case <-s.ended:
		return ErrClosed
	}
	if l.term == nil {
		a.Do(l.reclaimScreen)
		return f(nil)
	}
	called := false
	err := l.term.Lend(ctx, func(lent *terminal.Lent) error {
		called = true
		return f(lent)
	})
	if !called { // then no Resumed comes
		a.Do(l.reclaimScreen)
	}
	return err
}
