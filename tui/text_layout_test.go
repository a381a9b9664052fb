package tui

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// texts returns the text of rows, with + at the end of those that go on by the terminal's own wrap.
func texts(rows []Line) []string {
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

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name string
		l    Layout
		text string
		want string // rows joined by |
		ends []int
	}{
		{"no text is no row", Layout{Width: 10}, "", "", nil},
		{"a newline ends its row", Layout{Width: 10}, "a\n", "a", []int{2}},
		{"blank lines are rows", Layout{Width: 10}, "a\n\nb", "a||b", []int{2, 3, 4}},
		{"prose breaks at spaces", Layout{Width: 10}, "the quick brown fox", "the quick|brown fox", []int{10, 19}},
		{"a space at the edge hangs over", Layout{Width: 9}, "the quick brown", "the quick|brown", []int{10, 15}},
		{"a word longer than a row breaks anywhere", Layout{Width: 4}, "a bcdefghij k", "a|bcde+|fghi+|j k",
			[]int{2, 6, 10, 13}},
		{"a word longer than a row is broken where its rows hang", Layout{Width: 4, NextPrefix: []Span{{Text: " "}}},
			"abcdefgh", "abcd| efg| h", nil},
		{"a word longer than a row is broken where its width is in doubt", Layout{Width: 4}, "ab\u2764\ufe0fcdefgh",
			"ab\u2764\ufe0f|cdef+|gh", nil},
		{"prose breaks at the space before any letter", Layout{Width: 10}, "the quick \u00fcber", "the quick|\u00fcber",
			[]int{10, 15}},
		{"a hyphen inside a word is a break", Layout{Width: 10}, "one two-three", "one two-|three", []int{8, 13}},
		{"an option keeps its hyphen", Layout{Width: 9}, "use the --all", "use the|--all", []int{8, 13}},
		{"a path keeps its hyphen", Layout{Width: 14}, "see docs/one-two", "see|docs/one-two", nil},
		{"an indent does not leave a blank row", Layout{Width: 8}, "    abcdefghi", "    abcd+|efghi", []int{8, 13}},
		{"native rows are full", Layout{Width: 4, Native: true}, "ab cdefgh\nx", "ab c+|defg+|h|x",
			[]int{4, 8, 10, 11}},
		{"a native row that is just full ends", Layout{Width: 4, Native: true}, "abcd\nef", "abcd|ef", []int{5, 7}},
		{"tabs", Layout{Width: 20, Native: true}, "a\tb\tc", "a       b       c", []int{5}},
		{"prefixes hang", Layout{Width: 10, FirstPrefix: []Span{{Text: "* "}}, NextPrefix: []Span{{Text: "  "}}},
			"one two three",
			"* one two|  three", []int{8, 13}},
		{"wide characters break anywhere", Layout{Width: 5}, "日本語日本", "日本|語日|本", []int{6, 12, 15}},
		{"a wide character that does not fit wraps by itself", Layout{Width: 5, Native: true}, "日本語", "日本+|語",
			[]int{6, 9}},
		{"controls are shown", Layout{Width: 20}, "a\x1b[31mb", "a␛[31mb", []int{7}},
		{"CR LF is one line end", Layout{Width: 20}, "a\r\nb", "a|b", []int{3, 4}},
		{"a lone CR is shown", Layout{Width: 20}, "a\rb", "a␍b", []int{3}},
		{"a doubtful cluster inside a row changes nothing", Layout{Width: 10}, "a \u2764\ufe0f cdefg hi",
			"a \u2764\ufe0f cdefg|hi", []int{15, 17}},
		{"a doubtful cluster at the edge goes on", Layout{Width: 7}, "abcde \u2764\ufe0f", "abcde|\u2764\ufe0f",
			[]int{6, 12}},
		{"unless the terminal has said how wide clusters are",
			Layout{Width: 8, Model: width.Model{Method: width.Grapheme}}, "abcde \U0001f468\u200d\U0001f469",
			"abcde \U0001f468\u200d\U0001f469", nil},
		{"a family takes six columns where nobody knows it", Layout{Width: 8},
			"ab \U0001f468\u200d\U0001f469\u200d\U0001f467", "ab|\U0001f468\u200d\U0001f469\u200d\U0001f467", nil},
		{"a screen of one column", Layout{Width: 1}, "日a", "?+|a", []int{3, 4}},
		{"a letter with a mark may be the last of a row", Layout{Width: 8}, "abcde xe\u0301", "abcde xe\u0301", nil},
		{"it goes on where marks wrap", Layout{Width: 8, Model: width.Model{MarksWrap: true}}, "abcde xe\u0301",
			"abcde|xe\u0301", nil},
		{"in code, too", Layout{Width: 4, Native: true, Model: width.Model{MarksWrap: true}}, "abce\u0301f",
			"abc|e\u0301f", nil},
		{"but not one with another letter behind it", Layout{Width: 8, Model: width.Model{MarksWrap: true}},
			"abcd xe\u0301y", "abcd xe\u0301y", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := c.l.Append(nil, 0, Span{Text: c.text})
			if got := strings.Join(texts(rows), "|"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			for i, r := range rows {
				if i < len(c.ends) && r.End != c.ends[i] {
					t.Errorf("row %d ends at %d, want %d", i, r.End, c.ends[i])
				}
			}
		})
	}
}

