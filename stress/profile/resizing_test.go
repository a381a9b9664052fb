package profile_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// Each is what the emulator did when it still had these layouts itself.
func TestWhatAWidthMakesOfRowsBesideTheCursor(t *testing.T) {
	for _, tt := range []struct {
		profile    string
		cols, rows int
		text       string
		toC, toR   int
		want       string // the grid, > for a soft wrap
		row        int
	}{
		{"konsole", 5, 3, "h1\r\nh2\r\nx\r\naaaaabb\x1b[2A", 10, 3, "x/aaaaabb/", 0}, // rows below stay below
		{"alacritty", 5, 3, "h1\r\nh2\r\nx\r\naaaaabb\x1b[2A", 10, 3, "x/aaaaabb/", 0},
		{"alacritty", 8, 3, "sh\r\n1 worter gamma-ray\x1b[A\r\x1b[K\n\r\x1b[K2k.1\n\r\x1b[K2k.2", 12, 3,
			"1 worter/2k.1/2k.2", 2},
		{"xtermjs", 5, 3, "aaaaabb\x1b[A", 5, 1, "aaaaa", 0}, // the row that had the mark is gone
		{"konsole", 5, 3, "aaaaabb\x1b[A", 5, 1, "aaaaa>", 0},
		{"kitty-0.40", 6, 2, "ab\r\n\x1b7\r漢字", 6, 3, "ab/漢字/", 1},
	} {
		p, _ := profile.ByName(tt.profile)
		term := p.New(tt.cols, tt.rows, 100)
		term.WriteString(tt.text)
		term.Resize(tt.toC, tt.toR)
		var rows []string
		for y := range tt.toR {
			rows = append(rows, term.Row(y).Text())
			if term.Row(y).Wrapped() {
				rows[y] += ">"
			}
		}
		if got := strings.Join(rows, "/"); got != tt.want || term.Cursor().Row != tt.row {
			t.Errorf("%s: the grid is %s, the cursor on row %d, want %s and %d", tt.profile, got, term.Cursor().Row,
				tt.want, tt.row)
		}
	}
}
