package tui

import (
	"context"
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// App is one program on one terminal. The zero value works; fields are not changed after Run was
// called. An App is not copied.
type App struct {
	Footer  Component                       // below the transcript; a Stack for several
	Main    func(ctx context.Context) error // runs beside the loop; its return ends Run, with its error
	OnEvent func(Event) (handled bool)      // what nobody else handled
	Theme   func(Caps) *Theme               // nil: NewTheme; asked again when more is known, and by Restyle

	Resize ResizeMode // what becomes of history at a new width
	// Bytes of the transcript that are kept for a replay; 0: all if Resize needs them, else none;
	// below 0: none.
	Retain int
	Images ImageBudget // pictures that the terminal keeps, see Image
	// Prose fills its rows and the terminal wraps it, so that a paragraph is one line when it is
	// copied and is wrapped anew with the window; else it breaks at words.
	Native bool
	Still  bool // spinners do not turn
	Strict bool // the terminal's saved lines are never erased, whatever Resize says

	// LiveRows is the most rows at the bottom of the window that are not final: the end of an
	// answer and the footer. 0 is 12, or half of the window if that is less. PaneRows is the same
	// while an overlay stands in the footer's place; 0 is half of the window, or 12 if that is
	// more, and for a second after a change of size 12 in any case. In foot and urxvt, where a
	// window that gets lower takes into history what it has no room for, 0 is less: 8 rows, and 6
	// to 12, and 6 for that second. What has no room is shown when it is final. Larger numbers cost
	// copies: a window that gets smaller pushes the upper rows into history, and what is not final
	// is written again.
	LiveRows, PaneRows int

	Terminal terminal.Config // the zero value is the process's terminal
	Input    io.Reader       // lines, when there is no terminal; nil: os.Stdin
	Output   io.Writer       // plain rows, when there is no terminal; nil: os.Stdout

	once  sync.Once
	state *state
	open  func(context.Context) (device, error) // nil: terminal.Open; for tests
}

// Caps is what the terminal can do.
type Caps = terminal.Caps

// state is what an App has before, while and after it runs.
type state struct {
	q      *queue
	t      Transcript
	stderr ansiWriter    // App.Stderr
	ended  chan struct{} // Run has ended

	mu    sync.Mutex
	ran   bool
	quit  bool
	err   error         // of the first Quit
	give  chan struct{} // holds one while another program has the terminal, or is about to
	loop  *loop         // of Run
	room  Pos           // Room: columns and rows
	going going

	// What follows belongs to the loop.
	overlays []*overlay
	asks     []*question
}

func (a *App) get() *state {
	a.once.Do(func() {
		q := newQueue()
		a.state = &state{q: q, t: Transcript{q: q}, ended: make(chan struct{}), give: make(chan struct{}, 1)}
		a.state.stderr.t = &a.state.t
	})
	return a.state
}

// Quit ends Run, which returns err. The first call counts. Any goroutine, also before Run.
func (a *App) Quit(err error) { a.get().stop(err) }

func (s *state) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quit {
		s.quit, s.err = true, err
		s.q.signal()
	}
}

// quitting reports whether Quit was called, and with what.
func (s *state) quitting() (err error, yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err, s.quit
}

// Transcript returns what was said: always the same value. Any goroutine, also before Run.
func (a *App) Transcript() *Transcript { return &a.get().t }

// Stderr is for messages, as in log.SetOutput(app.Stderr()): each line that is written to it is one
// of the transcript, with its colours, as [NewANSI] makes it. It is always the same writer and is
// not closed; what is unfinished at the end of Run is written then. Any goroutine, also before Run.
func (a *App) Stderr() io.Writer { return &a.get().stderr }

// Do queues f and asks for a frame; it never waits and keeps the order. False: Run has ended, f is
// dropped. Any goroutine.
func (a *App) Do(f func()) bool { return a.get().q.add(op{kind: opDo, f: f}) }

