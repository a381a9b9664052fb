package markdown

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/code"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// sample has a bit of everything.
const sample = "# Title\n\nSome *text* that is\nlong enough to wrap.\n\n- one\n- two **bold\n  more** `x`\n\n  para\n" +
	"- three\n\n1. a\n2. b\n\n```go\nfunc f() {\n\n\treturn\n}\n```\n" +
	"after\n> quote\n> ```\n> code\n> ```\n\n| a | b |\n|---|---|\n| c | d |\n\nsetext\n---\n~~~\nx\n~~~\n" +
	"[l](https://l.org)\n\n    indented\n\nend"

// essay is what models write.
const essay = "# Rivers\n\nA **river** under `ice` goes *on* and [on](https://a.example/very/long/path) until\n" +
	"the sea. It has 3 [arms] and 2 * 3 banks_of_mud, http://b.example/a_b_c.\n\n" +
	"1. **First**: do this, and then that:\n   ```sh\n   ls -l | wc\n\n   make test  # **no**\n   ```\n   and so on\n" +
	"   - inner one\n   - [x] inner two\n\n   a paragraph of it\n2. Second\n" +
	"- one item that is long enough\n  to go on\n- **two** ~~three~~\n\n```go\nfunc main() {\n\n\tprintln(\"**\")\n" +
	"}\n```\n\n> quoted _text_ with 2 * 3\n\n| a | b |\n|---|---|\n| c | dd |\n" +
	"last https://b.example/x. Done **never closed\n"

// looks returns rows as they look: neighbouring spans of one style joined, Ends left out.
func looks(rows []tui.Line) [][]tui.Span {
	out := make([][]tui.Span, len(rows))
	for i, l := range rows {
		for _, s := range l.Spans {
			if n := len(out[i]); n > 0 && out[i][n-1].Style == s.Style && out[i][n-1].Link == s.Link {
				out[i][n-1].Text += s.Text
			} else if s.Text != "" {
				out[i] = append(out[i], s)
			}
		}
		if l.Wrapped {
			out[i] = append(out[i], tui.Span{Text: "(wrapped)"})
		}
	}
	return out
}

// letters returns the text of rows without blanks and the marks that a change of width may repeat.
func letters(rows []tui.Line) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" >+|", r) {
			return -1
		}
		return r
	}, strings.Join(texts(rows), ""))
}

// check streams src in random pieces: a final row never changes, the end is what the text is when
// it is given at once, and a change of width goes on after any row without losing a letter.
func check(t *testing.T, src string, width int, seed uint64) {
	t.Helper()
	options, s, all := checkStream(t, src, width, seed)
	checkWidths(t, src, options, s, all, seed)
}

// checkStream streams src in random pieces: a final row never changes, and the end is what the text
// is when it is given at once.
func checkStream(t *testing.T, src string, width int, seed uint64) (Document, tui.Space, []tui.Line) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 3))
	s := tui.Space{Width: width, Native: seed%4 == 1, Theme: tui.NewTheme(tui.Caps{Color: 16, Unicode: true})}
	options := Document{Gap: seed%2 == 0, Dim: seed%5 == 0, Breaks: seed%3 > 0}
	d := options
	var final []tui.Line
	for rest := src; ; {
		v := d.View(s)
		if v.Stable < len(final) || v.Stable > len(v.Lines) {
			t.Fatalf("seed %d, width %d: %d of %d rows are final, and were %d\nsource %q of %q", seed, width, v.Stable,
				len(v.Lines), len(final), d.source, src)
		}
		if got, want := looks(v.Lines[:len(final)]), looks(final); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, width %d: final rows are\n%v, were\n%v\nsource %q of %q", seed, width, got, want,
				d.source, src)
		}
		end := 0
		for i, l := range v.Lines {
			if l.End <= end {
				t.Fatalf("seed %d: row %d ends at %d, the one before at %d", seed, i, l.End, end)
			}
			end = l.End
		}
		final = append([]tui.Line(nil), v.Lines[:v.Stable]...)
		for i := range final {
			final[i].Spans = append([]tui.Span(nil), final[i].Spans...)
		}
		if rest == "" {
			break
		}
		n := min(1+rnd.IntN(12), len(rest))
		for n < len(rest) && rest[n]&0xc0 == 0x80 { // whole UTF-8 sequences
			n++
		}
		_, _ = d.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	whole := options
	_, _ = whole.Write([]byte(src))
	all := whole.View(s).Lines
	if got, want := looks(d.View(s).Lines), looks(all); !reflect.DeepEqual(got, want) {
		t.Fatalf("seed %d, width %d: streamed\n%v, at once\n%v\nsource %q", seed, width, got, want, src)
	}
	return options, s, all
}

