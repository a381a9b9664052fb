package terminal

import (
	"strings"
	"testing"
	"time"
	"unicode"
)

// Whatever arrives, nothing that a key inserts can be a control, and the next key that is typed
// arrives.
func FuzzAnyInputIsHarmlessAndTypingGoesOn(f *testing.F) {
	seeds := []string{
		"\x1b[M\xff\xff", "\x1b[200~x", "\x1b]11;rgb", "\x1b[<0;1", "\x1b[1;", "\x1bP>|x", "\x9b31m\u009b", "a\rb\rc",
		"\x1b[48;9999999;99999999t", "\x1b[999999;999999R", "\x1b[?2027;2$y\x1b[?2031;1$y", "plainwords", "größe漢字",
	}
	for _, s := range append(seeds, replyCorpus...) {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		bubble(t, env(), func(t *testing.T, s session) {
			for rest := in; len(rest) > 0; {
				n := min(1+int(size)%40, len(rest))
				s.f.send(string(rest[:n]))
				rest = rest[n:]
				if len(s.f.in) > 900 {
					break
				}
			}
			events := s.all(10 * time.Second)
			if text := string(in); onlyLetters(text) { // it arrives as it is
				if got := strings.ReplaceAll(names(events), " ", ""); got != text {
					t.Fatalf("%q is typed, and %q comes", text, got)
				}
			}
			for _, ev := range events {
				switch ev := ev.(type) {
				case Key:
					for _, r := range ev.Text() {
						if unicode.IsControl(r) {
							t.Fatalf("%q inserts %q", in, r)
						}
					}
				case Resize:
					if ev.Cols <= 0 || ev.Rows <= 0 || ev.Cols > 1<<15 || ev.Rows > 1<<15 {
						t.Fatalf("%q: %+v", in, ev)
					}
				case CursorReport:
					if ev.Col < 0 || ev.Row < 0 {
						t.Fatalf("%q: %+v", in, ev)
					}
				}
			}
			s.f.send("x")
			if got := names(s.all(3 * time.Second)); !strings.HasSuffix(got, "x") {
				t.Fatalf("%q: then x is typed, and %q comes", in, got)
			}
			// What we write in answer is our own table, nothing of theirs.
			for _, part := range strings.SplitAfter(s.f.written(), "\x1b") {
				if len(part) > 40 {
					t.Fatalf("%q makes us write %q", in, part)
				}
			}
		})
	})
}

// onlyLetters reports whether a text is Latin and Han letters only, few enough to be keys.
func onlyLetters(text string) bool {
	other := func(r rune) bool { return !unicode.In(r, unicode.Latin, unicode.Han) }
	return len(text) < 100 && !strings.ContainsFunc(text, other)
}
