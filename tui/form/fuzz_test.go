package form_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

// keys are what FuzzFormFitsItsPlace presses, one for each byte.
var keys = []tui.Event{
	tui.Key{Code: terminal.KeyEnter}, tui.Key{Code: terminal.KeyTab},
	tui.Key{Code: terminal.KeyTab, Mods: terminal.Shift},
	tui.Key{Code: terminal.KeyUp}, tui.Key{Code: terminal.KeyDown}, tui.Key{Code: terminal.KeyLeft},
	tui.Key{Code: terminal.KeyRight}, tui.Key{Code: terminal.KeyHome}, tui.Key{Code: terminal.KeyEnd},
	tui.Key{Code: terminal.KeyPageUp}, tui.Key{Code: terminal.KeyPageDown}, tui.Key{Code: terminal.KeyBackspace},
	tui.Key{Code: terminal.KeyDelete}, tui.Key{Code: terminal.KeySpace}, tui.Key{Code: 'a', Mods: terminal.Ctrl},
	tui.Key{Code: 'u', Mods: terminal.Ctrl}, tui.Key{Code: 'y', Mods: terminal.Ctrl}, tui.Key{Code: 'y'},
	tui.Key{Code: 'e'},
	tui.Key{Code: '7'}, tui.Key{Code: '日'}, tui.Key{Code: '\u0301'}, tui.Key{Code: '👩'}, tui.Key{Code: '\u200d'},
	tui.Key{Code: '\u202e'}, tui.Key{Code: terminal.KeyEscape}, tui.Key{Code: 'w', Mods: terminal.Ctrl},
	tui.Paste{Text: "a\x1b[2J\nb\tc"}, tui.Paste{Text: strings.Repeat("long 日本 ", 40)},
	tui.Paste{}, tui.Focus{In: true},
	tui.Mouse{Press: true}, tui.Mouse{}, tui.Key{Code: terminal.KeyLeft, Mods: terminal.Shift},
	tui.Key{Code: terminal.KeyHome, Mods: terminal.Shift}, tui.Key{Code: 'j', Mods: terminal.Ctrl},
	tui.Key{Code: '-'},
}

// FuzzFormFitsItsPlace plays any keys at any size: no row is wider than its place, there are not
// more rows than it has, the caret stands in one of them, and nothing panics.
func FuzzFormFitsItsPlace(f *testing.F) {
	f.Add([]byte{0, 18, 0, 27, 0, 19, 19, 0, 28, 1, 4, 4, 0, 13, 4, 13, 0, 17}, uint8(40), uint8(10), true)
	f.Add([]byte{28, 7, 20, 21, 22, 23, 22, 8, 5, 5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 25}, uint8(1), uint8(1), false)
	f.Add([]byte("any keys that are pressed"), uint8(7), uint8(3), true)
	f.Fuzz(playForm)
}

func TestAFormFitsItsPlaceWhateverIsPressed(t *testing.T) {
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 26))
		pressed := make([]byte, 120)
		for i := range pressed {
			pressed[i] = byte(rnd.IntN(len(keys) + 1))
		}
		if playForm(t, pressed, uint8(rnd.IntN(90)), uint8(rnd.IntN(30)), seed%2 == 0); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// playForm plays keys to a form with one field of each kind.
func playForm(t *testing.T, pressed []byte, cols, rows uint8, steps bool) {
	o := &order{tags: []string{"blue"}}
	fields := o.fields()
	fields[0].(*form.Field[string]).Complete(func(prefix string) []string {
		return []string{prefix, prefix + "one", prefix + "one 日本語", "\x1b[2J" + prefix, strings.Repeat("wide", 30)}
	})
	done := false
	fm := &form.Form{Pages: []form.Page{{Title: "A title that is not short at all", Fields: fields[:4], Steps: steps},
		{Fields: fields[4:]}, {Fields: o.moreFields()}}}
	fm.OnDone = func() { done = true }
	fm.OnCancel = func() { done = true }
	s := tui.Space{Width: 1 + int(cols)%90, Height: 1 + int(rows)%30, Focused: true}
	for i, b := range pressed {
		fits(t, fm.View(s), s)
		if done {
			return
		}
		if int(b) < len(keys) || b > 200 {
			fm.HandleEvent(keys[int(b)%len(keys)], s)
		} else {
			fm.Submit([]string{strconv.Itoa(i % 5), "", "2026-11-28"}[i%3])
		}
		if b%17 == 16 {
			s.Width, s.Height = 1+(s.Width*7+i)%90, 1+(s.Height*5+i)%30
		}
	}
	fits(t, fm.View(s), s)
}

// fits fails the test if v is larger than s.
func fits(t *testing.T, v tui.View, s tui.Space) {
	t.Helper()
	if len(v.Lines) > s.Height {
		t.Errorf("%d rows in a height of %d", len(v.Lines), s.Height)
	}
	for i, line := range v.Lines {
		text := ""
		for _, sp := range line.Spans {
			text += sp.Text
		}
		if n := s.Columns(harmless(text)); n > s.Width {
			t.Errorf("row %d has %d columns of %d: %q", i, n, s.Width, text)
		}
	}
	if c := v.Cursor; c != nil && (c.Row < 0 || c.Row >= len(v.Lines) || c.Col < 0 || c.Col >= s.Width) {
		t.Errorf("the caret stands at %+v of %d rows, %d columns", *c, len(v.Lines), s.Width)
	}
}

// harmless returns text as the engine draws it.
func harmless(text string) string {
	line := tui.Space{Width: 10000}.Cut(tui.Span{Text: text})
	if len(line.Spans) == 0 {
		return ""
	}
	return line.Spans[0].Text
}
