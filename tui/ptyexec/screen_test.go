package ptyexec

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// shared is a buffer for two goroutines.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// texts is rows as text; a bar stands before those that may still change, and a wrapped row ends
// with a backslash.
func texts(v tui.View) string {
	var b strings.Builder
	for i, l := range v.Lines {
		if i == v.Stable {
			b.WriteString("|")
		}
		for _, s := range l.Spans {
			b.WriteString(s.Text)
		}
		if l.Wrapped && i < v.Stable {
			b.WriteString("\\")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestScreenAsRows(t *testing.T) {
	for _, c := range []struct{ name, in, live, last string }{
		{"nothing", "", "", ""},
		{"one line", "one", "|one\n", "one\n"},
		{"a row below that nothing was written to", "one\r\n", "|one\n", "one\n"},
		{"blank rows", "\r\none\r\n\r\ntwo\r\n\r\n", "\none\n|\ntwo\n\n", "\none\n\ntwo\n"},
		{"scrolled", "1\r\n2\r\n3\r\n4\r\n5\r\n6", "1\n2\n|3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n"},
		{"moved", "one\r\ntwo\r\n\x1b[2A\x1b[Kuno\x1b[2B", "|uno\ntwo\n", "uno\ntwo\n"},
		{"spaces", "a  b   \r\n\x1b[41m  \x1b[m", "|a  b\n  \n", "a  b\n  \n"},
		{"wrapped", "0123456789abc\r\nx", "|0123456789\nabc\nx\n", "0123456789\\\nabc\nx\n"},
		{"wrapped over the edge", "0123456789abcdefghijABC\r\n2\r\n3\r\n4", "|0123456789\nabcdefghij\nABC\n2\n3\n4\n",
			"0123456789\\\nabcdefghij\\\nABC\n2\n3\n4\n"},
		{"wide at the edge", "012345678日x\r\n2\r\n3\r\n4\r\n5", "012345678\\\n日x\n|2\n3\n4\n5\n",
			"012345678\\\n日x\n2\n3\n4\n5\n"},
		{"a blank at the edge", "0123456789abc\x1b[1;10H \x1b[1;9H\x1b[CX\r\n", "|012345678X\nabc\n",
			"012345678X\\\nabc\n"},
		{"cleared", "1\r\n2\x1b[2J\x1b[H3", "|3\n", "3\n"},
		{"another screen", "one\r\n\x1b[?1049h\x1b[Hfull", "|full\n", "one\n"},
		{"cut sequence", "one\x1b[3", "|one\n", "one\n"},
		{"a mark and a control", "e\u0301\u202e\x00x", "|e\u0301x\n", "e\u0301x\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScreen(10, 4)
			sp := tui.Space{Width: 10}
			for _, b := range []byte(c.in) {
				s.write([]byte{b})
			}
			if got := texts(s.View(sp)); got != c.live {
				t.Errorf("live:\n%q\nwant\n%q", got, c.live)
			}
			s.end()
			if got := texts(s.View(sp)); got != c.last {
				t.Errorf("at the end:\n%q\nwant\n%q", got, c.last)
			}
		})
	}
}
