package tui

import (
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
)

func TestTextOfAnEditorIsMarkedAndReplaced(t *testing.T) {
	s := Space{Width: 12, Height: 30}
	key := func(code rune, mods Mod) Key { return Key{Code: code, Mods: mods} }
	shift := func(code rune) Key { return key(code, terminal.Shift) }
	left, right := shift(terminal.KeyLeft), shift(terminal.KeyRight)
	up, down := shift(terminal.KeyUp), shift(terminal.KeyDown)
	wordLeft := key(terminal.KeyLeft, terminal.Shift|terminal.Ctrl)
	toStart := key(terminal.KeyHome, terminal.Shift|terminal.Ctrl)
	erase, typed := Key{Code: terminal.KeyBackspace}, Key{Code: 'x'}
	const text = "one two\nthr\u00e9\u0301\u00e8 漢字"
	for name, c := range map[string]struct {
		keys           []Event
		text, selected string
	}{
		"to the left":              {[]Event{left, left}, text, "漢字"},
		"back again":               {[]Event{left, left, right, right}, text, ""},
		"by words":                 {[]Event{wordLeft, wordLeft}, text, "thr\u00e9\u0301\u00e8 漢字"},
		"by rows, not history":     {[]Event{up, up, up, up}, text, text},
		"down to the end":          {[]Event{key(terminal.KeyHome, terminal.Ctrl), down, down, down}, text, text},
		"to the start":             {[]Event{toStart}, text, text},
		"to the start of a line":   {[]Event{shift(terminal.KeyHome)}, text, "thr\u00e9\u0301\u00e8 漢字"},
		"a move ends it":           {[]Event{left, Key{Code: terminal.KeyLeft}}, text, ""},
		"Esc ends it":              {[]Event{left, Key{Code: terminal.KeyEscape}}, text, ""},
		"typed over":               {[]Event{toStart, typed}, "x", ""},
		"pasted over":              {[]Event{toStart, Paste{Text: "new"}}, "new", ""},
		"deleted":                  {[]Event{left, erase}, strings.TrimSuffix(text, "字"), ""},
		"undone":                   {[]Event{toStart, erase, key('_', terminal.Ctrl)}, text, ""},
		"copied, and still marked": {[]Event{left, key('c', terminal.Ctrl)}, text, "字"},
		"cut":                      {[]Event{wordLeft, key('x', terminal.Ctrl)}, strings.TrimSuffix(text, "漢字"), ""},
		"other edits end it":       {[]Event{left, key('w', terminal.Ctrl)}, strings.Replace(text, "漢", "", 1), ""},
	} {
		copied := ""
		e := &Editor{History: []string{"older"}, Copy: func(text string) error { copied = text; return nil }}
		e.SetText(text)
		for _, ev := range c.keys {
			if !e.HandleEvent(ev, s) && name != "typed over" {
				t.Errorf("%s: %v is left to others", name, ev)
			}
		}
		if e.Text() != c.text || e.Selected() != c.selected {
			t.Errorf("%s: text %q, marked %q; want %q, %q", name, e.Text(), e.Selected(), c.text, c.selected)
		}
		if (name == "cut" || name == "copied, and still marked") != (copied != "") {
			t.Errorf("%s: copied %q", name, copied)
		}
		shown := ""
		for _, l := range e.View(s).Lines {
			for _, sp := range l.Spans {
				if sp.Style.Attr&Inverse != 0 {
					shown += sp.Text
				}
			}
		}
		letters := func(text string) string { return strings.Join(strings.Fields(text), "") }
		if letters(shown) != letters(c.selected) {
			t.Errorf("%s: shown as marked %q, want %q", name, shown, c.selected)
		}
	}
}

func TestMarkedTextStaysIfTheClipboardRefusesIt(t *testing.T) {
	e := &Editor{Copy: func(string) error { return errors.New("too long") }}
	e.SetText("text")
	s := Space{Width: 20, Height: 5}
	e.HandleEvent(Key{Code: terminal.KeyHome, Mods: terminal.Shift}, s)
	e.HandleEvent(Key{Code: 'x', Mods: terminal.Ctrl}, s)
	if e.Text() != "text" || e.Selected() != "text" {
		t.Errorf("text %q, marked %q", e.Text(), e.Selected())
	}
}

func TestChipsAreMarkedAsTheirText(t *testing.T) {
	e, s := &Editor{}, Space{Width: 60, Height: 5}
	e.InsertChip("picture 1", "the text")
	e.HandleEvent(Key{Code: terminal.KeyLeft, Mods: terminal.Shift}, s)
	if e.Selected() != "the text" {
		t.Errorf("marked %q", e.Selected())
	}
	if st := e.View(s).Lines[0].Spans[1].Style; st.Attr&(Inverse|Underline) != Inverse|Underline {
		t.Errorf("style %v", st)
	}
}

func TestNormalModeOfVimMarksNothingByShift(t *testing.T) {
	e, s := &Editor{Vim: true}, Space{Width: 60, Height: 5}
	e.SetText("text")
	e.HandleEvent(Key{Code: terminal.KeyEscape}, s)
	e.HandleEvent(Key{Code: terminal.KeyLeft, Mods: terminal.Shift}, s)
	if e.Selected() != "" {
		t.Errorf("marked %q", e.Selected())
	}
}
