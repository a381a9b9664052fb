package console

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// left returns what output leaves, given in pieces of n bytes, 0 for all at once.
func left(output string, n int) string {
	var b strings.Builder
	s := Screen{Out: func(p []byte) { b.Write(p) }}
	for n > 0 && len(output) > n {
		_, _ = s.Write([]byte(output[:n]))
		output = output[n:]
	}
	_, _ = s.Write([]byte(output))
	s.Close()
	return b.String()
}

func TestWhatATerminalShowsAtTheEnd(t *testing.T) {
	var bar strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&bar, "\r%3d%% |%-40s| %d/3000", i/30, strings.Repeat("#", i/75), i+1)
	}
	up := "one\ntwo\nthree\n"
	for _, c := range []struct{ name, output, want string }{
		{"plain", "one\ntwo\n", "one\ntwo\n"},
		{"no newline", "one\ntwo", "one\ntwo"},
		{"blank lines", "\n\none\n\n\n", "\n\none\n\n\n"},
		{"nothing", "", ""},
		{"colours", "\x1b[1;31mred\x1b[0m \x1b(B\x1b[mplain\n", "red plain\n"},
		{"tabs and blanks at the end", "a\tb \t\n  c  \n", "a\tb \t\n  c  \n"},
		{"CR LF", "one\r\ntwo\r\r\n", "one\ntwo\n"},
		{"a CR at the end", "one\r", "one"},
		{"a progress bar", bar.String() + "\ndone\n", " 99% |" + strings.Repeat("#", 39) + " | 3000/3000\ndone\n"},
		{"a shorter line over a longer one", "longer\rshort\n", "shortr\n"},
		{"erased and written", "longer\r\x1b[Kshort\n", "short\n"},
		{"backspaces", "50%\b\b\b60%\b\b\b   \b\b\bdone\n", "done\n"},
		{"overstrike", "N\bNA\bAM\bME\bE\n", "NAME\n"},
		{"rows above", up + "\x1b[2A\x1b[2Knew\n\x1b[1B", "one\nnew\nthree\n"},
		{"up and erased, again and again", strings.Repeat("working\n\x1b[1A\x1b[2K", 50) + "done\n", "done\n"},
		{"tabs beside what moves", "a\tb\n1%\r2%\nc\td \n", "a\tb\n2%\nc\td \n"},
		{"links and titles", "\x1b]0;title\x07\x1b]8;;https://x.org\x1b\\text\x1b]8;;\x1b\\\n", "text\n"},
		{"hidden cursors", "\x1b[?25la\tb\x1b[?25h\n", "a\tb\n"},
		{"colours as grep has them", "a\t\x1b[01;31m\x1b[Kmatch\x1b[m\x1b[K\tb\n", "a\tmatch\tb\n"},
		{"a cleared screen", "old\n\x1b[H\x1b[2Jnew\n", "new\n"},
		{"a reset", "old\n\x1bcnew\n", "new\n"},
		{"the alternate screen", "before\n\x1b[?1049h\x1b[Hpanel\x1b[?1049lafter\n", "before\nafter\n"},
		{"ended on the alternate screen", "before\n\x1b[?1049h\x1b[Hpanel", "before\npanel"},
		{"line drawing", "\x1b(0lqqk\x1b(B ok\n", "┌──┐ ok\n"},
		{"SO and SI", "\x1b)0\x0e\x0fok\n", "ok\n"},
		{"other scripts", "日本語\té\u200b\n", "日本語\té\u200b\n"},
		{"wide characters overwritten", "日本語\r12\n", "12本語\n"},
		{"broken UTF-8", "a\xff\xc3\n", "a\uFFFD\uFFFD\n"},
		{"BEL and DEL", "b\x07c\x7f\n", "bc\n"},
		{"NUL between names", "a\x00b\x00\n1%\r2%\nc\x00d\n", "a\x00b\x00\n2%\nc\x00d\n"},
		{"a long line", strings.Repeat("word ", 4000) + "\nend\n", strings.Repeat("word ", 4000) + "\nend\n"},
		{"a long line beside what moves", "1\r2\n" + strings.Repeat("word ", 4000) + "\nend\n",
			"2\n" + strings.Repeat("word ", 3999) + "word\nend\n"},
		{"a longer line than a window", strings.Repeat("a", 300) + "\r" + strings.Repeat("b", 300) + "\n",
			strings.Repeat("b", 300) + "\n"},
		{"margins", "a\nb\n\x1b[1;1r\x1b[r\x1b[2;1Hx\n", "a\nx\n"},
		{"an unfinished sequence", "abc\x1b[12", "abc"},
	} {
		for _, n := range []int{0, 1, 7} {
			if got := left(c.output, n); got != c.want {
				t.Errorf("%s, in pieces of %d:\n%q, want\n%q", c.name, n, got, c.want)
			}
		}
	}
}

