// Package trial runs an example in the surroundings that a program meets: large and small windows,
// changes of size, no colour, no terminal, and callbacks that panic.
package trial

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// Play describes what a user does with a program, and the expected results.
type Play struct {
	// Do lists the user's actions: a key by its name, "<enter>", a time that passes, "+1s", or a
	// text that is typed.
	Do   []string
	Rows []string // expected lines of history and grid at the end, as a user would copy them
	Err  error    // expected error of Run in a terminal; nil: none

	Lines    string // lines of input without a terminal
	Text     string // expected output without a terminal
	PlainErr error  // expected error of Run without a terminal; nil: none
}

// Run plays p with a program in several environments: in terminals, without one, and with panics.
// Each is a subtest.
func Run(t *testing.T, program func() *tui.App, p Play) {
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		for _, resizes := range []bool{false, true} {
			for _, noColor := range []string{"", "1"} {
				name := fmt.Sprintf("%dx%d", size[0], size[1])
				if resizes {
					name += " with resizes"
				}
				if noColor != "" {
					name += " without colour"
				}
				bubble(t, name, func(t *testing.T) {
					p.playInTerminal(t, program(), size[0], size[1], resizes, noColor)
				})
			}
		}
	}
	bubble(t, "TERM=dumb", func(t *testing.T) { p.playWithoutTerminal(t, program()) })
	for name, wound := range panicInjections {
		bubble(t, "a panic in "+name, func(t *testing.T) { playPanic(t, program(), wound) })
	}
}

func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// colourSequence matches an SGR sequence that sets a colour.
var colourSequence = regexp.MustCompile(`\x1b\[([0-9;:]*;)?([34][0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m`)

// playInTerminal plays p in a terminal window.
func (p Play) playInTerminal(t *testing.T, app *tui.App, cols, rows int, resizes bool, noColor string) {
	s := tuitest.Start(t, app, tuitest.Config{Cols: cols, Rows: rows, Before: "$ program\n",
		Env: map[string]string{"NO_COLOR": noColor}})
	for i, do := range p.Do {
		if resizes {
			sizes := [][2]int{{cols - 13, rows}, {cols, rows - 3}, {cols + 9, rows + 4}, {cols, rows}}
			s.Resize(sizes[i%4][0], sizes[i%4][1])
		}
		key, isKey := strings.CutPrefix(do, "<")
		wait, isTime := strings.CutPrefix(do, "+")
		switch {
		case isKey:
			s.Press(strings.TrimSuffix(key, ">"))
		case isTime:
			d, err := time.ParseDuration(wait)
			if err != nil {
				t.Fatal(err)
			}
			<-time.After(d)
			s.Settle()
		default:
			s.Type(do)
		}
	}
	if err := s.Wait(); !errors.Is(err, p.Err) {
		t.Errorf("Run: %v, want %v", err, p.Err)
	}
	lines, want := s.Lines(), append([]string{"$ program"}, p.Rows...)
	if resizes { // what was live may stand in history, what is final stands there once
		lines = slices.DeleteFunc(lines, func(l string) bool { return !slices.Contains(want, l) })
	}
	if !slices.Equal(lines, want) {
		t.Errorf("the tape holds\n%s\nwant\n%s\nall of it:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"),
			strings.Join(s.Lines(), "\n"))
	}
	if out := s.Bytes(); noColor != "" && colourSequence.Match(out) {
		t.Errorf("there are colours: %q", colourSequence.Find(out))
	}
	checkRestored(t, s)
}

// checkRestored fails the test if the state of the terminal differs from that before the program.
func checkRestored(t *testing.T, s *tuitest.Screen) {
	t.Helper()
	s.Inspect(func(v *vt.Terminal) {
		if was := vt.New(vt.Config{}).Modes(); !slices.Equal(v.Modes(), was) {
			t.Errorf("modes %v, they were %v", v.Modes(), was)
		}
		if v.KittyKeyboard() != 0 || !v.Cursor().Visible || v.AltScreen() {
			t.Errorf("keyboard flags %d, cursor %+v, alternate screen %t", v.KittyKeyboard(), v.Cursor(), v.AltScreen())
		}
	})
}

// playWithoutTerminal plays p without a terminal.
func (p Play) playWithoutTerminal(t *testing.T, app *tui.App) {
	var out strings.Builder
	app.Input, app.Output = strings.NewReader(p.Lines), &out
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	if err := app.Run(context.Background()); !errors.Is(err, p.PlainErr) {
		t.Errorf("Run: %v, want %v", err, p.PlainErr)
	}
	if out.String() != p.Text {
		t.Errorf("it wrote\n%s\nwant\n%s", out.String(), p.Text)
	}
}

// panicInjections lists functions that make a callback of app panic.
var panicInjections = map[string]func(app *tui.App){
	"Main": func(app *tui.App) {
		app.Main = func(ctx context.Context) error {
			waitUntilShown(ctx)
			panic("ouch")
		}
	},
	"OnEvent": func(app *tui.App) { app.OnEvent = func(tui.Event) bool { panic("ouch") } },
	"View": func(app *tui.App) {
		callWhenShown(app, func() { app.Overlay(panicsInView{}, tui.Place{Replace: true}) })
	},
	"HandleEvent": func(app *tui.App) {
		callWhenShown(app, func() { app.Overlay(panicsInEvent{}, tui.Place{Replace: true}) })
	},
	"Do": func(app *tui.App) { callWhenShown(app, func() { panic("ouch") }) },
	"a goroutine": func(app *tui.App) {
		app.Go(func(ctx context.Context) error { waitUntilShown(ctx); panic("ouch") })
	},
	"Theme": panicInTheme,
}

// waitUntilShown waits until something is on the screen. App.WaitShown would wait for the end of an
// overlay on the alternate screen.
func waitUntilShown(ctx context.Context) {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
	}
}

// callWhenShown calls f on the loop once something is on the screen.
func callWhenShown(app *tui.App, f func()) {
	app.Go(func(ctx context.Context) error {
		waitUntilShown(ctx)
		app.Do(f)
		return nil
	})
}

// panicInTheme makes the theme function panic when it is called again.
func panicInTheme(app *tui.App) {
	asked := 0
	app.Theme = func(c tui.Caps) *tui.Theme {
		if asked++; asked > 1 {
			panic("ouch")
		}
		return tui.NewTheme(c)
	}
	callWhenShown(app, app.Restyle)
}

// panicsInView is a component that panics in View.
type panicsInView struct{}

func (panicsInView) View(tui.Space) tui.View { panic("ouch") }

// panicsInEvent is a component that panics in HandleEvent.
type panicsInEvent struct{}

func (panicsInEvent) View(tui.Space) tui.View               { return tui.View{Lines: make([]tui.Line, 3)} }
func (panicsInEvent) HandleEvent(tui.Event, tui.Space) bool { panic("ouch") }

// playPanic runs app with one of wounds. It fails the test unless Run panics or returns that panic,
// and restores the terminal.
func playPanic(t *testing.T, app *tui.App, wound func(*tui.App)) {
	wound(app)
	s := tuitest.Start(t, app, tuitest.Config{Cols: 80, Rows: 24, Recover: true})
	<-time.After(100 * time.Millisecond)
	s.Send([]byte("x"))
	s.Reshape(70, 20) // a change of size is an event for OnEvent
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "ouch") {
		t.Errorf("Run: %v", err)
	}
	checkRestored(t, s)
	<-time.After(time.Minute) // the program's own goroutines see that its run has ended
}
