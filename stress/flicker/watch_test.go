package flicker

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

const start = "one\r\ntwo\r\nthree\r\n\x1b[31mstatus\x1b[m 17\r\n> \r\nmodel\x1b[A\r\x1b[2C"

// What is counted, in 6 rows of 20 columns of which the last three are a footer.
func TestWhatIsSeenBetween(t *testing.T) {
	for _, c := range []struct {
		name, frame string
		want        Seen
	}{
		{"a key", "x", Seen{}},
		{"a cell of the status", "\x1b[A\r\x1b[7C8\x1b[B\r\x1b[2C", Seen{}},
		{"the same text again", "\r> ", Seen{}},
		{"the same text in another pen, and again", "\x1b[1m\r>\x1b[m\r>", Seen{Lost: 3}},
		{"a row that is erased and written again", "\r\x1b[K> ", Seen{Lost: 1}},
		{"a row that is erased and has changed", "\x1b[A\r\x1b[K\x1b[31mstatus\x1b[m 18\x1b[B\r\x1b[2C",
			Seen{Lost: 2*6 + 4, Detours: 4}},
		{"text that comes and goes", "ab\r\x1b[2C  \r\x1b[2C", Seen{Flashed: 6}},
		{"a row above the footer", "\x1b[B\n\x1b[3A\r\x1b[Lfour\r\n\n\x1b[2C", Seen{Moved: 3 * 3}},
		{"the same, written over the footer", "\x1b[A\rfour\x1b[K\r\n\x1b[31mstatus\x1b[m 17\x1b[K\r\n>" +
			" \x1b[K\r\nmodel\x1b[A\r\x1b[2C", Seen{Gone: 7*8 + 7*1 + 4*5}},
		{"two rows trade their places, above first", "\x1b[3A\rtwo\r\x1b[Aone\x1b[B", Seen{}},
	} {
		term := vt.New(vt.Config{Cols: 20, Rows: 6, Scrollback: 100})
		term.WriteString(start)
		w := New(term)
		got, err := w.Frame([]byte(c.frame))
		if err != nil {
			t.Fatal(err)
		}
		c.want.Frames, c.want.Steps, c.want.Worst, c.want.Unsteady, c.want.Shifting, c.want.Needless = got.Frames,
			got.Steps, got.Worst, got.Unsteady, got.Shifting, c.want.Lost+c.want.Flashed
		if got != c.want || got.Steady() != (got.Unsteady == 0) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
