package vt

import "testing"

// As measured in tmux 3.3a.
func TestTmuxTearsALineBeforeAWideCharacter(t *testing.T) {
	term := New(Config{Cols: 10, Rows: 8, Scrollback: 100, Personality: Personality{ReflowTears: true, ReflowAlways: true, ReflowBlanks: BlankIsARow}})
	term.Write([]byte("0123456789abcdefghij漢字\r\none\r\ntwo"))
	term.Resize(21, 8)
	rows := []string{"0123456789abcdefghij", "漢字", "one", "two", ""}
	for i, want := range rows {
		if got := term.Row(i); got.Text() != want || got.Wrapped() {
			t.Errorf("row %d is %q, wrapped %v, want %q", i, got.Text(), got.Wrapped(), want)
		}
	}
	if c := term.Cursor(); c.Row != 2 || c.Col != 3 {
		t.Errorf("the cursor is on row %d in column %d, want 2 and 3", c.Row, c.Col)
	}
}
