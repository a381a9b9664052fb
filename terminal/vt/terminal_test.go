package vt

import (
	"strings"
	"testing"
)

func newTest(cols, rows, scrollback int) *Terminal {
	return New(Config{Cols: cols, Rows: rows, Scrollback: scrollback})
}

func TestTextWrapsAndScrollsIntoTheScrollback(t *testing.T) {
	term := newTest(5, 2, 10)
	term.WriteString("abcdefg\r\nx\r\ny")
	if got, want := strings.Join(term.Tape(), "|"), "abcde|fg|x|y"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got, want := strings.Join(term.Lines(), "|"), "abcdefg|x|y"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}

func TestReflowKeepsLines(t *testing.T) {
	term := newTest(10, 3, 100)
	term.WriteString("0123456789abcde\r\nhello\r\n日本語日本語\r\nlast")
	want := strings.Join(term.Lines(), "|")
	for _, cols := range []int{3, 7, 20, 4, 10} {
		term.Resize(cols, 3)
		if got := strings.Join(term.Lines(), "|"); got != want {
			t.Fatalf("%d columns: got %q, want %q", cols, got, want)
		}
	}
}
