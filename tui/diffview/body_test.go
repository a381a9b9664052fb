package diffview

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

func space(w, h int) tui.Space { return tui.Space{Width: w, Height: h} }

// text returns the rows of a view as plain text, and checks what holds for all of them.
func text(t *testing.T, b *Body, s tui.Space) string {
	t.Helper()
	v := b.View(s)
	if len(v.Lines) > s.Height {
		t.Errorf("%d rows in a height of %d", len(v.Lines), s.Height)
	}
	var out []string
	for _, l := range v.Lines {
		var sb strings.Builder
		for _, sp := range l.Spans {
			sb.WriteString(sp.Text)
		}
		if w := (width.Model{}).String(sb.String()); w > s.Width {
			t.Errorf("row of %d columns in %d: %q", w, s.Width, sb.String())
		}
		if strings.ContainsFunc(sb.String(), func(r rune) bool { return r < 0x20 || r == 0x7f }) {
			t.Errorf("a control in %q", sb.String())
		}
		out = append(out, sb.String())
	}
	return strings.Join(out, "\n")
}

func press(t *testing.T, b *Body, s tui.Space, keys ...any) {
	t.Helper()
	for _, k := range keys {
		var ev tui.Key
		switch k := k.(type) {
		case rune:
			ev = tui.Key{Code: k, Alone: true}
		case tui.Key:
			ev = k
		case string:
			for _, r := range k {
				press(t, b, s, r)
			}
			continue
		}
		if !b.HandleEvent(ev, s) {
			t.Errorf("key %v was not handled", ev)
		}
	}
}

func ctrl(r rune) tui.Key { return tui.Key{Code: r, Mods: terminal.Ctrl, Alone: true} }

var lexer = []Row{
	{Kind: Hunk, Text: "@@ -118,4 +118,4 @@"},
	{Kind: Context, Old: 118, New: 118, Text: "func (l *lexer) next() rune {"},
	{Kind: Removed, Old: 119, Text: "\tif l.pos >= len(l.src) {"},
	{Kind: Added, New: 119, Text: "\tif l.pos == len(l.src) {"},
	{Kind: Context, Old: 120, New: 120, Text: "\t\treturn eof"},
}

func TestRowsKeepTheirMarkersAtEveryWidth(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, `@@ -118,4 +118,4 @@
118  118    func (l *lexer) next() rune {
119       -     if l.pos >= len(l.src) {
     119  +     if l.pos == len(l.src) {
120  120            return eof`},
		{40, `@@ -118,4 +118,4 @@
118   func (l *lexer) next() rune {
119 -     if l.pos >= len(l.src) {
119 +     if l.pos == len(l.src) {
120           return eof`},
		{20, `@@ -118,4 +118,4 @@
  func (l *lexer) ne
 ~xt() rune {
-     if l.pos >= le
-~n(l.src) {
+     if l.pos == le
+~n(l.src) {
          return eof`},
	} {
		if got := text(t, New(lexer), space(c.width, 20)); got != c.want {
			t.Errorf("at %d columns\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
}

func TestLongRowsCanBeCutAndScrolledSideways(t *testing.T) {
	b, s := New(lexer), space(20, 5)
	press(t, b, s, 'w')
	if got, want := text(t, b, s), `@@ -118,4 +118,4 @@
  func (l *lexer) n>
-     if l.pos >= l>
+     if l.pos == l>
          return eof`; got != want {
		t.Errorf("cut\n%s\nwant\n%s", got, want)
	}
	press(t, b, s, terminal.KeyRight)
	if got, want := text(t, b, s), `@@ -118,4 +118,4 @@
 <*lexer) next() ru>
-<.pos >= len(l.src>
+<.pos == len(l.src>
 <return eof`; got != want {
		t.Errorf("to the right\n%s\nwant\n%s", got, want)
	}
	press(t, b, s, terminal.KeyLeft, terminal.KeyLeft)
	if got := text(t, b, s); !strings.Contains(got, "  func (l") {
		t.Errorf("back at the left\n%s", got)
	}
}

func numbered(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Kind: Added, New: i + 1, Text: fmt.Sprintf("line %d", i+1)}
	}
	return rows
}

