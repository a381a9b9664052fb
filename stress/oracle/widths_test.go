package oracle

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/screen"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

var allContexts = flag.Bool("contexts", false, "judge code points in every context, not only alone: minutes")

// context is what stands before and after a code point; where the cursor ends up tells its width
// and its class in the break test.
type context struct{ before, after string }

func contexts() []context {
	// alone, behind a letter that joins anything, with VS16
	list := []context{{}, {before: "\u0d4e"}, {after: "\ufe0f"}}
	if !*allContexts {
		return list
	}
	list = append(list, context{after: "\ufe0e"})
	for _, s := range []string{"a", "\u1100", "\uac00", "\uac01", "\u1160", "\u11a8", "\U0001f1e6", "\u2764",
		"\U0001f44d", "\u0915\u094d", "\u0915\u0301", "\u2764\u200d", "a\u0301"} {
		list = append(list, context{before: s})
	}
	for _, s := range []string{"\u0301", "\u1160", "\u11a8", "\U0001f3fb", "\U0001f1e7", "\u0903", "\u094d\u0915",
		"\u200d\u2764", "\u0301\u200d\u2764"} {
		list = append(list, context{after: s})
	}
	return list
}

// TestEveryCodePointIsAsWideAsInTheGhosttyCore prints each (or a sample, see -codepoints), asks for
// the cursor, and compares. Planes without characters are sampled.
func TestEveryCodePointIsAsWideAsInTheGhosttyCore(t *testing.T) {
	d := start(t)
	const step = 2048
	size := screen.Size{Cols: 20, Rows: 2}
	list := contexts()
	for lo := rune(0x100); lo < 0x110000; lo += step {
		if lo >= 0x34000 && lo < 0xe0000 && lo%0x10000 != 0 || lo >= 0xf1000 && lo%0x10000 != 0 {
			continue
		}
		for _, mode := range []string{"\x1b[?2027h", "\x1b[?2027l"} {
			var b bytes.Buffer
			b.WriteString(mode)
			var runes []rune
			// a sample starts elsewhere in each block
			for r := lo + lo/step%rune(*codePoints); r < lo+step; r += rune(*codePoints) {
				if r >= 0xd800 && r <= 0xdfff {
					continue
				}
				runes = append(runes, r)
				for _, c := range list {
					b.WriteString("\r\x1b[2K" + c.before + string(r) + c.after + "\x1b[6n")
				}
			}
			term := vt.New(vt.Config{Cols: size.Cols, Rows: size.Rows})
			term.Write(b.Bytes())
			got := strings.Split(string(term.TakeReplies()), "\x1b[")
			var want []string
			script := func(yield func(screen.Op) bool) {
				_ = yield(screen.Op{Reset: &size}) && yield(screen.Op{Write: b.Bytes()}) &&
					yield(screen.Op{Dump: screen.Brief})
			}
			for dump, err := range d.Run(script) {
				if err != nil {
					t.Fatal(err)
				}
				want = strings.Split(string(dump.Replies), "\x1b[")
			}
			if len(got) != len(want) || len(got) != 1+len(runes)*len(list) {
				t.Fatalf("U+%04X: %d and %d answers to %d questions", lo, len(got)-1, len(want)-1, len(runes)*len(list))
			}
			for i, r := range runes {
				for j, c := range list {
					if k := 1 + i*len(list) + j; got[k] != want[k] {
						t.Errorf("U+%04X between %+q and %+q, %q: cursor at %s, want %s", r, c.before, c.after, mode,
							got[k], want[k])
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}
