package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Measured in GNU screen 4.9 (hardcopy and -Q info), 22 November 2026.
func TestResizesFromTheEnd(t *testing.T) {
	tests := []struct {
		name       string
		cols, rows int
		text       string
		to         [][2]int
		want       string // the grid
		row, col   int
	}{
		{"a higher window shows rows from before there were any", 80, 3, "one\r\ntwo", [][2]int{{80, 5}},
			"/ / one/ two/", 3, 3},
		{"a lower one pushes rows, and keeps those below", 80, 4, "one\r\ntwo\r\nthree\x1b[A", [][2]int{{80, 3}},
			"two/ three/", 0, 5},
		{"but not the cursor's", 80, 4, "one\r\ntwo\x1b[A", [][2]int{{80, 2}}, "one/ two", 0, 3},
		{"blank rows below are rows", 40, 4, strings.Repeat("a", 40) + "\r\nb\r\n", [][2]int{{20, 4}},
			"aaaaaaaaaaaaaaaaaaaa/ b/ /", 2, 0},
		{"a blank in a colour is none", 30, 2, "\x1b[41mab" + strings.Repeat(" ", 28) + "\x1b[m\r\nc",
			[][2]int{{20, 2}}, "ab/ c", 1, 1},
		{"one with an attribute is", 30, 3, "\x1b[7mab" + strings.Repeat(" ", 28) + "\x1b[m\r\nc", [][2]int{{20, 3}},
			"/ c/", 1, 1},
		{"blanks up to the cursor are printed ones", 30, 3, "ab\x1b[25G", [][2]int{{20, 3}}, "ab/ /", 1, 4},
		{"wide characters are taken apart", 30, 3, "a" + strings.Repeat("日", 14) + "\r\nb", [][2]int{{20, 3}, {30, 3}},
			"a" + strings.Repeat("日", 14) + "/ b/", 1, 1},
		{"a line that has no room is shown from its beginning, its end is gone", 20, 6,
			"x\r\n\r\n" + strings.Repeat("a", 20) + strings.Repeat("b", 20) + "c", [][2]int{{20, 2}},
			"aaaaaaaaaaaaaaaaaaaa/ bbbbbbbbbbbbbbbbbbbb", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := profile.Differences{Personality: vt.Personality{Wraps: vt.WrapStays, NoGraphemeClusters: true},
				Resizing: profile.Resizing{Layout: profile.LayoutFromEnd}}
			term := vt.New(vt.Config{Cols: tt.cols, Rows: tt.rows, Scrollback: 100, Personality: d.Build()})
			term.WriteString(tt.text)
			for _, s := range tt.to {
				term.Resize(s[0], s[1])
				if err := term.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := term.Screen(), strings.Split(tt.want, "/"); !slices.EqualFunc(got, want,
				func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }) {
				t.Errorf("the grid is %q, want %q", got, want)
			}
			if c := term.Cursor(); c.Row != tt.row || c.Col != tt.col {
				t.Errorf("the cursor is at %d,%d, want %d,%d", c.Row, c.Col, tt.row, tt.col)
			}
		})
	}
}
