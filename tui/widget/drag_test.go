package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// at is a place on the screen.
func at(col, row int) tui.Pos { return tui.Pos{Col: col, Row: row} }

func TestRowsColumnsAndBarsFollowThePointer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		table := counted(50)
		table.ScrollBar = true
		moved, chosen := "", 0
		table.OnReorder = func(from, to int) { moved += fmt.Sprint(from, ">", to, " ") }
		table.OnChoose = func(int) { chosen++ }
		app.Overlay(table, tui.Place{Full: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 12})
		s.Drag(at(12, 1), at(12, 4)) // the chosen row
		if moved != "0>1 1>2 2>3 " || table.At != 3 || table.Rows[3][0] != "0" || chosen != 0 {
			t.Errorf("a row: %s, chosen %d, %d times", moved, table.At, chosen)
		}
		s.Drag(at(9, 0), at(12, 3)) // the border behind the first title
		if table.Columns[0].Width != 9 {
			t.Errorf("a column has %d columns", table.Columns[0].Width)
		}
		s.Drag(at(59, 1), at(40, 11)) // the bar, out of its column
		if got := s.Visible(); !strings.Contains(got, "49  row x") {
			t.Errorf("the bar is not at the end:\n%s", got)
		}
		s.Drag(at(59, 10), at(59, 0))
		if got := s.Visible(); !strings.Contains(got, " 1  row b") || s.Scrollback() != "" {
			t.Errorf("the bar is not at the top:\n%s", got)
		}
		if moved != "0>1 1>2 2>3 " {
			t.Errorf("a bar moves rows: %s", moved)
		}
	})
}

func TestTextIsMarkedWhileThePointerMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		in := &widget.Input{Mouse: true}
		in.SetText("one two three")
		app.Overlay(in, tui.Place{Full: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 4})
		s.Drag(at(6, 0), at(9, 0))
		if got := in.Selected(); got != "two" {
			t.Errorf("marked: %q", got)
		}
		s.Drag(at(9, 0), at(0, 3))
		if got := in.Selected(); got != "one two" {
			t.Errorf("marked to the start: %q", got)
		}
	})
}
