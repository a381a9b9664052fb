package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// As grid.c of foot 1.13.1 does it. Random sessions in a real one are compared in stress/realterm.
func TestRowsAreLaidOutByWhereTheyEnd(t *testing.T) {
	tests := []struct {
		name       string
		cols, rows int
		text       string
		to         [][2]int
		want       string // the tape
		row, col   int
	}{
		{"a last row that is full leaves no other below", 20, 3, "a\r\nb\r\nc", [][2]int{{20, 2}}, "a/b/c", 1, 1},
		{"one above it does", 20, 4, "a\r\nb\r\nc", [][2]int{{20, 3}}, "a/b/c", 1, 1},
		{"a blank row in which no line ended is none", 20, 4, "a\x1b[2Bb", [][2]int{{20, 5}}, "a/ b", 1, 2},
		{"one in which one did is", 20, 4, "a\r\n\nb", [][2]int{{20, 5}}, "a//b", 2, 1},
		{"what is printed in a wrapped row ends its line", 10, 3, "0123456789ab\x1b[A\r0\r\n", [][2]int{{20, 3}},
			"0123456789/ab", 1, 0},
		{"an erasure does not", 10, 3, "0123456789ab\x1b[A\x1b[9G\x1b[K\r\x1b[B", [][2]int{{20, 3}}, "01234567  ab", 0,
			10},
		{"a cursor whose text has no room is on the last row", 20, 4, "a\r\nb\r\nc\r\nd\x1b[3A", [][2]int{{20, 2}},
			"a/b/c/d", 1, 1},
		{"the column that a wide character left free is a cell of the line", 7, 3, "漢漢漢漢", [][2]int{{9, 3}, {8, 3}},
			"漢漢漢/漢", 1, 2},
		{"blanks up to the cursor are cells", 20, 3, "ab\x1b[15G", [][2]int{{10, 3}}, "ab", 1, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := profile.Differences{Personality: vt.Personality{Wraps: vt.WrapUntilPrinted, HalvesPart: true,
				NoGraphemeClusters: true}, Resizing: profile.Resizing{Layout: profile.LayoutByEnds}}
			term := vt.New(vt.Config{Cols: tt.cols, Rows: tt.rows, Scrollback: 100, Personality: d.Build()})
			term.WriteString(tt.text)
			for _, s := range tt.to {
				term.Resize(s[0], s[1])
				if err := term.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := term.Tape(), strings.Split(tt.want, "/"); !slices.Equal(got, want) {
				t.Errorf("the tape is %q, want %q", got, want)
			}
			if c := term.Cursor(); c.Row != tt.row || c.Col != tt.col {
				t.Errorf("the cursor is at %d,%d, want %d,%d", c.Row, c.Col, tt.row, tt.col)
			}
		})
	}
}
