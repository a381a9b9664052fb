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

func TestDroppedScrollbackLeavesTheScreenAlone(t *testing.T) {
	term := New(Config{Cols: 10, Rows: 3, Scrollback: 100})
	term.WriteString("1\r\n2\r\n3\r\n4\r\n5\x1b[A")
	for range 2 {
		term.DropScrollback()
		if got := strings.Join(term.Tape(), " "); got != "3 4 5" || term.ScrollbackLen() != 0 || term.Scrolled() != 2 {
			t.Errorf("%q, %d rows above it, %d ever", got, term.ScrollbackLen(), term.Scrolled())
		}
	}
	term.WriteString("x\x1b[B\r\n6\r\n7")
	if got := strings.Join(term.Tape(), " "); got != "3 4x 5 6 7" || term.ScrollbackLen() != 2 {
		t.Errorf("%q, %d rows above it", got, term.ScrollbackLen())
	}
	term.WriteString("\x1b[?1049hfull")
	term.DropScrollback()
	term.WriteString("\x1b[?1049l")
	if got := strings.Join(term.Tape(), " "); got != "5 6 7" {
		t.Errorf("%q", got)
	}
	if err := term.Check(); err != nil {
		t.Error(err)
	}
}
