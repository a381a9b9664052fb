package tuitest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

func TestEveryKeyArrivesByItsName(t *testing.T) {
	names := strings.Fields(
		`a A 1 é 日 space enter tab escape backspace up down left right home end insert delete pageup pagedown f1 f4 f5 f12
		ctrl+a ctrl+c ctrl+z alt+b alt+enter shift+tab ctrl+left alt+right shift+up ctrl+delete shift+enter alt+backspace`)
	for _, kitty := range []bool{true, false} {
		t.Run(fmt.Sprint("kitty=", kitty), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []string
				app := &tui.App{OnEvent: func(ev tui.Event) bool {
					if k, ok := ev.(tui.Key); ok {
						got = append(got, k.String())
						return true
					}
					return false
				}}
				s := Start(t, app, Config{Personality: vt.Personality{NoKittyKeyboard: !kitty}})
				s.Press(names...)
				if g, w := strings.Join(got, " "), strings.Join(names, " "); g != w {
					t.Errorf("got  %s\nwant %s", g, w)
				}
			})
		})
	}
}

func TestPasteArrivesWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &tui.Editor{}
		s := Start(t, &tui.App{Footer: ed}, Config{Cols: 40, Rows: 10})
		s.Paste("one\n\ttwo\n")
		if ed.Text() != "one\n\ttwo\n" {
			t.Errorf("got %q", ed.Text())
		}
		s.Want("› one", "      two")
		if col, row, shown := s.Cursor(); col != 2 || row != 2 || !shown {
			t.Errorf("the caret is at %d, %d (%v)", col, row, shown)
		}
	})
}

func TestScreenIsLeftAsItWasFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 30, Rows: 5, Before: "$ ls\na.go\n$ prog\n"})
		var before []string
		s.Inspect(func(v *vt.Terminal) { before = v.Modes() })
		fmt.Fprintln(app.Transcript(), "hello")
		s.Settle()
		s.Want("$ ls", "a.go", "$ prog", "hello", "›")
		s.Press("ctrl+d")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.Want("$ ls", "a.go", "$ prog", "hello")
		var after []string
		s.Inspect(func(v *vt.Terminal) {
			after = v.Modes()
			if v.KittyKeyboard() != 0 {
				t.Error("the keyboard protocol is still on")
			}
		})
		fresh := vt.New(vt.Config{}).Modes()
		if fmt.Sprint(after) != fmt.Sprint(fresh) {
			t.Errorf("modes are %v, at the start %v, while it ran %v", after, fresh, before)
		}
		if _, row, shown := s.Cursor(); row != 4 || !shown {
			t.Errorf("the cursor is in row %d, shown %v", row, shown)
		}
	})
}

func TestStoppedProgramGoesOnWhereTheCursorIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 30, Rows: 6})
		fmt.Fprintln(app.Transcript(), "hello")
		s.Type("draft")
		s.Press("ctrl+z")
		if s.Stops() != 1 {
			t.Errorf("%d stops", s.Stops())
		}
		s.Want("hello", "› draft")
		err := app.Suspend(t.Context(), func() error {
			s.Inspect(func(v *vt.Terminal) {
				if v.Mode(2004, true) {
					t.Error("bracketed paste is still on")
				}
				v.WriteString("another program\r\n")
			})
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		s.Settle()
		s.Want("hello", "another program", "› draft")
	})
}

func TestDumbTerminalGetsPlainRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		app := &tui.App{Footer: &tui.Editor{}, Output: &out, Input: strings.NewReader("")}
		fmt.Fprintln(app.Transcript(), "hello")
		s := Start(t, app, Config{Env: map[string]string{"TERM": "dumb"}})
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		if out.String() != "hello\n" || len(s.Bytes()) > 0 {
			t.Errorf("%q, and %q to the terminal", out.String(), s.Bytes())
		}
	})
}

func TestResizeInTheMiddleOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working"}, &tui.Editor{})}
		s := Start(t, app, Config{Cols: 40, Rows: 8})
		out := app.Transcript().Stream(&tui.Prose{})
		var want []string
		for n, size := range [][2]int{{40, 8}, {30, 8}, {50, 6}, {25, 12}, {40, 8}} {
			<-time.After(20 * time.Millisecond) // a frame just before a size puts the live rows in doubt
			s.Resize(size[0], size[1])
			for i := range 6 {
				line := fmt.Sprintf("paragraph %d of part %d", i, n)
				want = append(want, line)
				fmt.Fprintln(out, line)
				s.Settle()
			}
		}
		out.Close()
		s.Press("ctrl+c")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Error(err)
		}
		if got := strings.Join(s.Lines(), "\n"); got != strings.Join(want, "\n") {
			t.Errorf("got\n%s", got)
		}
	})
}

func TestAScreenSettlesWhileAnOverlayHasAllOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 40, Rows: 6})
		for i := range 3 {
			fmt.Fprintln(app.Transcript(), "line", i)
			s.advance(20 * time.Millisecond)
		}
		app.Do(func() { app.Overlay(tui.NewText("all of it"), tui.Place{Full: true}) })
		s.Settle()
		s.Want("all of it")
	})
}