// checkWidths checks that src goes on at another width behind each row of all, and loses no letter.
func checkWidths(t *testing.T, src string, options Document, s tui.Space, all []tui.Line, seed uint64) {
	t.Helper()
	width, other := s.Width, s.Width/2+7
	if _, tokens := visible.Lines(src); tokens.Total() > 0 && min(width, other) < 24 || strings.Contains(src, "|") {
		return // a token wider than the row is cut at other places; tables see TestATableGoesOn...
	}
	for _, l := range all {
		b := options
		_, _ = b.Write([]byte(src))
		at := s
		at.Width, at.From = other, l.End
		rest := b.View(at).Lines
		var tail []tui.Line
		for _, w := range all {
			if w.End > l.End {
				tail = append(tail, w)
			}
		}
		if got, want := letters(rest), letters(tail); !strings.HasSuffix(got, want) && !strings.HasSuffix(want, got) ||
			len(got) < len(want)-8 {
			t.Fatalf("seed %d: %q at %d columns, from %d at %d columns:\n%q\nwant\n%q", seed, src, width, l.End,
				other, got, want)
		}
	}
}

// colourful has code whose colours depend on the lines above and on the rest of the line.
const colourful = "```python\nx = 1  # \"\"\"\ns = \"\"\"if\nfor if\n\"\"\" + else_ if\n```\n- a\n\n" +
	"  ```go\n  /* if\n  for */ func f() int { return 0x10 }\n  ```\n\n```go\nreturn returning func functional\n" +
	"/* a\nfunc */ var s = `a\nfunc` // if\n```\n~~~sh\nif true; then echo \"fi\nfi\"; fi\n~~~\nend\n"

func TestFinalRowsAreFinalWhateverFollows(t *testing.T) {
	for seed := range uint64(60) {
		check(t, sample, 8+int(seed), seed)
		check(t, essay, 8+int(seed), seed)
		check(t, colourful, 8+int(seed), seed)
	}
	long := "```go\n" + strings.Repeat("return \"if\" ", maxColouredLineBytes/10) +
		"\nfunc f()\n```\n- a\n  ```go\n  " +
		strings.Repeat("func x ", maxColouredLineBytes/6) + "\n  for\n"
	check(t, long, 40, 1)
	check(t, long, 33, 2)
}

func TestCodeInAnAnswerHasTheColoursOfADiff(t *testing.T) {
	th := tui.NewTheme(tui.Caps{Color: 16, Unicode: true})
	for name, src := range map[string]string{
		"a block":    "```go\n/* a\nb */ return \"x\"\n```\n",
		"in an item": "- i\n\n  ```go\n  /* a\n  b */ return \"x\"\n  ```\n",
	} {
		d := &Document{}
		_, _ = d.Write([]byte(src))
		got := map[string]tui.Style{}
		for _, l := range d.View(tui.Space{Width: 40, Theme: th}).Lines {
			for _, s := range l.Spans {
				got[s.Text] = s.Style
			}
		}
		for text, class := range map[string]code.Class{"/* a": code.Comment, "b */": code.Comment,
			"return": code.Keyword, "\"x\"": code.String} {
			if style, ok := got[text]; !ok || style != class.Style(th) {
				t.Errorf("%s: %q is %+v, want %+v, of %v", name, text, style, class.Style(th), got)
			}
		}
	}
}

