package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// As screen.C of urxvt 9.30 does it. Random sessions in a real one are compared in stress/realterm.
func TestTheCursorGoesToTheFirstRowOfItsLine(t *testing.T) {
	const history = "h\r\nh\r\nh\r\nh\r\n"
	tests := []struct {
		name       string
		cols, rows int
		text       string
		to         [][2]int
		want       string // the grid
		row, col   int
	}{
		{"from a later row, at the same width", 10, 4, history + "0123456789ab", [][2]int{{10, 5}},
			"h/h/h/0123456789/ab", 3, 2},
		{"from behind its text", 10, 3, history + "0123456789\r\nx", [][2]int{{4, 3}}, "4567/89/x", 2, 1},
		{"a CR lengthens its row", 10, 3, history + "0123456789\r\nab\x1b[A\x1b[9G\x1b[B\r", [][2]int{{5, 3}},
			"56789/ab/", 1, 0},
		{"no higher than the grid", 10, 3, history + "0123456789", [][2]int{{4, 2}}, "4567/89", 0, 3},
		{"not from a row that shows nothing", 10, 3, history + "0123456789a\r\x1b[K", [][2]int{{20, 3}},
			"h/h/0123456789", 2, 0},
		{"blank rows below are rows", 10, 4, history + "x\x1b[A", [][2]int{{10, 3}}, "h/h/x", 1, 1},
		{"without history rows are cut", 10, 4, "0123456789ab", [][2]int{{5, 4}}, "01234/ab//", 1, 2},
		{"and lost at the end of the grid", 10, 4, "a\r\nb\r\nc\r\nd", [][2]int{{10, 2}}, "a/b", 1, 1},
		{"a higher window than there are rows is blank above", 10, 2, "a\r\nb\r\nc", [][2]int{{10, 5}}, "//a/b/c", 4,
			1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := profile.Differences{Personality: vt.Personality{RowsHaveLengths: true, HalvesPart: true,
				NoGraphemeClusters: true}, Resizing: profile.Resizing{Layout: profile.LayoutTopLine}}
			term := vt.New(vt.Config{Cols: tt.cols, Rows: tt.rows, Scrollback: 100, Personality: d.Build()})
			term.WriteString(tt.text)
			for _, s := range tt.to {
				term.Resize(s[0], s[1])
				if err := term.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := term.Screen(), strings.Split(tt.want, "/"); !slices.Equal(got, want) {
				t.Errorf("the grid is %q, want %q", got, want)
			}
			if c := term.Cursor(); c.Row != tt.row || c.Col != tt.col {
				t.Errorf("the cursor is at %d,%d, want %d,%d", c.Row, c.Col, tt.row, tt.col)
			}
		})
	}
}