func TestMovingByLinePageAndEnd(t *testing.T) {
	b, s := New(numbered(61)), space(40, 18)
	for _, c := range []struct {
		key         any
		first, last int
		percent     int
	}{
		{nil, 1, 18, 30},
		{'j', 2, 19, 31},
		{terminal.KeyDown, 3, 20, 33},
		{'k', 2, 19, 31},
		{terminal.KeySpace, 19, 36, 59},
		{'b', 2, 19, 31},
		{ctrl('d'), 11, 28, 46},
		{ctrl('u'), 2, 19, 31},
		{'G', 44, 61, 100},
		{terminal.KeyPageDown, 44, 61, 100},
		{'j', 44, 61, 100},
		{'g', 1, 18, 30},
		{terminal.KeyUp, 1, 18, 30},
		{terminal.KeyEnd, 44, 61, 100},
		{terminal.KeyHome, 1, 18, 30},
	} {
		if c.key != nil {
			press(t, b, s, c.key)
		}
		text(t, b, s)
		if first, last, of, p := b.Position(); first != c.first || last != c.last || of != 61 || p != c.percent {
			t.Errorf("after %v: %d-%d of %d, %d%%; want %d-%d of 61, %d%%", c.key, first, last, of, p, c.first,
				c.last, c.percent)
		}
	}
}

func TestScrollingShowsEveryRowOfAWrappedBody(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	b, s := New([]Row{{Kind: Added, New: 1, Text: long}, {Kind: Added, New: 2, Text: "end"}}), space(12, 3)
	var seen strings.Builder
	for {
		rows := strings.Split(text(t, b, s), "\n")
		seen.WriteString(strings.TrimLeft(rows[0], "+~ "))
		if rows[len(rows)-1] == "+ end" {
			for _, r := range rows[1 : len(rows)-1] {
				seen.WriteString(strings.TrimLeft(r, "+~ "))
			}
			break
		}
		press(t, b, s, 'j')
	}
	if seen.String() != long {
		t.Errorf("scrolling showed %d of %d bytes", seen.Len(), len(long))
	}
	press(t, b, s, 'k', 'k', 'g')
	if got := text(t, b, s); !strings.HasPrefix(got, "+ 0123456789\n+~0123") {
		t.Errorf("back on top\n%s", got)
	}
}

func TestAVeryLongLineIsShownWhole(t *testing.T) {
	long := strings.Repeat("日本 ", 10000) + "end"
	b, s := New([]Row{{Kind: Added, New: 1, Text: long}}), space(62, 40)
	var seen strings.Builder
	for i := range b.rows {
		for _, l := range b.layOutRow(i, s) {
			for _, sp := range l.Spans[2:] {
				seen.WriteString(sp.Text)
			}
		}
	}
	if got := seen.String(); got != long {
		t.Errorf("%d of %d bytes are shown", len(got), len(long))
	}
	if got := text(t, b, s); strings.Count(got, "+ ") != 1 || strings.Contains(got, "·") {
		t.Errorf("more than one row begins a line, or a blank is marked:\n%s", got)
	}
	press(t, b, s, "/end")
	if _, _, _, of := b.Search(); of != 1 {
		t.Errorf("%d matches", of)
	}
}

// Where marks wrap, no row ends with one in the last column.
func TestMarksHaveRoom(t *testing.T) {
	s := tui.Space{Width: 30, Height: 20, Model: width.Model{MarksWrap: true}}
	for from := range 30 {
		b := New([]Row{{Kind: Added, New: 1, Text: strings.Repeat("a", from) + strings.Repeat("e\u0301", 60)}})
		for _, row := range strings.Split(text(t, b, s), "\n") {
			if s.Model.String(row) >= s.Width {
				t.Errorf("%q is a row of %d columns", row, s.Width)
			}
		}
	}
}

func TestHunkJumps(t *testing.T) {
	var rows []Row
	for h := range 4 {
		rows = append(rows, Row{Kind: Hunk, Text: fmt.Sprintf("@@ %d @@", h)})
		rows = append(rows, numbered(9)...)
	}
	b, s := New(rows), space(40, 6)
	for _, c := range []struct {
		key  rune
		want int
	}{{']', 11}, {']', 21}, {']', 31}, {']', 31}, {'[', 21}, {'[', 11}, {'[', 1}, {'[', 1}} {
		press(t, b, s, c.key)
		text(t, b, s)
		if first, _, _, _ := b.Position(); first != c.want {
			t.Errorf("%c: at row %d, want %d", c.key, first, c.want)
		}
	}
}

