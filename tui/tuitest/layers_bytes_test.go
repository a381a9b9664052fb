package tuitest

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// dashboard is a screen of two columns of coloured words and numbers.
func dashboard(s tui.Space) (v tui.View) {
	for row := range s.Height {
		var line tui.Line
		for col, cols := 0, 0; cols < s.Width; col++ {
			word := strings.Repeat(string(rune('a'+(row+col)%26)), 3+(row*col)%6)
			text := fmt.Sprintf("%-9s%5d ", word, row*col*7919%9999)
			if left := s.Width - cols; len(text) > left {
				text = text[:left]
			}
			cols += len(text)
			style := tui.Style{Fg: tui.Indexed(uint8(1 + col%3*(row%4)))}
			line.Spans = append(line.Spans, tui.Span{Text: text, Style: style})
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// gridCells returns the cells of the emulator's screen.
func gridCells(s *Screen) (cells [][]vt.Cell) {
	s.Inspect(func(v *vt.Terminal) {
		cols, rows := v.Size()
		for row := range rows {
			cells = append(cells, nil)
			for col := range cols {
				c := v.Row(row).Cell(col)
				if c.Text == "" && c.Width == 1 {
					c.Text = " "
				}
				cells[row] = append(cells[row], c)
			}
		}
	})
	return cells
}

// leastBytes returns the floor of a change from old to now: for each changed cell its text, for
// each change of the style between two of them the SGR, for each run of changed cells the shortest
// move of the cursor within its row, and for each row one more byte. The brackets of the frame and
// the move to the first row are not counted.
func leastBytes(old, now [][]vt.Cell) (n int) {
	var pen ansi.Style
	for row := range now {
		at, changed := 0, false
		for col, c := range now[row] {
			if c == old[row][col] || c.Width == 0 {
				continue
			}
			style := ansi.Style{Fg: c.Style.Fg, Bg: c.Style.Bg, Attr: c.Style.Attr}
			n += len(c.Text) + len(ansi.AppendSGR(nil, pen, style))
			if at != col {
				n += min(len(ansi.AppendCHA(nil, col)), len(ansi.AppendCUF(nil, max(col-at, 1))))
			}
			pen, at, changed = style, col+c.Width, true
		}
		if changed {
			n++
		}
	}
	return n
}

// A dialog over a full dashboard costs the cells that it covers: opening and closing are measured
// against leastBytes.
func TestADialogOverADashboardCostsTheCellsThatChange(t *testing.T) {
	box := &layout.Box{Title: "Stop the service?", Of: tui.NewText("It has 12 clients.\n\n[Y]es   [N]o"), Fill: true}
	for _, c := range []struct {
		name  string
		place tui.Place
	}{
		{"40x10", tui.Place{Center: true, Width: 40, Height: 10}},
		{"shaded", tui.Place{Center: true, Width: 40, Height: 10, Shade: true}},
		{"at a side", tui.Place{Top: true, Right: true, Width: 40, Height: 10, Margin: tui.Pos{Col: 2, Row: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := Start(t, &tui.App{}, Config{Cols: 200, Rows: 60})
				open(s, tui.ComponentFunc(dashboard), tui.Place{Full: true})
				before := gridCells(s)
				s.Bytes()
				remove := open(s, box, c.place)
				shown := gridCells(s)
				opening := len(s.Bytes())
				remove()
				closing := len(s.Bytes())
				for _, m := range []struct {
					what       string
					got, floor int
				}{{"opening", opening, leastBytes(before, shown)}, {"closing", closing, leastBytes(shown, before)}} {
					t.Logf("%s: %d bytes, the cells take %d", m.what, m.got, m.floor)
					if m.floor < 300 || 10*m.got > 11*m.floor {
						t.Errorf("%s takes %d bytes, more than 1.1 times %d", m.what, m.got, m.floor)
					}
				}
				if after := gridCells(s); leastBytes(before, after) != 0 {
					t.Error("the dashboard is not as it was")
				}
			})
		})
	}
}
