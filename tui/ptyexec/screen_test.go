package ptyexec

import (
	"bytes"
	"math/rand/v2"
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

// texts returns rows as text; a bar stands before those that may still change, and a wrapped row
// ends with a backslash.
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

// pieces are what random programs write.
var pieces = []string{"a", "word ", "\r\n", "\n", "\r", "\t", "日本", "e\u0301", "👩\u200d👧",
	"\x1b[2J", "\x1b[H", "\x1b[3A",
	"\x1b[2B", "\x1b[K", "\x1b[1K", "\x1b[31m", "\x1b[4:3;44m", "\x1b[m", "\x1b[5S", "\x1b[2T", "\x1b[3L", "\x1b[2M",
	"\x1b[2;3r", "\x1b[r", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?7l", "\x1b[?7h", "\x1b[3J", "\x1bc", "\x1b[!p", "\x1bM",
	"\x1b]8;;http://a\x07", "\x1b[", "\xff", "\x9b",
	"0123456789012345678901234567890123456789", "\x1b[6n", "\x1b[20C", "\x1b[4h",
	"\x1b[4l", "\x1b#8", "\x1b[?2004h", "\x1bP", "\x1b\\", "\u202e", "\x1b[300b", "\x1b[?3h"}

func TestRandomProgramsKeepWhatIsFinalAndTheirWidth(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		cols, rows := 1+r.IntN(30), 1+r.IntN(12)
		s := newScreen(cols, rows)
		s.liveSize = func() (int, int) { return cols, rows }
		sp := tui.Space{Width: cols}
		var stable []string // what is stable at this width, but for what is in history
		keep := func(v tui.View) {
			if v.Stable < len(stable) || v.Stable > len(v.Lines) {
				t.Fatalf("seed %d: %d stable rows, there were %d", seed, v.Stable, len(stable))
			}
			for i, l := range v.Lines {
				text := ""
				for _, s := range l.Spans {
					text += s.Text
				}
				if n := sp.Columns(text); n > sp.Width && sp.Width > 1 {
					t.Fatalf("seed %d: row %d has %d columns of %d: %q", seed, i, n, sp.Width, text)
				}
				if i < len(stable) && stable[i] != text {
					t.Fatalf("seed %d: final row %d was %q and is %q", seed, i, stable[i], text)
				}
				if i >= len(stable) && i < v.Stable {
					stable = append(stable, text)
				}
				if i > 0 && l.End < v.Lines[i-1].End || l.End == 0 && i < v.Stable {
					t.Fatalf("seed %d: End of row %d is %d", seed, i, l.End)
				}
			}
		}
		for range 60 {
			for range r.IntN(40) {
				s.write([]byte(pieces[r.IntN(len(pieces))]))
			}
			v := s.View(sp)
			keep(v)
			switch n := r.IntN(len(stable) + 1); r.IntN(6) {
			case 0: // rows go into history, and the window gets another width
				if n > 0 {
					sp.From = v.Lines[n-1].End
				}
				stable = nil
				cols, rows = 1+r.IntN(30), 1+r.IntN(12)
				sp.Width = cols
				keep(s.View(sp))
			case 1: // the block forgets rows that are in history
				if n > 0 && !v.Lines[n-1].Wrapped {
					sp.From = v.Lines[n-1].End
					stable = stable[n:]
					keep(s.View(sp))
				}
			}
		}
		s.end()
		keep(s.View(sp))
		if err := s.vt.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
