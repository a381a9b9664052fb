package shell

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

func shownAnswer(source string, width int) []string {
	a := &answer{}
	a.write(source)
	a.finish()
	return plainRows(a.View(tui.Space{Width: width}).Lines)
}

func TestMarkdownBecomesPlainRows(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"prose wraps at words", "The typo is in line 12 of the file.", "The typo is in line\n12 of the file."},
		{"one blank row between paragraphs, none at the ends", "\n\nfirst\n\n\n\nsecond\n\n", "first\n\nsecond"},
		{"lines are kept", "river under ice\na heron waits", "river under ice\na heron waits"},
		{"headings lose their marks", "## What is new\ntext", "What is new\ntext"},
		{"a hash is no heading", "#12 is fixed", "#12 is fixed"},
		{"lists hang", "- first item that is long\n  - inner one that is long\n12. number twelve is long", "- first item that is\n  long\n  - inner one that\n    is long\n12. number twelve is\n    long"},
		{"weight loses its marks", "a **bold** and *soft* and __x__ _y_ `z*`", "a bold and soft and\nx y z*"},
		{"stars that are no marks stay", "2 * 3 * 4, a*b, **open, snake_case_name", "2 * 3 * 4, a*b,\n**open,\nsnake_case_name"},
		{"escapes", `\*not soft\* and \n`, `*not soft* and \n`},
		{"links show where they go", "see [the docs](https://a.example/x) now", "see the docs\n(https://a.example/x\n) now"},
		{"code keeps everything, its language stands above", "do this:\n```go\nfunc f() {\n\n\treturn *p  // **no**\n}\n```\nso", "do this:\ngo\nfunc f() {\n\n        return *p  /\n/ **no**\n}\nso"},
		{"a block without a language has no row for it", "```\nx\n```", "x"},
		{"an open block ends with the text", "```sh\nls", "sh\nls"},
		{"tables stay as they are", "| a | b |\n|---|---|\n| *1* | 2 |", "| a | b |\n|---|---|\n| *1* | 2 |"},
		{"quotes", "> said by somebody long ago", "> said by somebody\n> long ago"},
		{"rules are short", "a\n\n---\n\nb", "a\n\n---\n\nb"},
		{"controls are tokens", "a\x1b[2Jb\u202ec", "a␛[2Jb<U+202E>c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(shownAnswer(c.source, 20), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestCodeRowsAreWrappedByTheTerminal(t *testing.T) {
	a := &answer{}
	a.write("```\n" + strings.Repeat("x", 45) + "\n```\nprose that is too long for one row\n")
	var got []bool
	for _, l := range a.View(tui.Space{Width: 20}).Lines {
		got = append(got, l.Wrapped)
	}
	if want := []bool{true, true, false, false, false}; !reflect.DeepEqual(got, want) {
		t.Errorf("wrapped: %v, want %v", got, want)
	}
}

func TestAnAnswerIsFinalAsSoonAsItCanBe(t *testing.T) {
	a := &answer{gap: true}
	s := tui.Space{Width: 20}
	stable := func() int { return a.View(s).Stable }
	for _, c := range []struct {
		more string
		want int
	}{
		{"", 1},                 // the blank row
		{"The first row is", 1}, // its last word may become longer
		{" fully", 2},
		{" now and then **bold te", 2}, // not decided yet
		{"xt that never en", 2},
		{"ds** and more words", 4},
		{"\n", 5},
		{"```go\n", 6},
		{"x := 1\n", 7},
	} {
		a.write(c.more)
		if got := stable(); got != c.want {
			t.Errorf("after %q %d rows are final, want %d:\n%s", c.more, got, c.want, strings.Join(plainRows(a.View(s).Lines), "\n"))
		}
	}
}

