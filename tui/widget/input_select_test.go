package widget_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func shift(code rune, mods ...tui.Mod) tui.Key {
	k := tui.Key{Code: code, Mods: terminal.Shift}
	for _, m := range mods {
		k.Mods |= m
	}
	return k
}

func TestTextOfAnInputIsMarkedAndReplaced(t *testing.T) {
	s := tui.Space{Width: 40, Height: 3, Focused: true}
	ctrl := func(code rune) tui.Key { return tui.Key{Code: code, Mods: terminal.Ctrl} }
	const text = "one 漢字 e\u0301"
	left, home := shift(terminal.KeyLeft), shift(terminal.KeyHome)
	wordLeft, wordRight := shift(terminal.KeyLeft, terminal.Ctrl), shift(terminal.KeyRight, terminal.Ctrl)
	toHome, erase := rune(terminal.KeyHome), rune(terminal.KeyBackspace)
	for name, c := range map[string]struct {
		keys           []any
		text, selected string
	}{
		"to the left":     {[]any{left, left}, text, " e\u0301"},
		"to the start":    {[]any{home}, text, text},
		"back again":      {[]any{home, shift(terminal.KeyEnd)}, text, ""},
		"by words":        {[]any{wordLeft, wordLeft}, text, "漢字 e\u0301"},
		"a move ends it":  {[]any{left, rune(terminal.KeyLeft)}, text, ""},
		"typed over":      {[]any{home, 'x'}, "x", ""},
		"deleted":         {[]any{left, erase}, "one 漢字 ", ""},
		"deleted forward": {[]any{toHome, shift(terminal.KeyRight), rune(terminal.KeyDelete)}, text[1:], ""},
		"cut":             {[]any{toHome, wordRight, ctrl('x')}, text[3:], ""},
		"undone":          {[]any{home, erase, ctrl('_')}, text, ""},
	} {
		copied := ""
		in := &widget.Input{Copy: func(text string) error { copied = text; return nil }}
		in.SetText(text)
		pressKeys(in, s, c.keys...)
		if in.Text() != c.text || in.Selected() != c.selected {
			t.Errorf("%s: %q, marked %q", name, in.Text(), in.Selected())
		}
		if name == "cut" && copied != "one" {
			t.Errorf("cut: %q", copied)
		}
	}
}

func TestMarkedTextIsCopiedByTheProgramOnly(t *testing.T) {
	s := tui.Space{Width: 40, Height: 3}
	left, copied := 0, ""
	in := &widget.Input{OnLeave: func() { left++ }}
	in.SetText("abc")
	copyKey := tui.Key{Code: 'c', Mods: terminal.Ctrl}
	if pressKeys(in, s, shift(terminal.KeyHome), copyKey); left != 1 {
		t.Error("without Copy Ctrl+C does not leave")
	}
	in.Copy = func(text string) error {
		copied = text
		return errors.New("too long")
	}
	end := rune(terminal.KeyEnd)
	if pressKeys(in, s, end, shift(terminal.KeyHome), copyKey); left != 1 || copied != "abc" {
		t.Errorf("left %d times, copied %q", left, copied)
	}
	if got := strings.Join(texts(in.View(s)), "\n"); !strings.Contains(got, "! too long") {
		t.Errorf("the error is not shown:\n%s", got)
	}
	copied, in.Secret = "", true
	if pressKeys(in, s, end, shift(terminal.KeyHome), copyKey); copied != "" || left != 1 {
		t.Errorf("a secret was copied: %q", copied)
	}
}

func TestTextIsMarkedByTheMouseAndCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		in := &widget.Input{Title: "Name", Mouse: true, Copy: app.Copy}
		in.SetText("one 漢字 three")
		app.Overlay(in, tui.Place{Full: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 4})
		s.Send([]byte("\x1b[<0;7;2M\x1b[<0;11;2m")) // from the first to the end of the second ideograph
		s.Settle()
		if got := in.Selected(); got != "漢字" {
			t.Errorf("marked: %q", got)
		}
		s.Bytes()
		s.Press("ctrl+c")
		if out := string(s.Bytes()); !strings.Contains(out, "\x1b]52;c;5ryi5a2X") {
			t.Errorf("nothing was copied: %q", out)
		}
		s.Send([]byte("\x1b[<0;3;2M\x1b[<0;3;2m"))
		s.Settle()
		s.Type("x")
		s.Want("Name", "› xone 漢字 three")
		if s.Scrollback() != "" {
			t.Errorf("history: %q", s.Scrollback())
		}
	})
}
