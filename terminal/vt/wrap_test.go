package vt

import "testing"

// What ends a soft wrap differs by where a terminal keeps it. The rows are ten columns wide; row is
// counted from the cursor's at the end.
func TestWhatEndsAWrap(t *testing.T) {
	const from, to = -1, 0
	for _, c := range []struct {
		name  string
		rows  int
		bytes string
		row   int
		// WrapOnRow, WrapMoves, WrapOnLastCell, WrapUntilPrinted, WrapUntilClear, WrapStays,
		// WrapOnNext, WrapOnNextFeed
		wraps [8]bool
	}{
		{"EL from column 1 of the row that continues", 3, "0123456789ab\r\x1b[K", from,
			[8]bool{true, true, true, true, false, true, false, true}},
		{"the same, the other in history", 1, "0123456789ab\r\x1b[K", from,
			[8]bool{true, true, true, true, false, true, false, true}},
		{"EL behind its text", 3, "0123456789ab\x1b[K", from, [8]bool{true, true, true, true, true, true, true, true}},
		{"made again, and ended again", 3, "0123456789ab\r\x1b[K\x1b[A\x1b[9C9a\r\x1b[K", from,
			[8]bool{true, true, true, true, false, true, false, true}},
		{"EL from column 1 of the row that goes on", 3, "0123456789ab\x1b[A\r\x1b[K", to,
			[8]bool{false, false, false, true, false, true, true, true}},
		{"EL further right", 3, "0123456789ab\x1b[A\r\x1b[4C\x1b[K", to,
			[8]bool{false, false, false, true, true, true, true, true}},
		{"EL 2 of the row that goes on", 3, "0123456789ab\x1b[A\x1b[2K", to,
			[8]bool{false, false, false, true, false, true, true, true}},
		{"EL 2 of the row that continues", 3, "0123456789ab\x1b[2K", from,
			[8]bool{true, true, true, true, false, true, false, true}},
		{"EL 1 of the whole row", 3, "0123456789ab\x1b[A\x1b[9C\x1b[1K", to,
			[8]bool{true, true, true, true, true, true, true, true}},
		{"ED there", 3, "0123456789ab\x1b[A\r\x1b[4C\x1b[J", to,
			[8]bool{false, false, false, true, false, true, false, false}},
		{"a line feed onto the row that continues", 3, "0123456789ab\x1b[A\r\n", from,
			[8]bool{true, true, true, false, true, true, false, false}},
		{"a move there", 3, "0123456789ab\x1b[A\r\x1b[B", from,
			[8]bool{true, true, true, true, true, true, true, true}},
		{"a line feed to a new row", 2, "0123456789ab\x1b[A\r\x1b[Kx\r\n\n", from - 1,
			[8]bool{false, false, false, false, false, true, false, false}},
		// The blank row goes on.
		{"IL between", 4, "0123456789ab\r\x1b[L", to, [8]bool{false, false, false, false, false, false, true, false}},
		{"IL above", 4, "\r\n0123456789ab\x1b[A\r\x1b[L", 1, [8]bool{false, true, true, true, false, true, true, true}},
		{"DL of the row that goes on", 4, "xyz\r\n0123456789ab\x1b[A\r\x1b[M", from,
			[8]bool{false, false, false, false, false, false, true, false}},
		{"its last column written again", 3, "0123456789ab\x1b[A\r\x1b[9C9\r", to,
			[8]bool{true, true, false, false, true, true, true, true}},
		{"another one written again", 3, "0123456789ab\x1b[A\r\x1b[8C8\r", to,
			[8]bool{true, true, true, false, true, true, true, true}},
		{"its last column written again by a wide character", 3, "0123456789ab\x1b[A\r\x1b[8C漢\r", to,
			[8]bool{true, true, false, false, true, true, true, true}},
	} {
		for mark, want := range c.wraps {
			term := New(Config{Cols: 10, Rows: c.rows, Scrollback: 10, Personality: Personality{Wraps: WrapMark(mark)}})
			term.Write([]byte(c.bytes))
			y := term.Cursor().Row + term.ScrollbackLen() + c.row
			var got bool
			if y < term.ScrollbackLen() {
				got = term.ScrollbackRow(y).Wrapped()
			} else {
				got = term.Row(y - term.ScrollbackLen()).Wrapped()
			}
			if got != want {
				t.Errorf("%s, mark %d: it is %v after %q", c.name, mark, got, c.bytes)
			}
		}
	}
}