func TestSearchIsIncrementalCountedAndClosed(t *testing.T) {
	b, s := New(numbered(120)), space(40, 10)
	press(t, b, s, '/', "line 11")
	text(t, b, s)
	if q, open, at, of := b.Search(); q != "line 11" || !open || at != 1 || of != 11 {
		t.Errorf("search %q open %v, %d of %d", q, open, at, of)
	}
	if got := text(t, b, s); !strings.Contains(got, "line 11") {
		t.Errorf("the match is not in sight\n%s", got)
	}
	press(t, b, s, terminal.KeyEnter, '>', '>')
	if got := text(t, b, s); !strings.Contains(got, "line 111") {
		t.Errorf("the third match is not in sight\n%s", got)
	}
	press(t, b, s, '<', '<', '<') // around the end
	if got := text(t, b, s); !strings.Contains(got, "line 119") {
		t.Errorf("the last match is not in sight\n%s", got)
	}
	press(t, b, s, '/', "nowhere", terminal.KeyBackspace, ctrl('u'), "y n", terminal.KeyEscape)
	if q, open, _, of := b.Search(); q != "" || open || of != 0 {
		t.Errorf("after Escape: %q open %v of %d", q, open, of)
	}
	if b.HandleEvent(tui.Key{Code: terminal.KeyEscape}, s) {
		t.Error("Escape with nothing to close was taken")
	}
}

func TestSearchTakesUpperCaseAsMeant(t *testing.T) {
	b, s := New([]Row{{Text: "Straße İstanbul foo"}, {Text: "FOO"}, {Text: "Foo"}}), space(40, 10)
	for _, c := range []struct {
		text string
		want int
	}{{"foo", 3}, {"Foo", 1}, {"straße", 0}, {"İ", 1}, {"", 0}} {
		b.search = search{open: true}
		b.findText(c.text, s)
		if _, _, _, of := b.Search(); of != c.want {
			t.Errorf("%q: %d matches, want %d", c.text, of, c.want)
		}
	}
}

