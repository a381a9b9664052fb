package vt

import "testing"

// What an erasure makes of soft wraps: in ghostty it ends the one that begins in the row, in tmux also the one that leads to it, even from history.
func TestAnErasureEndsWraps(t *testing.T) {
	for _, c := range []struct {
		ends  bool
		rows  int
		bytes string
		row   int
		wraps bool
		name  string
	}{
		{false, 3, "0123456789ab\r\x1b[K", -1, true, "ghostty: the wrap stays"},
		{true, 3, "0123456789ab\r\x1b[K", -1, false, "tmux: it ends"},
		{true, 1, "0123456789ab\r\x1b[K", -1, false, "tmux: from history, too"},
		{true, 3, "0123456789ab\x1b[K", -1, true, "tmux: only an erasure of the whole row does it"},
		{true, 3, "0123456789ab\r\x1b[K\x1b[A\x1b[9C9a\r\x1b[K", -1, false, "tmux: made again, and ended again"},
	} {
		term := New(Config{Cols: 10, Rows: c.rows, Scrollback: 10, Personality: Personality{EraseEndsWrap: c.ends}})
		term.Write([]byte(c.bytes))
		y := term.Cursor().Row + term.ScrollbackLen() + c.row
		var got bool
		if y < term.ScrollbackLen() {
			got = term.ScrollbackRow(y).Wrapped()
		} else {
			got = term.Row(y - term.ScrollbackLen()).Wrapped()
		}
		if got != c.wraps {
			t.Errorf("%s: it is %v after %q", c.name, got, c.bytes)
		}
	}
}
