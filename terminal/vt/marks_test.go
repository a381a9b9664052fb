package vt

import "testing"

// The row has its marks, however many, but the cursor is on the next one as soon as the first has
// come. Where nothing wraps, or the cursor has been moved, they are those of the character before
// the cursor.
func TestAMarkBehindAFullRowWraps(t *testing.T) {
	for _, tt := range []struct {
		wraps    bool
		text     string
		want     string
		row, col int
	}{
		{false, "abce\u0301", "abce\u0301", 0, 3},
		{true, "abce\u0301", "abce\u0301", 1, 0},
		{true, "abce\u0323\u0300", "abce\u0323\u0300", 1, 0},
		{true, "ab\u6f22\u0301", "ab\u6f22\u0301", 1, 0},
		{true, "abc\u2764\ufe0f", "abc\u2764\ufe0f", 1, 0},
		{true, "abc\u00e9", "abc\u00e9", 0, 3},
		{true, "abe\u0301", "abe\u0301", 0, 3},
		{true, "\x1b[?7labce\u0301", "abc\u0301e", 0, 3},
		{true, "abce\b\x1b[4G\u0301", "abc\u0301e", 0, 3},
	} {
		term := New(Config{Cols: 4, Rows: 3, Personality: Personality{NoGraphemeClusters: true, MarksWrap: tt.wraps}})
		if _, err := term.Write([]byte(tt.text)); err != nil {
			t.Fatal(err)
		}
		if c := term.Cursor(); c.Row != tt.row || c.Col != tt.col {
			t.Errorf("%v %q: the cursor is at %d, %d, want %d, %d", tt.wraps, tt.text, c.Row, c.Col, tt.row, tt.col)
		}
		if got := term.Screen()[0]; got != tt.want {
			t.Errorf("%v %q: the row is %q, want %q", tt.wraps, tt.text, got, tt.want)
		}
	}
}
