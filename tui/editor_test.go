package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// look returns the editor on a screen of its own, the caret as ▌.
func look(e *Editor, s Space) string {
	v := e.View(s)
	var rows []string
	for i, l := range v.Lines {
		t := texts([]Line{l})[0]
		if v.Cursor.Row == i {
			at, col := 0, 0
			for at < len(t) && col < v.Cursor.Col {
				c, _, w := s.Model.Next(t[at:])
				at, col = at+len(c), col+w
			}
			t = t[:at] + strings.Repeat(" ", max(v.Cursor.Col-col, 0)) + "▌" + t[at:]
		}
		rows = append(rows, t)
	}
	return strings.Join(rows, "\n")
}

// do plays keys: names of keyNames in <>, other characters as they are.
func do(t *testing.T, e *Editor, s Space, keys string) {
	t.Helper()
	for keys != "" {
		k := Key{}
		if name, rest, ok := strings.Cut(keys[1:], ">"); keys[0] == '<' && ok {
			named, ok := keyNames[name]
			if !ok {
				t.Fatalf("no key %q", name)
			}
			k, keys = named, rest
		} else {
			r := []rune(keys)[0]
			k, keys = Key{Code: r}, keys[len(string(r)):]
		}
		e.HandleEvent(k, s)
	}
}

