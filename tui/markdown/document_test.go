package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// texts is the text of rows, with + at the end of those that the terminal wraps.
func texts(rows []tui.Line) []string {
	var out []string
	for _, r := range rows {
		t := ""
		for _, s := range r.Spans {
			t += s.Text
		}
		if r.Wrapped {
			t += "+"
		}
		out = append(out, t)
	}
	return out
}

func show(src string, width int) []string {
	d := &Document{}
	d.Write([]byte(src))
	return texts(d.View(tui.Space{Width: width}).Lines)
}

func TestWhatIsShown(t *testing.T) {
	for _, c := range []struct {
		name, src string
		width     int
		want      []string
	}{
		{"paragraphs wrap at words, soft breaks are spaces", "one two\nthree four\n\nfive\n", 12, []string{"one two", "three four", "", "five"}},
		{"a hard break", "one  \ntwo\\\nthree", 40, []string{"one", "two", "three"}},
		{"headings", "# One\ntext\n## Two\nmore\n", 40, []string{"One", "", "text", "", "Two", "", "more"}},
		{"a setext heading", "Title\n=====\n\ntext\n", 40, []string{"Title", "", "text"}},
		{"emphasis loses its marks", "a *b* **c** ~~d~~ `e *f*` \\*g\\* &amp; &#65;", 60, []string{"a b c d e *f* *g* & A"}},
		{"a tight list", "- one\n- two three four\n- five\n", 10, []string{"- one", "- two", "  three", "  four", "- five"}},
		{"a loose list", "1. one\n\n2. two\n", 40, []string{"1. one", "", "2. two"}},
		{"a nested list", "- a\n  - b\n    - c\n- d\n", 40, []string{"- a", "  - b", "    - c", "- d"}},
		{"an item with paragraphs and code", "1. one\n\n   more\n\n   ```\n   code\n   ```\n2. two\n", 40, []string{"1. one", "", "   more", "", "   code", "2. two"}},
		{"numbers are those of the source", "7. seven\n8. eight\n", 40, []string{"7. seven", "8. eight"}},
		{"tasks", "- [x] done\n- [ ] open\n", 40, []string{"- [x] done", "- [ ] open"}},
		{"a code block is its lines", "Text:\n\n```go\nfunc f() {\n\n\tg()\n}\n```\n\nafter\n", 40, []string{"Text:", "", "go", "func f() {", "", "        g()", "}", "", "after"}},
		{"code without a language", "Text:\n```\n# no heading\n- no item\n```\nafter\n", 40, []string{"Text:", "", "# no heading", "- no item", "", "after"}},
		{"code is wrapped by the terminal", "```\nabcdefgh\n```\n", 5, []string{"abcde+", "fgh"}},
		{"an open code block", "```\na\nb", 40, []string{"a", "b"}},
		{"longer fences hold shorter ones", "````\n```\n````\n", 40, []string{"```"}},
		{"a quote", "> one\n> two\n>\n> three\n", 40, []string{"> one two", ">", "> three"}},
		{"links show where they lead", "[text](https://x.org) <https://y.org> https://z.org [w](https://w.org)", 90, []string{"text (https://x.org) https://y.org https://z.org w (https://w.org)"}},
		{"an image", "![a cat](cat.png)", 40, []string{"image: a cat (cat.png)"}},
		{"a rule is short", "a\n\n---\n\nb\n", 40, []string{"a", "", "---", "", "b"}},
		{"html is text", "<div>\nx\n</div>\n\na <b>c</b>", 40, []string{"<div>", "x", "</div>", "", "a <b>c</b>"}},
		{"a table", "| a | number |\n|---|--:|\n| long cell | 1 |\n| b | 22 |\n", 40, []string{"a          number", "long cell       1", "b              22"}},
		{"a table that does not fit", "| a | number |\n|---|--:|\n| long cell | 1 |\n| b | 22 |\n", 12, []string{"a: long cell", "number: 1", "", "a: b", "number: 22"}},
		{"controls are shown", "a \x1b[31m b", 40, []string{"a ␛[31m b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(c.src, c.width); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

func TestStylesAreWeight(t *testing.T) {
	d := &Document{}
	d.Write([]byte("# h\n\na **b** `c` [d](https://e.org)\n"))
	th := tui.NewTheme(tui.Caps{Color: 16, Unicode: true})
	want := map[string]tui.Style{"h": th.Strong, "a ": {}, "b": {Attr: tui.Bold}, "c": th.Code, "d": {Attr: tui.Underline}, " (https://e.org)": th.Dim}
	for _, l := range d.View(tui.Space{Width: 80, Theme: th}).Lines {
		for _, s := range l.Spans {
			if w, ok := want[s.Text]; ok {
				if s.Style != w {
					t.Errorf("%q is %+v, want %+v", s.Text, s.Style, w)
				}
				if s.Text == "d" && s.Link != "https://e.org" {
					t.Errorf("the link leads to %q", s.Link)
				}
				delete(want, s.Text)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

// sample has a bit of everything.
const sample = "# Title\n\nSome *text* that is\nlong enough to wrap.\n\n- one\n- two **bold\n  more** `x`\n\n  para\n- three\n\n1. a\n2. b\n\n```go\nfunc f() {\n\n\treturn\n}\n```\n" +
	"after\n> quote\n> ```\n> code\n> ```\n\n| a | b |\n|---|---|\n| c | d |\n\nsetext\n---\n~~~\nx\n~~~\n[l](https://l.org)\n\n    indented\n\nend"

// check streams src in random pieces and compares.
func check(t *testing.T, src string, width int, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 3))
	d := &Document{}
	var stable []string
	s := tui.Space{Width: width}
	for rest := src; ; {
		v := d.View(s)
		got := texts(v.Lines)
		if v.Stable < len(stable) || v.Stable > len(got) {
			t.Fatalf("seed %d: stable went from %d to %d of %d", seed, len(stable), v.Stable, len(got))
		}
		for i := range stable {
			if got[i] != stable[i] {
				t.Fatalf("seed %d: row %d was final as %q and is %q\nsource %q", seed, i, stable[i], got[i], src)
			}
		}
		end := 0
		for i, l := range v.Lines {
			if l.End <= end {
				t.Fatalf("seed %d: row %d ends at %d, the one before at %d", seed, i, l.End, end)
			}
			end = l.End
		}
		stable = got[:v.Stable:v.Stable]
		if rest == "" {
			break
		}
		n := 1 + rnd.IntN(len(rest))
		n = min(n, 1+rnd.IntN(12))
		d.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	// From any settled row on, the rest is the rest: at the same width for all that is no table.
	v := d.View(s)
	for i := 0; i < v.Stable; i++ {
		part := &Document{parse: d.parse}
		part.Write([]byte(src))
		in := s
		in.From = v.Lines[i].End
		got, want := texts(part.View(in).Lines), texts(v.Lines[i+1:])
		if strings.Contains(src, "|") {
			continue
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("seed %d: from row %d on it is\n%q, want\n%q", seed, i, got, want)
		}
	}
}

func TestSettledRowsAreFinalWhateverFollows(t *testing.T) {
	for seed := range uint64(60) {
		check(t, sample, 10+int(seed%60), seed)
		check(t, strings.ReplaceAll(sample, "|", "/"), 20+int(seed%60), seed)
	}
}

func FuzzSettledRowsAreFinal(f *testing.F) {
	f.Add(sample, uint8(30), uint64(1))
	f.Add("- a\n\n  b\n- c\n1) d\n```\n- x\n", uint8(8), uint64(2))
	f.Fuzz(func(t *testing.T, src string, width uint8, seed uint64) {
		if len(src) > 300 {
			return
		}
		check(t, src, 12+int(width%60), seed)
	})
}

func TestLongAnswerTakesLinearTime(t *testing.T) {
	d := &Document{}
	s := tui.Space{Width: 80}
	start := time.Now()
	for i := range 3000 {
		fmt.Fprintf(d, "Paragraph %d with *some* words in it.\n\n- an item\n", i)
		d.View(s)
	}
	fmt.Fprint(d, "\n```\n")
	for i := range 20_000 {
		fmt.Fprintf(d, "code line %d\n", i)
		d.View(s)
	}
	if d.done < len(d.source)-20 {
		t.Errorf("%d of %d bytes are settled", d.done, len(d.source))
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
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
		for _, want := range []string{"Title\n\nSome text that is long enough to wrap.\n\n- one\n", "- three\n\n1. a\n2. b\n\ngo\nfunc f() {\n\n        return\n}\n\nafter", "a  b\nc  d\n\nsetext\n\nx\n\nl (https://l.org)\n\nindented\n\nend"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q is not there once:\n%s", want, got)
			}
		}
	})
}
