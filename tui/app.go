package tui

import (
	"context"
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// App is one program on one terminal. The zero value works. Its fields are not changed after Run
// was called, and it is not copied.
type App struct {
	Footer  Component                       // below the transcript; a Stack for several
	Main    func(ctx context.Context) error // runs beside the loop; its return ends Run, with its error
	OnEvent func(Event) (handled bool)      // takes the events that nobody else handled
	// Nil: NewTheme; called again when more is known of the terminal, and by Restyle.
	Theme func(Caps) *Theme

	Resize ResizeMode // what happens to history at a new width
	// Bytes of the transcript that are stored for a replay; 0: all if Resize needs them, else none;
	// below 0: none.
	Retain int
	Images ImageBudget // limits of the pictures in the terminal, see Image
	// Prose fills its rows and the terminal wraps it, so that a paragraph is one line when it is
	// copied, and is wrapped again with the window. Else it breaks at words.
	Native bool
	Still  bool // spinners do not turn
	Strict bool // the terminal's saved lines are never erased, whatever Resize says

	// LiveRows is the most rows at the bottom of the window that are not final: the end of an
	// answer and the footer. 0 is 12, or half of the window if that is less. PaneRows is the same
	// while an overlay stands in the footer's place. 0 is half of the window, or 12 if that is
	// more; for a second after a change of size it is 12.
	//
	// foot and urxvt push the upper rows of a window that gets lower into history. There 0 is less:
	// 8 rows for LiveRows, 6 to 12 for PaneRows, and 6 for that second.
	//
	// A live row that does not fit is shown when it is final. Larger numbers cost copies: a window
	// that gets smaller pushes the upper rows into history, and those that are not final are
	// written again.
	LiveRows, PaneRows int

	// The program needs a terminal: without one Run returns at once an error that says so and then
	// this, what else a person can do, as in "use less to read a file". "": it works without.
	NeedsTerminal string

	Terminal terminal.Config // the zero value is the process's terminal
	Input    io.Reader       // source of lines, when there is no terminal; nil: os.Stdin
	Output   io.Writer       // gets plain rows, when there is no terminal; nil: os.Stdout

	once         sync.Once
	state        *state
	openTerminal func(context.Context) (device, error) // nil: terminal.Open; for tests
}

// Caps is what the terminal can do.
type Caps = terminal.Caps

// state holds the values of an App before, while and after it runs.
type state struct {
	queue        *queue
	transcript   Transcript
	stderrWriter ansiWriter    // what App.Stderr returns
	ended        chan struct{} // Run has ended

	mu         sync.Mutex
	ran        bool
	quit       bool
	err        error         // of the first Quit
	lending    chan struct{} // holds one element while another program has the terminal, or is about to
	loop       *loop         // of Run
	liveSize   Pos           // see App.LiveSize
	goroutines goroutines

	// The fields below belong to the loop.
	overlays []*overlay // that take keys, the uppermost last
	beside   []*overlay // with Place.Passive
	asks     []*question
	pointer  Pos // where the last click was, as if the live region ended in the last row
}

// getState returns the state, which the first call makes.
func (a *App) getState() *state {
	a.once.Do(func() {
		q := newQueue()
		a.state = &state{queue: q, transcript: Transcript{queue: q}, ended: make(chan struct{}),
			lending: make(chan struct{}, 1)}
		a.state.stderrWriter.t = &a.state.transcript
	})
	return a.state
}

// Quit ends Run, which returns err. Only the first call counts. Any goroutine, even before Run.
func (a *App) Quit(err error) { a.getState().quitWith(err) }

// quitWith notes that Run has to end with err, if no earlier call did.
func (s *state) quitWith(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quit {
		s.quit, s.err = true, err
		s.queue.signal()
	}
}

// quitting reports whether Quit was called, and its error.
func (s *state) quitting() (err error, yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err, s.quit
}

// Transcript returns the transcript, always the same value. Any goroutine, even before Run.
func (a *App) Transcript() *Transcript { return &a.getState().transcript }

// Stderr returns a writer for messages, as in log.SetOutput(app.Stderr()). Each line that is
// written to it becomes one of the transcript, with its colours, as with [NewANSI]. It is always
// the same writer and is not closed. An unfinished line is written at the end of Run. Any
// goroutine, even before Run.
func (a *App) Stderr() io.Writer { return &a.getState().stderrWriter }

// Do queues f and asks for a frame. It never waits, and the order is kept. It returns false, and
// drops f, if Run has ended. Any goroutine.
func (a *App) Do(f func()) bool { return a.getState().queue.add(op{kind: opDo, fn: f}) }

// LiveSize returns the columns of the window, and the rows that the end of the transcript has above
// the footer while it may still change (see LiveRows). It returns 0, 0 without a terminal, and
// before the first frame ([App.WaitShown] waits for it). It follows the window, not a footer that
// grows. When it changes each View is called again. Any goroutine.
func (a *App) LiveSize() (cols, rows int) {
	s := a.getState()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.liveSize.Col, s.liveSize.Row
}

// Restyle calls App.Theme again and draws everything that is not final in that theme: the footer,
// overlays, and the live rows of the transcript. Final rows stay as they were written, on the
// screen and in history. For the loop (see Do), or before Run, which calls App.Theme itself.
func (a *App) Restyle() {
	if l := a.getState().loop; l != nil {
		l.theme = l.makeTheme()
		l.markAllDirty()
		l.requestFrame(ordinary, "theme")
	}
}

// WaitShown waits until everything that was queued before is in a frame, and its final rows are
// handed over. It is for programs that change blocks by [Block.Update] or [App.Do], which never
// wait, faster than a screen can follow. It returns ctx.Err(), ErrClosed when Run has ended, or
// ErrOnLoop. Any goroutine but the loop.
func (a *App) WaitShown(ctx context.Context) error { return a.awaitFrame(ctx, opShown) }

// Flush waits, as [App.WaitShown] does, for a frame that comes at once and not a frame's time after
// the last one, however much that cost. It is for programs that replay final text, such as an
// earlier conversation. Keys are taken between frames, so that they wait for one of them at most.
func (a *App) Flush(ctx context.Context) error { return a.awaitFrame(ctx, opFlush) }

// awaitFrame waits for the frame that kind asks for.
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

// Settled reports whether everything that was queued, or read from the terminal, has been handled
// and is on the screen. Animations do not count. It also returns true while another program has the
// terminal, and after Run. Any goroutine; for tests.
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

// Suspend gives the terminal to f (an editor, a full-screen program). The modes are restored before
// and set again after; writes queue up in between. Without a terminal it only calls f. It returns
// f's error, or ctx.Err(), ErrClosed or ErrOnLoop if f was not called. Any goroutine but the loop.
func (a *App) Suspend(ctx context.Context, f func() error) error {
	return a.lendTo(ctx, func(*terminal.Lent) error { return f() })
}

// Lend suspends the program, as Suspend does, for a full-screen library inside of this program,
// which gets the device, see [terminal.Terminal.Lend]. Without a terminal the error is
// [terminal.ErrNotTerminal]. Any goroutine but the loop.
func (a *App) Lend(ctx context.Context, f func(*terminal.Lent) error) error {
	return a.lendTo(ctx, func(l *terminal.Lent) error {
		if l == nil {
			return terminal.ErrNotTerminal
		}
		return f(l)
	})
}

// lendTo calls f with the device, nil without a terminal, while the loop waits.
func (a *App) lendTo(ctx context.Context, f func(*terminal.Lent) error) error {
	s := a.getState()
	if s.onLoop() {
		return ErrOnLoop
	}
	select {
	case s.lending <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return ErrClosed
	}
	defer func() { <-s.lending }()
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
