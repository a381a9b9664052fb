// Package tcellhost shows full-screen programs made with tcell (or tview, which is made with it)
// inside a program of tui. The transcript stands behind the alternate screen as it was.
//
// It is the only package that needs tcell. The shell's own full screens do without it.
package tcellhost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/gdamore/tcell/v2/terminfo"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// ErrNoAltScreen is the error of Run if tcell would draw on the transcript: if the environment has
// TCELL_ALTSCREEN=disable, or if the terminal has no alternate screen.
var ErrNoAltScreen = errors.New("tcellhost: tcell would draw on the transcript: there is no alternate screen")

// fallback is the terminal type that is used if TERM is unknown. All current terminals understand
// it.
const fallback = "xterm-256color"

// Run lends the terminal to f with a tcell screen that is ready to draw on. It takes the terminal
// back when f returns or ctx ends. The end of ctx finishes the screen, so that PollEvent returns
// nil. f must not keep the screen. Run returns the error of f or of [tui.App.Lend], or
// [ErrNoAltScreen]. It may be called on any goroutine but app's loop.
func Run(ctx context.Context, app *tui.App, f func(tcell.Screen) error) error {
	env := app.Terminal.Env
	if env == nil {
		env = os.Getenv
	}
	if os.Getenv("TCELL_ALTSCREEN") == "disable" { // tcell itself looks nowhere else
		return ErrNoAltScreen
	}
	info, err := terminfo.LookupTerminfo(env("TERM"))
	if err != nil {
		if info, err = terminfo.LookupTerminfo(fallback); err != nil {
			return fmt.Errorf("tcellhost: %w", err)
		}
	}
	if !strings.Contains(info.EnterCA, altScreenEnter) {
		return ErrNoAltScreen
	}
	return app.Lend(ctx, func(l *terminal.Lent) error {
		t := newTTY(l, info.Clear)
		err := run(ctx, t, info, f)
		if t.fault != nil {
			err = t.fault
		}
		return err
	})
}

func run(ctx context.Context, t *tty, info *terminfo.Terminfo, f func(tcell.Screen) error) error {
	s, err := tcell.NewTerminfoScreenFromTtyTerminfo(t, info)
	if err == nil {
		err = s.Init()
	}
	if err != nil {
		return fmt.Errorf("tcellhost: %w", err)
	}
	defer s.Fini() // also when f panics
	defer context.AfterFunc(ctx, s.Fini)()
	return f(s)
}
