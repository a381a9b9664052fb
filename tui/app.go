package tui

import (
	"context"
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// App is one program on one terminal. The zero value works; fields are not changed after Run was called.
type App struct {
	Footer  Component                       // below the transcript; a Stack for several
	Main    func(ctx context.Context) error // runs beside the loop; its return ends Run, with its error
	OnEvent func(Event) (handled bool)      // what nobody else handled
	Theme   func(Caps) *Theme               // nil: NewTheme; called again when the terminal's appearance changes

	Terminal terminal.Config // the zero value is the process's terminal
	Input    io.Reader       // lines, when there is no terminal; nil: os.Stdin
	Output   io.Writer       // plain rows, when there is no terminal; nil: os.Stdout
}

// Caps is what the terminal can do.
type Caps = terminal.Caps

// Run owns the terminal until ctx ends, Quit is called or Main returns; then every row is final and written. Without a terminal (or with
// TERM=dumb) it writes final rows as plain text and hands the lines of Input to the [Submitter] in Footer; their end ends Run too, if there
// is no Main. A panic in a callback or in Main restores the terminal and goes on. Run is called once.
func (a *App) Run(ctx context.Context) error { return nil }

// Quit ends Run, which returns err. The first call counts. Any goroutine, also before Run.
func (a *App) Quit(err error) {}

// Transcript is what was said: always the same value. Any goroutine, also before Run.
func (a *App) Transcript() *Transcript { return nil }

// Do queues f and asks for a frame; it never waits and keeps the order. False: Run has ended, f is dropped. Any goroutine.
func (a *App) Do(f func()) bool { return false }

// Suspend gives the terminal to f (an editor, a full-screen program): modes restored before, set again after; writes queue up meanwhile.
// Any goroutine but the loop.
func (a *App) Suspend(ctx context.Context, f func() error) error { return nil }

// Place says where an overlay goes; the zero value is the bottom, full width. Width and Height are in columns and rows, 0 for all. Replace:
// instead of Footer, so that no row is covered. Quiet: until it was painted and no key came for this long, keys go to Footer.
type Place struct {
	Width, Height int
	Top, Replace  bool
	Quiet         time.Duration
}

// Overlay shows c, never in history, with the focus, until the func that it returns is called (idempotent). An event that c does not handle
// goes on to Footer and OnEvent. For the loop (see Do) or before Run, as is the func.
func (a *App) Overlay(c Component, p Place) (remove func()) { return func() {} }

// Ask shows a component and waits for its first done; later calls are dropped. Asks are shown one by one, in order. It returns ctx.Err()
// if that comes first, ErrClosed if Run ends. show and what it returns belong to the loop, done to any goroutine. Any goroutine but the loop.
func Ask[T any](ctx context.Context, a *App, p Place, show func(done func(T)) Component) (t T, err error) {
	return t, err
}
