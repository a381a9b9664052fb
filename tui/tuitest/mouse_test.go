package tuitest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// target shows rows and tells which of its cells were clicked.
type target struct {
	name  string
	rows  int
	wants bool
	bare  bool // without a caret
	got   []string
	keys  []string
}

func (c *target) View(s tui.Space) tui.View {
	v := tui.View{Mouse: c.wants, Cursor: &tui.Pos{}}
	if c.bare {
		v.Cursor = nil
	}
	for i := range c.rows {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: fmt.Sprint(c.name, " ", i)}))
	}
	return v
}

func (c *target) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Mouse:
		if ev.Press {
			c.got = append(c.got, fmt.Sprintf("%d:%d,%d", ev.Button, ev.Col, ev.Row))
		}
		return true
	case tui.Key:
		c.keys = append(c.keys, ev.String())
		return true
	}
	return false
}

func (c *target) want(t *testing.T, clicks ...string) {
	t.Helper()
	if got, want := strings.Join(c.got, " "), strings.Join(clicks, " "); got != want {
		t.Errorf("%s got %q, want %q", c.name, got, want)
	}
	c.got = nil
}

// find returns the grid row that holds text.
func find(t *testing.T, s *Screen, text string) int {
	t.Helper()
	for i, row := range strings.Split(s.Visible(), "\n") {
		if strings.Contains(row, text) {
			return i
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, s.Visible())
	return 0
}

func TestMouseIsOnOnlyWhileSomebodyWhoIsShownAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		footer, pane := &target{name: "footer", rows: 1}, &target{name: "pane", rows: 3, wants: true}
		app := &tui.App{Footer: footer}
		s := Start(t, app, Config{Cols: 40, Rows: 12})
		on := func(want bool, when string) {
			t.Helper()
			if s.Settle(); s.MouseOn() != want {
				t.Errorf("%s it is on: %v", when, !want)
			}
		}
		fmt.Fprintln(app.Transcript(), "said")
		on(false, "with a transcript")
		for _, p := range []tui.Place{{}, {Replace: true}, {Full: true}, {Top: true, Width: 10}} {
			var remove func()
			app.Do(func() { remove = app.Overlay(pane, p) })
			on(true, "with a pane")
			if err := app.Suspend(context.Background(), func() error {
				if s.MouseOn() {
					t.Error("it is on while another program has the terminal")
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			on(true, "afterwards")
			app.Do(func() { remove() })
			on(false, "without the pane")
		}
		app.Do(func() { footer.wants = true })
		on(true, "with the footer")
		app.Quit(nil)
		if err := s.Wait(); err != nil {
			t.Fatal(err)
		}
		s.Inspect(func(v *vt.Terminal) {
			if v.Mode(1000, true) || v.Mode(1006, true) {
				t.Error("it is on after the end")
			}
		})
	})
}

func TestMouseIsOffAfterAPanicInAHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &target{name: "footer", rows: 1, wants: true}}
		s := Start(t, &tui.App{}, Config{})
		_ = s
		done := make(chan any, 1)
		tty := newTTY(vt.Config{Cols: 40, Rows: 12})
		app.Terminal.TTY, app.Terminal.Env = tty, func(k string) string {
			return map[string]string{"TERM": "xterm-ghostty", "LANG": "C.UTF-8"}[k]
		}
		go func() {
			defer func() { done <- recover() }()
			_ = app.Run(t.Context())
		}()
		synctest.Wait()
		if !tty.vt.Mode(1000, true) {
			t.Error("it is off")
		}
		app.Do(func() { panic("a mistake") })
		if p := <-done; p != "a mistake" {
			t.Errorf("%v", p)
		}
		if tty.vt.Mode(1000, true) || tty.vt.Mode(1006, true) {
			t.Error("it is still on")
		}
	})
}

func TestClickGoesToTheComponentUnderIt(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 30}} {
		for _, lines := range []int{0, 3, 100} {
			synctest.Test(t, func(t *testing.T) {
				status, footer := &target{name: "status", rows: 2}, &target{name: "footer", rows: 2, wants: true}
				app := &tui.App{Footer: tui.NewStack(status, footer)}
				s := Start(t, app, Config{Cols: size[0], Rows: size[1], Before: "$ program\n"})
				for i := range lines {
					fmt.Fprintln(app.Transcript(), "said", i)
				}
				s.Settle()
				row := find(t, s, "footer 1")
				s.Click(3, row)
				s.Wheel(0, row-1, -1)
				footer.want(t, "0:3,1", "64:0,0")
				s.Click(3, row-2)
				s.Click(3, row+1)
				if row > 3 {
					s.Click(0, row-4)
				}
				status.want(t)
				footer.want(t)

				over := &target{name: "over", rows: 3, wants: true}
				var remove func()
				app.Do(func() { remove = app.Overlay(over, tui.Place{Width: 9}) })
				s.Settle()
				row = find(t, s, "over 2")
				s.Click(8, row)
				over.want(t, "0:8,2")
				s.Click(9, row) // beside it
				over.want(t)
				footer.want(t, "0:9,1")
				app.Do(func() { remove(); remove = app.Overlay(over, tui.Place{Replace: true}) })
				s.Settle()
				s.Click(8, find(t, s, "over 1"))
				over.want(t, "0:8,1")
				footer.want(t)
				app.Do(func() { remove(); over.wants = false; remove = app.Overlay(over, tui.Place{}) })
				s.Settle()
				s.Click(1, find(t, s, "over 2"))
				over.want(t)
				footer.want(t) // it is covered
				app.Do(func() { remove(); over.wants = true; remove = app.Overlay(over, tui.Place{Full: true}) })
				s.Settle()
				s.Click(2, 1)
				s.Click(2, 7)
				over.want(t, "0:2,1")

				s.Resize(size[0]+7, size[1]+3)
				s.Click(4, 2)
				over.want(t, "0:4,2")
				app.Do(func() { remove() })
				s.Settle()
				s.Reshape(size[0], size[1])
				s.advance(200 * time.Millisecond)
				s.Click(2, find(t, s, "footer 0"))
				footer.want(t) // within a second after a change of size nobody knows for sure
				s.Click(2, find(t, s, "footer 0"))
				footer.want(t, "0:2,0")
			})
		}
	}
}