func TestLayoutKeepsStylesOverBreaks(t *testing.T) {
	bold := Style{Attr: Bold}
	rows := Layout{Width: 8}.Append(nil, 0, Span{Text: "one tw"}, Span{Text: "o three", Style: bold}, Span{Text: " x"})
	if got := strings.Join(texts(rows), "|"); got != "one two|three x" {
		t.Fatalf("got %q", got)
	}
	if s := rows[0].Spans; len(s) != 2 || s[0].Text != "one tw" || s[1].Text != "o " && s[1].Text != "o" ||
		s[1].Style != bold {
		t.Errorf("first row %+v", s)
	}
	if s := rows[1].Spans; len(s) != 2 || s[0].Text != "three" || s[0].Style != bold || s[1].Text != " x" ||
		s[1].Style == bold {
		t.Errorf("second row %+v", s)
	}
}

func TestCutMarksWhatIsCut(t *testing.T) {
	for _, c := range []struct {
		width int
		spans []string
		want  string
	}{
		{10, []string{"short"}, "short"},
		{5, []string{"short"}, "short"},
		{4, []string{"short"}, "sho…"},
		{6, []string{"short", "er"}, "short…"},
		{5, []string{"short", "er"}, "shor…"},
		{5, []string{"short", ""}, "short"},
		{1, []string{"short"}, "…"},
		{4, []string{"日本語"}, "日…"},
		{9, []string{"a\nb\tc\x1b"}, "a b c␛"},
	} {
		var spans []Span
		for _, s := range c.spans {
			spans = append(spans, Span{Text: s})
		}
		if got := texts([]Line{Space{Width: c.width}.Cut(spans...)})[0]; got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.spans, c.width, got, c.want)
		}
	}
}

func FuzzRowsFitAndLoseNothing(f *testing.F) {
	f.Add("the quick brown fox jumps", uint8(7), false)
	f.Add("a\tb日本語\r\n\x1b[3m👩‍👩‍👧 x-y", uint8(3), true)
	f.Fuzz(func(t *testing.T, text string, w uint8, native bool) {
		l := Layout{Width: int(w%40) + 1, Native: native}
		rows := l.Append(nil, 0, Span{Text: text})
		end, seen := 0, 0
		for i, r := range rows {
			n := 0
			for _, s := range r.Spans {
				n += width.Model{}.String(s.Text)
			}
			if n > l.Width {
				t.Fatalf("row %d is %d columns wide of %d: %v", i, n, l.Width, r)
			}
			if r.Wrapped && n < l.Width-1 {
				t.Fatalf("row %d goes on and is only %d columns wide: %v", i, n, r)
			}
			if r.End <= end {
				t.Fatalf("row %d ends at %d, the one before at %d", i, r.End, end)
			}
			end = r.End
			seen += n
		}
		if end != len(text) && text != "" {
			t.Fatalf("the rows end at %d of %d", end, len(text))
		}
		// From any End on, the rest is laid out like the rest.
		for i, r := range rows {
			rest := l.Append(nil, r.End, Span{Text: text[r.End:]})
			if native && i+1 < len(rows) && strings.IndexByte(text, '\t') < 0 &&
				strings.Join(texts(rest), "|") != strings.Join(texts(rows[i+1:]), "|") {
				t.Fatalf("from %d: %q, want %q", r.End, texts(rest), texts(rows[i+1:]))
			}
		}
	})
}
