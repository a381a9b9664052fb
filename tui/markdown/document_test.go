package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// texts returns the text of rows, with + at the end of those that the terminal wraps.
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
		{"paragraphs wrap at words, soft breaks are spaces", "one two\nthree four\n\nfive\n", 12,
			[]string{"one two", "three four", "", "five"}},
		{"a hard break", "one  \ntwo\\\nthree", 40, []string{"one", "two", "three"}},
		{"headings", "# One\ntext\n## Two\nmore\n", 40, []string{"One", "", "text", "", "Two", "", "more"}},
		{"no setext heading", "Title\n-----\ntext\n", 40, []string{"Title", "", "---", "", "text"}},
		{"emphasis loses its marks", "a *b* **c** ~~d~~ `e *f*` \\*g\\* &amp; &#65;", 60,
			[]string{"a b c d e *f* *g* & A"}},
		{"a tight list", "- one\n- two three four\n- five\n", 10,
			[]string{"- one", "- two", "  three", "  four", "- five"}},
		{"a loose list", "1. one\n\n2. two\n", 40, []string{"1. one", "", "2. two"}},
		{"a nested list", "- a\n  - b\n    - c\n- d\n", 40, []string{"- a", "  - b", "    - c", "- d"}},
		{"an item with paragraphs and code", "1. one\n\n   more\n\n   ```\n   code\n   ```\n2. two\n", 40,
			[]string{"1. one", "", "   more", "", "   code", "2. two"}},
		{"numbers are those of the source", "7. seven\n8. eight\n", 40, []string{"7. seven", "8. eight"}},
		{"tasks", "- [x] done\n- [ ] open\n", 40, []string{"[x] done", "[ ] open"}},
		{"a code block is its lines", "Text:\n\n```go\nfunc f() {\n\n\tg()\n}\n```\n\nafter\n", 40,
			[]string{"Text:", "", "func f() {", "", "        g()", "}", "", "after"}},
		{"code without a language", "Text:\n```\n# no heading\n- no item\n```\nafter\n", 40,
			[]string{"Text:", "", "# no heading", "- no item", "", "after"}},
		{"code is wrapped by the terminal", "```\nabcdefgh\n```\n", 5, []string{"abcde+", "fgh"}},
		{"an open code block", "```\na\nb", 40, []string{"a", "b"}},
		{"longer fences hold shorter ones", "````\n```\n````\n", 40, []string{"```"}},
		{"a quote", "> one\n> two\n>\n> three\n", 40, []string{"> one two", ">", "> three"}},
		{"links show where they lead", "[text](https://x.org) <https://y.org> https://z.org [w](https://w.org)", 90,
			[]string{"text (https://x.org) https://y.org https://z.org w (https://w.org)"}},
		{"an image", "![a cat](cat.png)", 40, []string{"image: a cat (cat.png)"}},
		{"a rule is short", "a\n\n---\n\nb\n", 40, []string{"a", "", "---", "", "b"}},
		{"html is text", "<div>\nx\n</div>\n\na <b>c</b>", 40, []string{"<div>", "x", "</div>", "", "a <b>c</b>"}},
		{"a table", "| a | number |\n|---|--:|\n| long cell | 1 |\n| b | 22 |\n", 40,
			[]string{"a          number", "long cell       1", "b              22"}},
		{"a table that does not fit", "| a | number |\n|---|--:|\n| long cell | 1 |\n| b | 22 |\n", 12,
			[]string{"a: long cell", "number: 1", "", "a: b", "number: 22"}},
		{"controls are shown", "a \x1b[31m b", 40, []string{"a ␛[31m b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(c.src, c.width); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// Where marks wrap, no row ends with one in the last column.
func TestMarksHaveRoom(t *testing.T) {
	m := width.Model{MarksWrap: true}
	for cols := 4; cols < 40; cols++ {
		d := &Document{}
		d.Write(
			[]byte("| a | cafe\u0301 |\n|---|--:|\n| cafe\u0301 | une\u0301 |\n\n- e\u0301te\u0301 and cafe\u0301\n\n" +
				"```\ncafe\u0301e\u0301e\u0301\n```\n"))
		for _, row := range texts(d.View(tui.Space{Width: cols, Model: m}).Lines) {
			if strings.HasSuffix(row, "\u0301") && m.String(row) >= cols {
				t.Errorf("%q is a row of %d columns", row, cols)
			}
		}
	}
}

func TestStylesAreWeight(t *testing.T) {
	d := &Document{}
	d.Write([]byte("# h\n\n## i\n\n### j\n\n#### k\n\na **b** `c` [d](https://e.org)\n"))
	th := tui.NewTheme(tui.Caps{Color: 16, Unicode: true})
	want := map[string]tui.Style{"h": th.Strong.With(tui.Underline), "i": th.Strong,
		"j": {Attr: tui.Underline}, "k": {Attr: tui.Italic}, "a ": {}, "b": {Attr: tui.Bold}, "c": th.Code,
		"d": {Attr: tui.Underline}, " (https://e.org)": th.Dim}
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

func TestLastCodeIsWhatIsCopied(t *testing.T) {
	for _, c := range [][2]string{
		{"a\n", ""},
		{"```go\nx\n```\nthen\n~~~\ny\n```\n~~~\nend", "y\n```\n"},
		{"1. do\n   ```sh\n   ls\n     -l\n   ```\n", "ls\n  -l\n"},
		{"```\nopen", "open\n"},
		{"```a`b```\n", ""},
	} {
		if got := LastCode(c[0]); got != c[1] {
			t.Errorf("of %q it is %q, want %q", c[0], got, c[1])
		}
	}
}