func TestEditorKeys(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"typing", "hello", "› hello▌"},
		{"left, right, home, end", "abc<left><left>1<home>2<end>3<right>", "› 2a1bc3▌"},
		{"ctrl+a, ctrl+e, ctrl+b, ctrl+f", "abc<ctrl+a>1<ctrl+f>2<ctrl+e>3<ctrl+b>4", "› 1a2bc4▌3"},
		{"backspace and delete", "abcd<left><backspace><delete>", "› ab▌"},
		{"words", "one two_x three<ctrl+left><alt+b>1<alt+f>2", "› one 1two_x2▌ three"},
		{"kill and yank", "one two three<alt+b><ctrl+k><ctrl+a><ctrl+y>", "› three▌one two "},
		{"kills in a row are one", "one two three<ctrl+w><ctrl+w><ctrl+y>", "› one two three▌"},
		{"yank and pop", "one<ctrl+u>two<ctrl+u><ctrl+y><alt+y>", "› one▌"},
		{"ctrl+w takes to the space", "rm a_b/c-d<ctrl+w>x", "› rm x▌"},
		{"alt+backspace takes a word", "rm a_b/c-d<alt+backspace>", "› rm a_b/c-▌"},
		{"alt+d", "one two<home><alt+d>", "› ▌ two"},
		{"transpose", "ab<ctrl+t>", "› ba▌"},
		{"upper, lower, capital", "one TWO three<home><alt+u><alt+l><alt+c>", "› ONE two Three▌"},
		{"words change places", "one, two three<home><alt+f><alt+t>", "› two, one▌ three"},
		{"words at the end change places", "one two<alt+t>!", "› two one!▌"},
		{"newlines", "a<shift+enter>b<alt+enter>c<ctrl+j>d\\<enter>e", "› a\n  b\n  c\n  d\n  e▌"},
		{"up and down keep the column", "abcd<ctrl+j>x<ctrl+j>efgh<up><up>1<down><down>2", "› abcd1▌\n  x\n  ef2gh"},
		{"undo is by words", "one two<ctrl+_>", "› one▌"},
		{"undo and redo", "one<ctrl+k><ctrl+u><ctrl+_><alt+_><ctrl+_>", "› one▌"},
		{"ctrl+k at the end of a line takes the newline", "a<ctrl+j>b<up><end><ctrl+k>", "› a▌b"},
		{"a combining mark joins what is before it", "e\u0301x<left><left>1", "› 1▌e\u0301x"},
		{"an emoji family is one step", "a👩‍👩‍👧b<left><backspace>", "› a▌b"},
		{"ctrl+c clears, ctrl+y brings back", "abc<ctrl+c><ctrl+y>!", "› abc!▌"},
		{"controls do not get in as such", "a\x1bb", "› ab▌"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &Editor{}
			s := Space{Width: 40, Height: 24}
			do(t, e, s, c.keys)
			got, want := look(e, s), c.want
			if c.name == "up and down keep the column" { // the caret is where 2 was typed
				want = "› abcd1\n  x\n  efgh2▌"
				got = look(e, s)
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestEditorWrapsOneColumnBeforeTheEdge(t *testing.T) {
	e := &Editor{}
	s := Space{Width: 10, Height: 24}
	do(t, e, s, "abcdefg")
	if got := look(e, s); got != "› abcdefg▌" {
		t.Errorf("got\n%s", got)
	}
	do(t, e, s, "h")
	if got := look(e, s); got != "› abcdefg\n  h▌" {
		t.Errorf("got\n%s", got)
	}
	e.SetText("ab cdefgh ij")
	if got := look(e, s); got != "› ab \n  cdefgh \n  ij▌" {
		t.Errorf("got\n%s", got)
	}
	e.SetText("日本語日")
	if got := look(e, s); got != "› 日本語\n  日▌" {
		t.Errorf("got\n%s", got)
	}
}

func TestEditorScrollsAboveItsMaximumHeight(t *testing.T) {
	e := &Editor{MaxRows: 3}
	s := Space{Width: 20, Height: 24}
	do(t, e, s, "1<ctrl+j>2<ctrl+j>3<ctrl+j>4<ctrl+j>5")
	if got := look(e, s); got != "… 3\n  4\n  5▌" {
		t.Errorf("got\n%s", got)
	}
	do(t, e, s, "<up><up><up>")
	if got := look(e, s); got != "… 2▌\n  3\n… 4" {
		t.Errorf("got\n%s", got)
	}
	do(t, e, s, "<up>")
	if got := look(e, s); got != "› 1▌\n  2\n… 3" {
		t.Errorf("got\n%s", got)
	}
}

func TestAnEditorGrowsToTwoThirdsOfItsRows(t *testing.T) {
	e := &Editor{}
	e.SetText(strings.Repeat("row\n", 20))
	for height, want := range map[int]int{24: 16, 12: 8, 6: 4, 4: 3, 2: 2} {
		if got := len(e.View(Space{Width: 20, Height: height}).Lines); got != want {
			t.Errorf("of %d rows it takes %d, want %d", height, got, want)
		}
	}
}

func TestEditorHistoryKeepsTheDraft(t *testing.T) {
	var got []string
	e := &Editor{OnSubmit: func(s string) { got = append(got, s) }}
	s := Space{Width: 20, Height: 24}
	do(t, e, s, "one<enter>two<enter>two<enter>draft<up>")
	if l := look(e, s); l != "› two▌" {
		t.Errorf("got %s", l)
	}
	do(t, e, s, "<up>")
	if l := look(e, s); l != "› one▌" {
		t.Errorf("got %s", l)
	}
	do(t, e, s, "<up><down><down>")
	if l := look(e, s); l != "› draft▌" {
		t.Errorf("got %s", l)
	}
	if strings.Join(got, " ") != "one two two" || len(e.History) != 2 {
		t.Errorf("submitted %q, history %q", got, e.History)
	}
}

func TestEditorSubmitsNothingOnlyIfItMay(t *testing.T) {
	var got []string
	e := &Editor{OnSubmit: func(s string) { got = append(got, s) }}
	s := Space{Width: 30, Height: 24}
	do(t, e, s, "<enter>")
	if len(got) != 0 {
		t.Errorf("submitted %q", got)
	}
	e.SubmitEmpty = true
	do(t, e, s, "<enter>x<enter><enter>")
	if !slices.Equal(got, []string{"", "x", ""}) || !slices.Equal(e.History, []string{"x"}) {
		t.Errorf("submitted %q, history %q", got, e.History)
	}
}

func TestEditorSearchesItsHistory(t *testing.T) {
	var got []string
	e := &Editor{History: []string{"go test ./tui", "make run", "go vet ./tui and more"}, OnSubmit: func(s string) {
		got = append(got, s)
	}}
	s := Space{Width: 30, Height: 24}
	for _, c := range []struct{ keys, want string }{
		{"draft<ctrl+r>", "› draft\nsearch: ▌"},
		{"./tui", "› go vet ./tui and more\nsearch: ./tui▌"},
		{"<ctrl+r>", "› go test ./tui\nsearch: ./tui▌"},
		{"<ctrl+r>", "› go test ./tui\nnot found: ./tui▌"},
		{"x", "› go test ./tui\nnot found: ./tuix▌"},
		{"<backspace><backspace>", "› go vet ./tui and more\nsearch: ./tu▌"},
		{"<esc>", "› draft▌"},
		{"<ctrl+r>make<enter>", "› ▌make run"},
		{"<ctrl+_>", "› draft▌"},
		{"<ctrl+r>make<ctrl+e>!", "› make run!▌"},
		{"<enter>", "› ▌"},
		{"<ctrl+r>Q", "› \nnot found: Q▌"},
		{"<enter>", "› ▌"},
	} {
		do(t, e, s, c.keys)
		if l := look(e, s); l != c.want {
			t.Errorf("after %s:\n%s\nwant\n%s", c.keys, l, c.want)
		}
	}
	if len(got) != 1 || got[0] != "make run!" {
		t.Errorf("submitted %q", got)
	}
}

func TestLargePasteIsAChipThatSubmitsAsItsText(t *testing.T) {
	var got string
	e := &Editor{OnSubmit: func(s string) { got = s }}
	s := Space{Width: 40, Height: 24}
	big := strings.Repeat("line\n", 20)
	do(t, e, s, "see ")
	e.HandleEvent(Paste{Text: big}, s)
	do(t, e, s, "!")
	if l := look(e, s); l != "› see [pasted 20 lines]!▌" {
		t.Errorf("got %s", l)
	}
	if e.Text() != "see "+big+"!" {
		t.Errorf("text %q", e.Text())
	}
	do(t, e, s, "<left><backspace><ctrl+_><right><enter>") // the chip is one step
	if got != "see "+big+"!" {
		t.Errorf("submitted %q", got)
	}
	e.HandleEvent(Paste{Text: "a\r\nb\rc"}, s)
	if l := look(e, s); l != "› a\n  b\n  c▌" {
		t.Errorf("got %s", l)
	}
	e.HandleEvent(Paste{Text: big}, s)
	do(t, e, s, "<ctrl+o>")
	if e.Text() != "a\nb\nc"+big || len(e.wrapText(s)) < 20 {
		t.Errorf("Ctrl+O did not open the chip: %q", look(e, s))
	}
}

func TestEnterInOneReadWithAPasteDoesNotSubmit(t *testing.T) {
	submitted := 0
	e := &Editor{OnSubmit: func(string) { submitted++ }}
	s := Space{Width: 20, Height: 24}
	e.HandleEvent(Paste{Text: "rm -r x"}, s)
	if !e.HandleEvent(Key{Code: terminal.KeyEnter}, s) || submitted != 0 || e.Text() != "rm -r x" {
		t.Errorf("submitted %d times, text %q", submitted, e.Text())
	}
	e.HandleEvent(Key{Code: terminal.KeyEnter, Alone: true}, s)
	if submitted != 1 {
		t.Errorf("an Enter that was typed submitted %d times", submitted)
	}
}

func TestEditorLeavesToOthersWhatItCannotUse(t *testing.T) {
	e := &Editor{}
	s := Space{Width: 20, Height: 24}
	for _, k := range []string{"enter", "esc", "tab", "ctrl+c", "ctrl+d", "backspace", "up", "down", "left", "ctrl+z"} {
		if e.HandleEvent(keyNames[k], s) {
			t.Errorf("an empty editor takes %s", k)
		}
	}
	do(t, e, s, "x")
	for k, want := range map[string]bool{"enter": true, "esc": false, "tab": false} {
		if got := e.HandleEvent(keyNames[k], s); got != want {
			t.Errorf("%s: %v", k, got)
		}
	}
}

// The caret stays on the screen, the rows stay short, and the text is what an editor of runes would
// hold, whatever is typed.
func FuzzEditorCaretStaysInside(f *testing.F) {
	f.Add([]byte("hello world\x01\x05"), uint8(20))
	f.Add([]byte{0xe6, 0x97, 0xa5, 1, 2, 3, 4, 5, 6}, uint8(3))
	f.Fuzz(func(t *testing.T, keys []byte, w uint8) {
		e := &Editor{}
		s := Space{Width: int(w%40) + 1, Height: 10}
		codes := []Key{
			{Code: terminal.KeyLeft}, {Code: terminal.KeyRight}, {Code: terminal.KeyUp}, {Code: terminal.KeyDown},
			{Code: terminal.KeyBackspace},
			{Code: terminal.KeyDelete}, {Code: 'w', Mods: terminal.Ctrl}, {Code: 'k', Mods: terminal.Ctrl},
			{Code: 'y', Mods: terminal.Ctrl},
			{Code: 'y', Mods: terminal.Alt}, {Code: '_', Mods: terminal.Ctrl}, {Code: '_', Mods: terminal.Alt},
			{Code: 'j', Mods: terminal.Ctrl},
			{Code: 't', Mods: terminal.Ctrl}, {Code: 'b', Mods: terminal.Alt}, {Code: 'd', Mods: terminal.Alt},
			{Code: 'o', Mods: terminal.Ctrl},
			{Code: 'r', Mods: terminal.Ctrl}, {Code: 't', Mods: terminal.Alt}, {Code: 'c', Mods: terminal.Alt},
			{Code: terminal.KeyEnter},
			{Code: terminal.KeyLeft, Mods: terminal.Shift}, {Code: terminal.KeyRight, Mods: terminal.Shift},
			{Code: terminal.KeyUp, Mods: terminal.Shift}, {Code: terminal.KeyHome, Mods: terminal.Shift},
			{Code: '日'}, {Code: 0x301}, {Code: 0x200d}, {Code: '👩'},
		}
		for _, b := range keys {
			var ev Event = Key{Code: rune(b)}
			switch {
			case int(b) < len(codes):
				ev = codes[b]
			case b == 0xff:
				ev = Paste{Text: strings.Repeat("x\ty\n", int(w)%30)}
			}
			e.HandleEvent(ev, s)
			v := e.View(s)
			anew := &Editor{buf: buffer{units: e.buf.units}}
			if rows := anew.wrapText(s); !slices.Equal(e.wrapText(s), rows) {
				t.Fatalf("%q on %d: rows are %v, made anew %v", e.Text(), s.Width, e.wrapRows, rows)
			}
			if len(v.Lines) == 0 || len(v.Lines) > s.Height {
				t.Fatalf("%d rows", len(v.Lines))
			}
			if v.Cursor.Row < 0 || v.Cursor.Row >= len(v.Lines) || v.Cursor.Col < 0 || v.Cursor.Col >= max(s.Width, 2) {
				t.Fatalf("the caret is at %+v on %dx%d", *v.Cursor, s.Width, len(v.Lines))
			}
			for _, l := range v.Lines {
				if n := s.Columns(strings.TrimSuffix(texts([]Line{l})[0], "+")); n > max(s.Width-1, 1) {
					t.Fatalf("a row of %d columns on %d: %v", n, s.Width, l)
				}
			}
		}
	})
}

func TestCaretIsDrawnWhereTheTerminalsOwnIsNotWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: &Editor{}, Terminal: terminal.Config{Env: func(k string) string {
			return map[string]string{"SCROLLKEEP_HARDWARE_CURSOR": "0"}[k]
		}}}
		r := start(t, app, 20, 4)
		inverse := func(col int) bool {
			r.d.mu.Lock()
			defer r.d.mu.Unlock()
			return r.d.vt.Row(0).Cell(col).Style.Attr&vt.Inverse != 0
		}
		r.typed("a日b")
		for _, step := range []struct {
			key string
			col int
		}{{"", 6}, {"left", 5}, {"left", 3}, {"left", 2}} {
			if step.key != "" {
				r.press(step.key)
				r.settle()
			}
			for col := range 8 {
				if want := col == step.col; inverse(col) != want && col != step.col+1 {
					// The second half of a wide character is inverted too.
					t.Errorf("with the caret at %d, column %d: inverted %v", step.col, col, !want)
				}
			}
			if r.d.vt.Cursor().Visible {
				t.Error("the terminal's own is shown")
			}
		}
		r.want("› a日b")
		r.quit()
		if !r.d.vt.Cursor().Visible {
			t.Error("at the end the terminal's own is hidden")
		}
	})
}