func TestClickOnAViewThatIsCutKnowsItsRow(t *testing.T) {
	for _, p := range []tui.Place{{Height: 2}, {Height: 2, Replace: true}, {Top: true, Height: 2}} {
		synctest.Test(t, func(t *testing.T) {
			app, over := &tui.App{}, &target{name: "over", rows: 5, wants: true, bare: true}
			s := Start(t, app, Config{Cols: 40, Rows: 12})
			for _, c := range []tui.Component{over, tui.NewStack(&target{name: "head", rows: 1}, over)} {
				var remove func()
				app.Do(func() { remove = app.Overlay(c, p) })
				s.Settle()
				s.Click(1, find(t, s, "over 3"))
				s.Click(2, find(t, s, "over 4"))
				over.want(t, "0:1,3", "0:2,4")
				app.Do(func() { remove() })
				s.Settle()
			}
		})
	}
}

func TestClickBeforeThePaneWasQuietIsNobodys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		pane := &target{name: "pane", rows: 3, wants: true}
		s := Start(t, app, Config{Cols: 40, Rows: 12})
		app.Do(func() { app.Overlay(pane, tui.Place{Replace: true, FocusDelay: quiet}) })
		s.Settle()
		s.Click(0, find(t, s, "pane 1"))
		pane.want(t)
		s.advance(quiet)
		s.Click(0, find(t, s, "pane 1"))
		pane.want(t, "0:0,1")
	})
}

func TestStackMovesTheFocus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := &target{name: "a", rows: 1, wants: true}, &target{name: "b", rows: 2}
		label := tui.NewText("label")
		st := &tui.Stack{Tab: true, Children: []tui.Component{a, label, b}}
		app := &tui.App{Footer: st}
		s := Start(t, app, Config{Cols: 40, Rows: 12})
		at := func(name string, offset int) {
			t.Helper()
			if _, row, shown := s.Cursor(); !shown || row != find(t, s, name)+offset {
				t.Errorf("the caret is on row %d, shown %v, not on %s", row, shown, name)
			}
		}
		at("a 0", 0)
		s.Press("x", "tab")
		at("b 0", 0)
		s.Press("y", "tab")
		at("a 0", 0)
		s.Press("shift+tab", "z")
		at("b 0", 0)
		s.Click(0, find(t, s, "a 0"))
		at("a 0", 0)
		a.want(t, "0:0,0")
		s.Click(0, find(t, s, "label"))
		at("a 0", 0)
		s.Click(0, find(t, s, "b 1"))
		at("b 0", 0)
		b.want(t)
		if got := strings.Join(a.keys, " ") + "; " + strings.Join(b.keys, " "); got != "x; y z" {
			t.Error(got)
		}
	})
}

// quiet is how long a pane waits for the keyboard to rest.
const quiet = 300 * time.Millisecond

// player takes key presses and releases.
type player struct {
	target
	wants bool
	log   []string
}

func (p *player) View(s tui.Space) tui.View {
	v := p.target.View(s)
	v.Releases = p.wants
	return v
}

func (p *player) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Key:
		p.log = append(p.log, "+"+ev.String())
	case tui.KeyRelease:
		p.log = append(p.log, "-"+ev.Key.String())
	}
	return true
}

func TestKeyReleasesComeToWhoAsksAndHasTheKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		below, game := &player{target: target{name: "below", rows: 1}},
			&player{target: target{name: "game", rows: 2}, wants: true}
		st := &tui.Stack{Tab: true, Children: []tui.Component{game, &player{target: target{name: "deaf", rows: 1}}}}
		app := &tui.App{Footer: below}
		s := Start(t, app, Config{Cols: 40, Rows: 12})
		flags := func(want int) {
			t.Helper()
			s.Settle()
			s.Inspect(func(v *vt.Terminal) {
				if got := v.KittyKeyboard(); got != want {
					t.Errorf("the keyboard's flags are %d, not %d", got, want)
				}
			})
		}
		flags(5)
		s.Press("a")
		s.Release("a")
		for _, p := range []tui.Place{{Replace: true}, {Full: true}} {
			var remove func()
			app.Do(func() { remove = app.Overlay(st, p) })
			flags(7)
			s.Press("left", "b")
			s.Release("left", "b", "ctrl+delete")
			s.Press("tab")
			s.Release("c") // the other child has the keys
			s.Press("tab")
			app.Do(func() { remove() })
			flags(5)
		}
		want := strings.Repeat("+left +b -left -b -ctrl+delete ", 2)
		if got := strings.Join(game.log, " ") + " "; got != want {
			t.Errorf("it got %q, want %q", got, want)
		}
		if got := strings.Join(below.log, " "); got != "+a" {
			t.Errorf("below it came %q", got)
		}
	})
}