// What moves and what does not may alternate as it likes, and far beyond a screen.
func TestTextIsWhatTheEmulatorShows(t *testing.T) {
	words := []string{"word", "a longer piece of text", "7", " ", "é", "日本", "\r", "\r\n", "\n", "\n", "\n", "\b",
		"\x1b[K", "\x1b[2K", "\x1b[A", "\x1b[3A", "\x1b[2B", "\x1b[J", "\x1b[1m", "\x1b[m", "\x1b[5G", "\x1b[C",
		"\x1b7",
		"\x1b8", "\x1b[L", "\x1b[M", "\x1b[P", "\x1b[2@", "\x1b[?25l", "\x1b]0;x\x07"}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		plain := rng.IntN(2) == 0
		var b strings.Builder
		for range rng.IntN(2000) {
			word := words[rng.IntN(len(words))]
			if plain && rng.IntN(20) > 0 && word != "\n" {
				word = "plain"
			}
			b.WriteString(word)
		}
		output := b.String()
		want := shown(output)
		for _, n := range []int{0, 1 + rng.IntN(100)} {
			if got := trimmed(left(output, n)); got != want {
				t.Fatalf("seed %d, in pieces of %d: %q gives\n%s\nwant\n%s", seed, n, output, got, want)
			}
		}
	}
}

// shown returns the tape of an emulator of the same size.
func shown(output string) string {
	term := vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 10_000})
	_, _ = term.WriteString(strings.ReplaceAll(output, "\n", "\r\n"))
	return trimmed(strings.Join(term.Lines(), "\n"))
}

// trimmed returns text without the blanks at the ends of its lines, and without blank ones at its
// end.
func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// How output is cut makes no difference, whatever it is. What is plain stays as it is.
func FuzzScreens(f *testing.F) {
	for _, seed := range []string{"a\tb \n", "1\r2\x1b[A\n", "\xff\x1b[?1049h\x1b(0q", "\x1b[2J\x1b[H\x1bc\x00",
		"日\b\b\x1b[3g"} {
		f.Add([]byte(seed), 1)
	}
	f.Fuzz(func(t *testing.T, output []byte, n int) {
		n = max(n%64, -n%64) + 1
		whole := left(string(output), 0)
		if got := left(string(output), n); got != whole {
			t.Fatalf("%q in pieces of %d:\n%q, want\n%q", output, n, got, whole)
		}
		plain := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				return -1
			}
			return r
		}, strings.ToValidUTF8(string(output), ""))
		if got := left(plain, n); got != plain {
			t.Fatalf("%q gives %q", plain, got)
		}
	})
}

func TestATailIsTheEndOfWhatIsShown(t *testing.T) {
	for _, c := range []struct {
		name, output, want string
		cut                bool
	}{
		{"all", "one\n1%\r2%", "one\n2%", false},
		{"a line of many", strings.Repeat("line\n", 1000) + "1%\r2%", strings.Repeat("line\n", 19) + "2%", true},
		{"within a line", strings.Repeat("日", 1000), strings.Repeat("日", 33), true},
		{"written over", strings.Repeat("\rstep", 1000), "step", false},
	} {
		for _, n := range []int{1, 7, 10_000} {
			tail := Tail{Limit: 100}
			for p := range slices.Chunk([]byte(c.output), n) {
				_, _ = tail.Write(p)
			}
			if got, cut := tail.Text(); got != c.want || cut != c.cut {
				t.Errorf("%s, in pieces of %d: %q, %v, want %q", c.name, n, got, cut, c.want)
			}
		}
	}
}