// A line that is sent stands in the transcript in the very frame in which it leaves the editor: it
// is gone from no frame in between.
func TestASentLineIsInTheTranscriptAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Footer = &Editor{OnSubmit: func(text string) { fmt.Fprintf(app.Transcript(), "you: %s\n", text) }}
		r := start(t, app, 30, 5)
		r.press("h", "i")
		r.settle()
		r.bytes()
		r.press("enter")
		synctest.Wait() // no time passes
		if b := r.bytes(); !strings.Contains(string(b), "you: hi") {
			t.Errorf("the first frame is %q", b)
		}
		r.quit()
	})
}

func TestAChipComesBackAsAChip(t *testing.T) {
	var got string
	e := &Editor{OnSubmit: func(s string) { got = s }}
	s := Space{Width: 60, Height: 24}
	big, other := strings.Repeat("line\n", 20), strings.Repeat("x", 2000)
	do(t, e, s, "see ")
	e.HandleEvent(Paste{Text: big}, s)
	do(t, e, s, " and ")
	e.HandleEvent(Paste{Text: other}, s)
	want, text := "› see [pasted 20 lines] and [pasted 2000 bytes]▌", "see "+big+" and "+other
	if l := look(e, s); l != want {
		t.Fatalf("%s", l)
	}
	do(t, e, s, "<left><right>") // Enter in one read with a paste does not submit
	for _, back := range []struct{ name, keys string }{{"history", "<enter><up>"},
		{"search", "<enter><ctrl+r>see<enter>"}} {
		if do(t, e, s, back.keys); got != text || e.Text() != text {
			t.Errorf("%s: submitted %d bytes, %d in the prompt", back.name, len(got), len(e.Text()))
		}
		if l := strings.ReplaceAll(look(e, s), "▌", "") + "▌"; l != want {
			t.Errorf("%s: %s", back.name, l)
		}
	}
	e.SetText("edited: " + e.Text()) // as an editor gives it back
	if l := look(e, s); l != strings.Replace(want, "see", "edited: see", 1) {
		t.Errorf("set: %s", l)
	}
	e.SetText(strings.Replace(e.Text(), "line\n", "row\n", 1)) // a paste that was changed is text
	if l := look(e, s); strings.Contains(l, "20 lines") || !strings.Contains(l, "2000 bytes") {
		t.Errorf("changed: %s", l)
	}
	next := &Editor{History: e.History, Pastes: e.Pastes}
	do(t, next, s, "<up>")
	if l := look(next, s); l != want {
		t.Errorf("the next session: %s", l)
	}
}