func FuzzFinalRowsAreFinal(f *testing.F) {
	f.Add(sample, uint8(30), uint64(1))
	f.Add(essay, uint8(20), uint64(1))
	f.Add("- a\n\n  b\n- c\n1) d\n```\n- x\n", uint8(8), uint64(2))
	f.Add("[a](b **c** `d", uint8(4), uint64(2))
	f.Add("日本語 **太字** テキスト\n~~~\n\x1b\n", uint8(5), uint64(3))
	f.Add(". _~\nat s(/b[\n:#- :)*/#\t.\n[|\tt[-x:ppas[\u0301s])#a\u200d日\u200d", uint8(29), uint64(209))
	f.Add("-1]😀\u200d😀|\t:- 1|:\u200d/h\u0301_\n> t.-x[>(  :\u200d>1a\n]:1|1\u200d", uint8(10), uint64(3630))
	f.Add("\u0301xa 😀😀😀\u200d😀日日", uint8(6), uint64(34))
	f.Add("x\u0301😀xa😀aa 日\u0301   \u200d😀\u200d😀x日xb", uint8(6), uint64(77))
	f.Fuzz(func(t *testing.T, src string, width uint8, seed uint64) {
		if len(src) > 300 { // the check is quadratic
			src = src[:300]
		}
		check(t, strings.ToValidUTF8(src, "?"), int(width)%60+4, seed)
	})
}

func TestProseIsFinalAsSoonAsItCanBe(t *testing.T) {
	d := &Document{Gap: true, Breaks: true}
	s := tui.Space{Width: 20}
	// An underline could still make a heading of a line that is shorter, so that none of it is
	// final.
	const long = "It begins with a line that is longer than any line which could become one.\n"
	_, _ = d.Write([]byte(long))
	before := d.View(s).Stable
	if before != 4 {
		t.Errorf("%d rows of %q are final", before, long)
	}
	for _, c := range []struct {
		more string
		want int
	}{
		{"The first row is", 1},    // its last word may become longer
		{" fully here now", 2},     //
		{" and then **bold te", 3}, // not decided yet
		{"xt that never en", 3},    // the words before the mark are
		{"ds** and more words", 4}, //
		{" of it.\n\n```go\n", 7},  //
		{"x := ", 7},               // a colour may come from what follows
		{"1\n", 8},                 //
		{"```\n1. An item with a lot of words, and\n   `c", 10}, // words of an item
		{"ode` and more:\n   ```\n   ls\n   make", 14},          // lines of code in it
	} {
		_, _ = d.Write([]byte(c.more))
		if v := d.View(s); v.Stable != before+c.want {
			t.Errorf("after %q %d rows are final, want %d:\n%s", c.more, v.Stable, c.want,
				strings.Join(texts(v.Lines), "\n"))
		}
	}
}

// What is copied is one line: a URL that is longer than a row always, a paragraph and an item if
// the app wants it so.
func TestWhatIsCopiedIsOneLine(t *testing.T) {
	const url = "https://example.org/a-path/that-is/longer-than/any-row/of-this/screen?and=has-a-query#as-well"
	words := strings.TrimSpace(strings.Repeat("many words ", 20))
	for _, native := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Native: native, Footer: tui.NewText("f")}
			s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 8})
			out := app.Transcript().Stream(&Document{})
			for _, part := range strings.SplitAfter("See "+url+" there.\n\n"+words+"\n\n- item "+words+"\n- end\n",
				" ") {
				_, _ = out.Write([]byte(part))
				<-time.After(40 * time.Millisecond)
			}
			out.Close()
			s.Settle()
			for _, cols := range []int{40, 33, 60} {
				s.Resize(cols, 8)
				<-time.After(time.Second)
				s.Settle()
				all := "\n" + strings.Join(s.Lines(), "\n") + "\n"
				if !strings.Contains(all, url) {
					t.Errorf("native %v, %d columns: the URL is broken:%s", native, cols, all)
				}
				for _, line := range []string{words, "- item " + words, "See " + url + " there."} {
					if strings.Contains(all, "\n"+line+"\n") != native {
						t.Errorf("native %v, %d columns: as a line of its own, %v: %q in%s", native, cols,
							!native, line, all)
					}
				}
			}
		})
	}
}