// checkStream streams source in random pieces and fails if a final row changes, or if the end differs from the text given at once.
func checkStream(t *testing.T, source string, width int, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	whole := &answer{gap: true}
	whole.write(source)
	whole.finish()
	want := whole.View(tui.Space{Width: width}).Lines

	a := &answer{gap: true}
	var final []tui.Line
	check := func() {
		v := a.View(tui.Space{Width: width})
		if v.Stable < len(final) {
			t.Fatalf("seed %d, width %d, %q (%q): %d rows were final, now %d", seed, width, source, a.open, len(final), v.Stable)
		}
		if !reflect.DeepEqual(normal(v.Lines[:len(final)]), normal(final)) {
			t.Fatalf("seed %d, width %d, %q: final rows changed\n%q\nwas\n%q", seed, width, source, plainRows(v.Lines[:len(final)]), plainRows(final))
		}
		final = append([]tui.Line(nil), v.Lines[:v.Stable]...)
	}
	for rest := source; rest != ""; {
		n := min(1+rnd.IntN(6), len(rest))
		for n < len(rest) && rest[n]&0xc0 == 0x80 { // whole UTF-8 sequences
			n++
		}
		a.write(rest[:n])
		rest = rest[n:]
		check()
	}
	a.finish()
	check()
	if got := a.View(tui.Space{Width: width}).Lines; !reflect.DeepEqual(normal(got), normal(want)) {
		t.Fatalf("seed %d: streamed\n%q\nat once\n%q", seed, plainRows(got), plainRows(want))
	}
	last := 0
	for i, l := range want {
		if l.End <= last {
			t.Fatalf("row %d ends at %d after %d: %q", i, l.End, last, plainRows(want))
		}
		last = l.End
	}
	other := width/2 + 7
	if _, tokens := visible.Lines(source); tokens.Total() > 0 && min(width, other) < 24 {
		return // a token that is wider than the row is cut, here and there at different places
	}
	for _, l := range want { // a change of width goes on after any row
		b := &answer{gap: true}
		b.write(source)
		b.finish()
		rest := b.View(tui.Space{Width: other, From: l.End}).Lines
		var tail []tui.Line
		for _, w := range want {
			if w.End > l.End {
				tail = append(tail, w)
			}
		}
		if got, want := letters(rest), letters(tail); !strings.HasSuffix(got, want) && !strings.HasSuffix(want, got) || len(got) < len(want)-8 {
			t.Fatalf("%q at %d columns, from %d at %d columns:\n%q\nwant\n%q", source, width, l.End, other, got, want)
		}
	}
}

// letters is the text of rows without blanks and marks that may be repeated.
func letters(lines []tui.Line) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" >", r) {
			return -1
		}
		return r
	}, strings.Join(plainRows(lines), ""))
}

// normal is rows as they look: neighbouring spans of one style joined, Ends left out (the End of a last row moves on with its newline).
func normal(lines []tui.Line) [][]tui.Span {
	out := make([][]tui.Span, len(lines))
	for i, l := range lines {
		for _, s := range l.Spans {
			if n := len(out[i]); n > 0 && out[i][n-1].Style == s.Style && out[i][n-1].Link == s.Link {
				out[i][n-1].Text += s.Text
			} else if s.Text != "" {
				out[i] = append(out[i], s)
			}
		}
	}
	return out
}

const essay = "# Rivers\n\nA **river** under `ice` goes *on* and [on](https://a.example/very/long/path) until\nthe sea.\n\n- one item that is long enough\n  to go on\n- **two**\n\n```go\nfunc main() {\n\n\tprintln(\"**\")\n}\n```\n\n> quoted _text_ with 2 * 3\n\n| a | b |\n|---|---|\n1. last https://b.example/x. Done **never closed\n"

func TestStreamingAnEssayNeverTakesBackAFinalRow(t *testing.T) {
	for seed := range uint64(200) {
		checkStream(t, essay, 8+int(seed)%40, seed)
	}
}

func FuzzFinalRowsOfAnAnswerStay(f *testing.F) {
	f.Add(essay, uint8(20), uint64(1))
	f.Add("[a](b **c** `d", uint8(4), uint64(2))
	f.Add("日本語 **太字** テキスト\n~~~\n\x1b\n", uint8(5), uint64(3))
	f.Add(". _~\nat s(/b[\n:#- :)*/#\t.\n[|\tt[-x:ppas[\u0301s])#a\u200d日\u200d", uint8(29), uint64(209))
	f.Add("-1]😀\u200d😀|\t:- 1|:\u200d/h\u0301_\n> t.-x[>(  :\u200d>1a\n]:1|1\u200d", uint8(10), uint64(3630))
	f.Add("\u0301xa 😀😀😀\u200d😀日日", uint8(6), uint64(34))
	f.Add("x\u0301😀xa😀aa 日\u0301   \u200d😀\u200d😀x日xb", uint8(6), uint64(77))
	f.Fuzz(func(t *testing.T, source string, width uint8, seed uint64) {
		if len(source) > 300 { // the check is quadratic
			source = source[:300]
		}
		checkStream(t, strings.ToValidUTF8(source, "?"), int(width)%60+4, seed)
	})
}
