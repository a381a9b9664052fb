package ansi

import (
	"slices"
	"strings"
	"testing"
)

// A run of ASCII ends at any other byte, wherever that stands among those that are looked at
// together.
func TestARunOfASCIIEndsAtEveryOtherByte(t *testing.T) {
	for c := range 256 {
		for at := range 24 {
			b := []byte("0123456789abcdefghijklmn~ ")
			b[at] = byte(c)
			want := at
			if c >= 0x20 && c < 0x7f {
				want = len(b)
			}
			if got := asciiRun(b, 0); got != want {
				t.Errorf("byte %#x at %d: the run ends at %d, want %d", c, at, got, want)
			}
		}
	}
}

// runeLog keeps the characters that a parser delivers.
type runeLog struct {
	NopHandler
	got []rune
}

func (l *runeLog) Text(b []byte) {
	for _, c := range b {
		l.got = append(l.got, rune(c))
	}
}
func (l *runeLog) Runes(rs []rune) { l.got = append(l.got, rs...) }

// Four bytes that are looked at together give what they give one at a time, whatever they are.
func TestCharactersAreDecodedTogetherAsAlone(t *testing.T) {
	tails := []byte{0x41, 0x80, 0xbf, 0xc0}
	var want, got runeLog
	for first := 0xbf00; first < 1<<16; first++ {
		for i := range len(tails) * len(tails) {
			b := []byte{byte(first >> 8), byte(first), tails[i/len(tails)], tails[i%len(tails)], 'x', 'y', 'z', '.'}
			if slices.ContainsFunc(b, func(c byte) bool { return c == esc || c <= 0x0f }) {
				continue // a control or a sequence
			}
			want.got, got.got = want.got[:0], got.got[:0]
			for rest := b; len(rest) > 0; {
				r, size := DecodeRune(rest)
				want.got, rest = append(want.got, r), rest[size:]
			}
			if new(Parser).Parse(b, &got); !slices.Equal(got.got, want.got) {
				t.Fatalf("% x: got %q, want %q", b, string(got.got), string(want.got))
			}
		}
	}
}

// Characters that are ASCII, but no text for Text, end nowhere but at their end.
func TestARunOfControlsThatAreTextEnds(t *testing.T) {
	for _, in := range []string{strings.Repeat("\x7f", 100), "é" + strings.Repeat("\x10a", 100),
		"é" + strings.Repeat("a", 100), strings.Repeat("é0123456789abcde", 20)} {
		var log runeLog
		if new(Parser).Parse([]byte(in), &log); string(log.got) != in {
			t.Errorf("%q: got %q", in, string(log.got))
		}
	}
}