func TestHiddenCharactersBlanksAndEndsAreDrawn(t *testing.T) {
	b := New([]Row{
		{Kind: Added, Text: "a\x1b[31mred\u202edlrow\u200b"},
		{Kind: Added, Text: "tail  \t", Mark: "CR"},
		{Kind: Removed, Text: "x = 1"},
		{Kind: Added, Text: "x =\t1", Mark: "no newline at end"},
		{Kind: Context, Text: "context  "},
	})
	got := text(t, b, space(70, 10))
	rows := strings.Split(got, "\n")
	for i, want := range []string{"+ a␛[31mred<U+202E>dlrow<U+200B>", "+ tail··→ ", "- x·=·1",
		"+ x·=→1 [no newline at end]", "  context  "} {
		if !strings.HasPrefix(rows[i], want) {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
	if !strings.HasSuffix(rows[1], "[CR]") {
		t.Errorf("the CR is not named: %q", rows[1])
	}
	for _, r := range "\u202e\u200b\x1b" {
		if strings.ContainsRune(got, r) {
			t.Errorf("%U is in the rows", r)
		}
	}
}

func TestTokensAreNotTorn(t *testing.T) {
	b := New([]Row{{Kind: Added, Text: "12345\u202e67"}})
	for _, row := range strings.Split(text(t, b, space(10, 9)), "\n") {
		if strings.Count(row, "<") != strings.Count(row, ">") {
			t.Errorf("half a token in %q", row)
		}
	}
}

// Whatever the rows, the width and the keys: no row is too wide, there are never more than the
// height, none is empty-handed in the middle.
func FuzzViewFitsItsSpace(f *testing.F) {
	f.Add("a\nb\nc\nd\ne\nf", uint8(150), uint8(2), "jjjjkkkkG/b>wg")
	f.Add("a\tb\u202e\n日本語\n\x1b]0;x\a", uint8(9), uint8(3), "jjG/a>w\x1bk")
	f.Fuzz(func(t *testing.T, body string, w, h uint8, keys string) {
		var rows []Row
		for i, l := range strings.Split(body, "\n") {
			rows = append(rows, Row{Kind: Kind(i % 6), Old: i, New: i, Text: l})
		}
		b, s := New(rows), space(int(w)%200+4, int(h)%30+1)
		for _, k := range keys {
			b.HandleEvent(tui.Key{Code: k, Alone: true}, s)
			got := b.View(s)
			text(t, b, s)
			first, last, of, p := b.Position()
			if first < 1 || last < first || last > of || p > 100 || len(got.Lines) == 0 {
				t.Fatalf("position %d-%d of %d, %d%%, %d rows", first, last, of, p, len(got.Lines))
			}
		}
	})
}

func TestTheSidesStandBesideEachOtherOnWideScreens(t *testing.T) {
	rows := append([]Row(nil), lexer...)
	rows = append(rows, Row{Kind: Added, New: 121, Text: "new alone"},
		Row{Kind: Context, Old: 121, New: 122, Text: "}"})
	rows = append(rows, Row{Kind: Removed, Old: 122, Text: strings.Repeat("long ", 20)},
		Row{Kind: Removed, Old: 123, Text: "old alone"}, Row{Kind: Added, New: 123, Text: "short"})
	half := strings.Repeat(" ", 68)
	var want []string
	for _, r := range [][2]string{
		{"@@ -118,4 +118,4 @@", ""},
		{"118    func (l *lexer) next() rune {", "118    func (l *lexer) next() rune {"},
		{"119  -     if l.pos >= len(l.src) {", "119  +     if l.pos == len(l.src) {"},
		{"120            return eof", "120            return eof"},
		{"", "121  + new alone"},
		{"121    }", "122    }"},
		{"122  - " + strings.Repeat("long ", 12) + "l", "123  + short"},
		{"     -~ong " + strings.Repeat("long ", 6) + "long·", ""},
		{"123  - old alone", ""},
	} {
		row := r[0]
		if r[1] != "" {
			row = (row + half)[:len(half)+len(row)-len([]rune(row))] + "   " + r[1]
		}
		want = append(want, row)
	}
	if got := text(t, New(rows), space(140, 30)); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if got := text(t, New(rows), space(139, 30)); strings.Count(got, "\n") != 9 {
		t.Errorf("at 139 columns\n%s", got)
	}
}

// Every line of a body is shown once, on its side, whatever stands next to it, and scrolling down
// shows all of it.
func TestBesideShowsEveryLineOnce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var rows []Row
		for i := range 5 + r.IntN(600) {
			row := Row{Kind: Kind(r.IntN(3)), Text: fmt.Sprintf("<%d>", i)}
			if r.IntN(3) > 0 && i > 0 { // runs
				row.Kind = rows[i-1].Kind
			}
			if row.Kind != Added {
				row.Old = i + 1
			}
			if row.Kind != Removed {
				row.New = i + 1
			}
			rows = append(rows, row)
		}
		rows = append(rows, Row{Kind: Context, Old: 1, New: 1, Text: "<end>"})
		b, s := New(rows), space(150, 7)
		var seen strings.Builder
		var all []tui.Line
		for i := range b.rows {
			all = append(all, b.layOutRow(i, s)...)
		}
		for _, l := range all {
			for _, sp := range l.Spans {
				seen.WriteString(sp.Text)
			}
			seen.WriteString("\n")
		}
		for _, row := range rows {
			want := 1
			if row.Kind == Context {
				want = 2
			}
			if n := strings.Count(seen.String(), row.Text); n != want {
				t.Fatalf("seed %d: %s of kind %d is shown %d times", seed, row.Text, row.Kind, n)
			}
		}
		for range len(all) {
			text(t, b, s)
			press(t, b, s, 'j')
		}
		if _, last, of, _ := b.Position(); last != of {
			t.Fatalf("seed %d: scrolling ends at %d of %d", seed, last, of)
		}
		at := len(all)
		for ; !b.Top(); at-- {
			press(t, b, s, 'k')
			if at < 0 {
				t.Fatalf("seed %d: scrolling back does not end", seed)
			}
		}
	}
}

func TestProseBreaksAtWords(t *testing.T) {
	for _, c := range []struct {
		width int
		text  string
		want  []string
	}{
		{12, "one two three four", []string{"one two", "three four"}},
		{8, "one two three", []string{"one two", "three"}},
		{9, "abcdefghijklmnop q", []string{"abcdefghi", "jklmnop q"}},
		{12, "- one two three", []string{"- one two", "  three"}},
		{12, "  10. one two", []string{"  10. one", "      two"}},
		{12, "    code here too", []string{"    code", "    here too"}},
		{14, "reads  one two three", []string{"reads  one two", "       three"}},
		{14, "end.  one two three", []string{"end.  one two", "three"}},
		{12, "a b  one two three", []string{"a b  one two", "     three"}},
		{12, "a b c  one two three", []string{"a b c  one", "two three"}},
		{10, "ends here ", []string{"ends here"}},
		{3, "世界世界", []string{"世", "界", "世", "界"}},
		{1, "- a b", []string{"-", "a", "b"}},
		{5, "", []string{""}},
	} {
		b := New([]Row{{Kind: Prose, Text: c.text}})
		var got []string
		for _, l := range b.View(tui.Space{Width: c.width, Height: 99}).Lines {
			row := ""
			for _, s := range l.Spans {
				row += s.Text
			}
			got = append(got, strings.TrimRight(row, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q at %d columns: %q", c.text, c.width, got)
		}
	}
}
