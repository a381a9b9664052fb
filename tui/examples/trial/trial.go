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

// Play is what a person does with a program, and what comes of it.
type Play struct {
	// One after the other: a key by its name, "<enter>", a time that passes, "+1s", or a text that
	// is typed.
	Do   []string
	Rows []string // the tape of the terminal afterwards, lines as they are copied
	Err  error    // of Run in a terminal; nil: none

	Lines    string // typed without a terminal
	Text     string // written there
	PlainErr error  // of Run there; nil: none
}

// Run plays p with what program makes, in all surroundings. Each is a test of its own.
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
				bubble(t, name, func(t *testing.T) { p.terminal(t, program(), size[0], size[1], resizes, noColor) })
			}
		}
	}
	bubble(t, "TERM=dumb", func(t *testing.T) { p.plain(t, program()) })
	for name, wound := range wounds {
		bubble(t, "a panic in "+name, func(t *testing.T) { panics(t, program(), wound) })
	}
}

func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// colour finds an SGR sequence that sets one.
var colour = regexp.MustCompile(`\x1b\[([0-9;:]*;)?([34][0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m`)

// terminal plays p in a window.
func (p Play) terminal(t *testing.T, app *tui.App, cols, rows int, resizes bool, noColor string) {
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
	if out := s.Bytes(); noColor != "" && colour.Match(out) {
		t.Errorf("there are colours: %q", colour.Find(out))
	}
	restored(t, s)
}

// restored fails the test if the terminal is not as it was before the program.
func restored(t *testing.T, s *tuitest.Screen) {
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

// plain plays p without a terminal.
func (p Play) plain(t *testing.T, app *tui.App) {
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

// wounds make a callback of app panic.
var wounds = map[string]func(app *tui.App){
	"Main": func(app *tui.App) {
		app.Main = func(ctx context.Context) error {
			started(ctx)
			panic("ouch")
		}
	},
	"OnEvent":     func(app *tui.App) { app.OnEvent = func(tui.Event) bool { panic("ouch") } },
	"View":        func(app *tui.App) { soon(app, func() { app.Overlay(torn{}, tui.Place{Replace: true}) }) },
	"HandleEvent": func(app *tui.App) { soon(app, func() { app.Overlay(broken{}, tui.Place{Replace: true}) }) },
	"Do":          func(app *tui.App) { soon(app, func() { panic("ouch") }) },
	"a goroutine": func(app *tui.App) { app.Go(func(ctx context.Context) error { started(ctx); panic("ouch") }) },
	"Theme":       themes,
}

// started waits until something is on the screen. App.WaitShown would wait for an overlay that has
// all of the screen to go.
func started(ctx context.Context) {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
	}
}

// soon calls f on the loop once something is on the screen.
func soon(app *tui.App, f func()) {
	app.Go(func(ctx context.Context) error {
		started(ctx)
		app.Do(f)
		return nil
	})
}

// themes makes the theme panic when it is asked for again.
func themes(app *tui.App) {
	asked := 0
	app.Theme = func(c tui.Caps) *tui.Theme {
		if asked++; asked > 1 {
			panic("ouch")
		}
		return tui.NewTheme(c)
	}
	soon(app, app.Restyle)
}

// torn panics when it is to be seen.
type torn struct{}

func (torn) View(tui.Space) tui.View { panic("ouch") }

// broken panics at any event.
type broken struct{}

func (broken) View(tui.Space) tui.View               { return tui.View{Lines: make([]tui.Line, 3)} }
func (broken) HandleEvent(tui.Event, tui.Space) bool { panic("ouch") }

// panics runs app with a wound: Run panics, or says so, and the terminal is restored.
func panics(t *testing.T, app *tui.App, wound func(*tui.App)) {
	wound(app)
	s := tuitest.Start(t, app, tuitest.Config{Cols: 80, Rows: 24, Recover: true})
	<-time.After(100 * time.Millisecond)
	s.Send([]byte("x"))
	s.Reshape(70, 20) // a change of size is an event for OnEvent
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "ouch") {
		t.Errorf("Run: %v", err)
	}
	restored(t, s)
	<-time.After(time.Minute) // the program's own goroutines see that its run has ended
}