// Room returns how many columns the window has, and how many rows the end of the transcript has
// above the footer while it may still change (see LiveRows): 0, 0 without a terminal, and before
// the first frame ([App.Shown] waits for it). It follows the window, not a footer that grows: a
// View is asked anew when it changes. Any goroutine.
func (a *App) Room() (cols, rows int) {
	s := a.get()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room.Col, s.room.Row
}

// Restyle asks App.Theme anew and draws what is live in what it says: the footer, overlays, and the
// rows of the transcript that are not final. Final rows stay as they were written, on the screen
// and in history. For the loop (see Do), or before Run, which asks by itself.
func (a *App) Restyle() {
	if l := a.get().loop; l != nil {
		l.theme = l.newTheme()
		l.touch()
		l.want(ordinary, "theme")
	}
}

// Shown waits until all that was queued before is in a frame, and its final rows are handed over:
// for programs that change blocks by [Block.Update] or [App.Do], which never wait, faster than a
// screen can follow. It returns ctx.Err(), ErrClosed when Run has ended, or ErrOnLoop. Any
// goroutine but the loop.
func (a *App) Shown(ctx context.Context) error { return a.awaitFrame(ctx, opShown) }

// Flush is [App.Shown] at once, not a frame's time after the last frame: for programs that replay
// what is final, such as a conversation that goes on. Frames still take half of a core at most, and
// keys are taken between them.
func (a *App) Flush(ctx context.Context) error { return a.awaitFrame(ctx, opFlush) }

// awaitFrame waits for the frame that kind asks for.
func (a *App) awaitFrame(ctx context.Context, kind opKind) error {
	s := a.get()
	if s.onLoop() {
		return ErrOnLoop
	}
	done := make(chan struct{})
	if !s.q.add(op{kind: kind, f: func() { close(done) }}) {
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

// Settled reports whether all that was handed over, or read from the terminal, has been dealt with
// and is on the screen; animations do not count. Also true while another program has the terminal,
// and after Run. Any goroutine; for tests.
func (a *App) Settled() bool {
	s := a.get()
	select {
	case <-s.ended: // what was queued for the terminal since then stays there
		return true
	default:
	}
	s.mu.Lock()
	l := s.loop
	s.mu.Unlock()
	return l != nil && s.q.rests() && (l.term == nil || l.term.Backlog() == 0)
}

// Suspend gives the terminal to f (an editor, a full-screen program): modes restored before, set
// again after; writes queue up meanwhile. Without a terminal it only calls f. It returns f's error,
// or ctx.Err(), ErrClosed or ErrOnLoop if f was not called. Any goroutine but the loop.
func (a *App) Suspend(ctx context.Context, f func() error) error {
	return a.lend(ctx, func(*terminal.Lent) error { return f() })
}

// Lend is Suspend for a full-screen library inside of this program, which gets the device, see
// [terminal.Terminal.Lend]. Without a terminal the error is [terminal.ErrNotTerminal]. Any
// goroutine but the loop.
func (a *App) Lend(ctx context.Context, f func(*terminal.Lent) error) error {
	return a.lend(ctx, func(l *terminal.Lent) error {
		if l == nil {
			return terminal.ErrNotTerminal
		}
		return f(l)
	})
}

// lend calls f with the device, nil without a terminal, while the loop rests.
func (a *App) lend(ctx context.Context, f func(*terminal.Lent) error) error {
	s := a.get()
	if s.onLoop() {
		return ErrOnLoop
	}
	select {
	case s.give <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return ErrClosed
	}
	defer func() { <-s.give }()
	var l *loop
	ready := make(chan struct{})
	ok := a.Do(func() {
		l = s.loop
		l.letGo()
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
		a.Do(l.takeBack)
		return f(nil)
	}
	called := false
	err := l.term.Lend(ctx, func(lent *terminal.Lent) error {
		called = true
		return f(lent)
	})
	if !called { // then no Resumed comes
		a.Do(l.takeBack)
	}
	return err
}