func TestATableGoesOnAtAnotherWidth(t *testing.T) {
	src := "| name | what it is |\n|---|---|\n| one | the first |\n| two | the second |\n" +
		"| three | the third of them |\n"
	for _, widths := range [][2]int{{40, 12}, {12, 40}, {12, 15}, {40, 50}} {
		d := &Document{}
		_, _ = d.Write([]byte(src))
		all := d.View(tui.Space{Width: widths[0]}).Lines
		for i, l := range all {
			shown := letters(all[:i+1]) + letters(d.View(tui.Space{Width: widths[1], From: l.End}).Lines)
			for _, cell := range []string{"one", "thefirst", "two", "thesecond", "three", "thethirdofthem"} {
				n := strings.Count(shown, cell)
				if n < 1 || n > 2 || n == 2 && l.End%rowUnits == 0 { // a row that is cut is begun anew
					t.Errorf("%v, cut behind row %d: %q is there %d times in %q", widths, i, cell, n, shown)
				}
			}
		}
	}
}

// inLetters returns the letters of a tape.
func inLetters(lines []string) string {
	var rows []tui.Line
	for _, l := range lines {
		rows = append(rows, tui.Line{Spans: []tui.Span{{Text: l}}})
	}
	return letters(rows)
}

// An answer in random pieces, on a screen that changes its size at any time, is in the tape once,
// whole and in order.
func TestAnAnswerIsInTheTapeOnceAtAnyChunkingAndSize(t *testing.T) {
	src := strings.ReplaceAll(strings.Repeat(essay+"\n", 3), "|", "") // a table is begun anew where it is cut
	whole := &Document{Breaks: true}
	_, _ = whole.Write([]byte(src))
	want := letters(whole.View(tui.Space{Width: 80}).Lines)
	for seed := range uint64(90) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			// A lower window may leave open rows behind, in doubt.
			height := 12 + rnd.IntN(20)
			// rows that are open and do not fit leave residue
			size := func() (int, int) { return 24 + rnd.IntN(80), height }
			app := &tui.App{}
			cols, rows := size()
			s := tuitest.Start(t, app, tuitest.Config{Cols: cols, Rows: rows})
			out := app.Transcript().Stream(&Document{Breaks: true})
			resizes := 0
			for rest := src; rest != ""; {
				n := min(1+rnd.IntN(60), len(rest))
				_, _ = out.Write([]byte(rest[:n]))
				rest = rest[n:]
				switch rnd.IntN(12) {
				case 0:
					s.Settle()
					// A frame just before a size may leave a live row behind, in doubt.
					<-time.After(20 * time.Millisecond)
					for range 1 + rnd.IntN(2) { // the second one comes before the first one's frame
						s.Resize(size())
						resizes++
					}
				case 1, 2, 3:
					s.Settle()
				}
			}
			out.Close()
			s.Settle()
			app.Quit(nil)
			s.Wait()
			if got := inLetters(s.Lines()); got != want {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Errorf("seed %d, %d resizes: from byte %d of %d on the tape is\n%.200q, want\n%.200q", seed, resizes,
					at, len(want), got[at:], want[at:])
			}
		})
	}
}

func TestAnswerStreamsIntoHistoryAndSurvivesAResize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: tui.NewText("footer")}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 8})
		out := app.Transcript().Stream(&Document{})
		for i, r := range sample {
			fmt.Fprint(out, string(r))
			if i%7 == 0 {
				s.Settle()
			}
			if i == 200 {
				s.Resize(60, 9)
			}
		}
		out.Close()
		s.Settle()
		app.Quit(nil)
		s.Wait()
		got := strings.Join(s.Lines(), "\n")
		for _, want := range []string{"Title\n\nSome text that is long enough to wrap.\n\n- one\n",
			"- three\n\n1. a\n2. b\n\nfunc f() {\n\n        return\n}\n\nafter",
			"a  b\nc  d\n\nsetext\n\n---\n\nx\n\nl (https://l.org)\n\nindented\n\nend"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q is not there once:\n%s", want, got)
			}
		}
	})
}
