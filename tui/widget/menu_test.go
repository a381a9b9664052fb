package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func actions() *widget.Menu {
	return &widget.Menu{Mouse: true, Items: []widget.MenuItem{{Text: "Open", Key: "Enter"}, {Text: "Rename", Off: true},
		{}, {Text: "Copy the path", Key: "Ctrl+C"}, {Text: "\x1b[2JDelete 漢字", Key: "Del"}}}
}

func TestAMenuIsMovedAndChosenFrom(t *testing.T) {
	a := &album{t: t}
	var said []int
	menu := func() tui.Component {
		m := actions()
		m.OnChoose = func(i int) { said = append(said, i) }
		return m
	}
	a.scene("the first", 6, menu)
	a.scene("what cannot be chosen is passed", 6, menu, "down")
	a.scene("around the end", 6, menu, "up")
	a.scene("a letter", 6, menu, "=c")
	a.scene("few rows", 2, menu, "end")
	a.plain("a menu", menu())
	a.compare("menu")
	said = nil
	m := menu().(*widget.Menu)
	s := tui.Space{Width: 30, Height: 9}
	m.View(s)
	for row := range 7 {
		m.HandleEvent(tui.Mouse{Press: true, Col: 3, Row: row}, s)
	}
	for _, line := range []string{"1", "2", "3", "copy THE path", "9", "-1", "nothing"} {
		m.Submit(line)
	}
	if got := fmt.Sprint(said); got != "[0 3 4 0 3]" {
		t.Errorf("chosen: %s", got)
	}
}

func TestAMenuOfNothingIsHarmless(t *testing.T) {
	for _, items := range [][]widget.MenuItem{nil, {{}}, {{Text: "a", Off: true}}} {
		m := &widget.Menu{Items: items, OnChoose: func(i int) { t.Errorf("chosen: %d", i) }}
		s := tui.Space{Width: 10, Height: 3}
		for _, code := range []rune{terminal.KeyDown, terminal.KeyUp, terminal.KeyEnd, 'a', terminal.KeyEnter} {
			m.View(s)
			m.HandleEvent(tui.Key{Code: code}, s)
		}
		m.Submit("")
	}
}

// The menu opens at the click, over a full screen, and leaves nothing behind.
func TestAContextMenuOpensAtTheClick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		chosen := -1
		table := counted(20)
		table.OnMenu = func(row int) {
			widget.OpenMenu(app, actions().Items, func(i int) { chosen = 100*row + i })
		}
		app.Overlay(table, tui.Place{Full: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 12})
		before := s.Visible()
		s.Send([]byte("\x1b[<2;11;4M\x1b[<2;11;4m")) // the right button, on the third row
		s.Settle()
		if shown := s.Visible(); !strings.Contains(shown, "╭") || !strings.Contains(shown, "Copy the path    Ctrl+C") {
			t.Fatalf("no menu is shown:\n%s", shown)
		}
		if row := strings.Split(s.Visible(), "\n")[4]; strings.Index(row, "╭") != 10 {
			t.Errorf("it does not stand below the click: %q", row)
		}
		s.Press("down", "enter")
		if chosen != 203 {
			t.Errorf("chosen: %d", chosen)
		}
		s.Send([]byte("\x1b[<2;11;4M\x1b[<2;11;4m"))
		s.Settle()
		s.Press("esc")
		s.Press("home")
		if got := s.Visible(); got != before || s.Scrollback() != "" {
			t.Errorf("something stays:\n%s", got)
		}
		s.Press("shift+f10")
		if !strings.Contains(s.Visible(), "Copy the path") {
			t.Errorf("the keyboard opens no menu:\n%s", s.Visible())
		}
	})
}

func ExampleMenu() {
	m := &widget.Menu{Items: []widget.MenuItem{{Text: "Open", Key: "Enter"}, {Text: "Rename", Key: "F2"}},
		OnChoose: func(i int) { fmt.Println("chosen:", i) }}
	for _, row := range texts(m.View(tui.Space{Width: 30, Height: 4})) {
		fmt.Println(row)
	}
	m.Submit("rename")
	// Output:
	// › Open    Enter
	//   Rename     F2
	// chosen: 1
}

func ExampleMenuItem() {
	show(&widget.Menu{Items: []widget.MenuItem{{Text: "Undo"}, {Text: "Redo", Off: true}, {}, {Text: "Quit"}}})
	// Output:
	// 1 Undo
	// 4 Quit
	// A number or the words of one:
}

func ExampleOpenMenu() {
	app := &tui.App{}
	files := &widget.Table{Columns: []widget.Column{{Title: "Name"}}, Mouse: true}
	files.OnMenu = func(row int) {
		widget.OpenMenu(app, []widget.MenuItem{{Text: "Delete"}}, func(int) {
			fmt.Fprintln(app.Transcript(), "deleted:", files.Rows[row][0])
		})
	}
}
