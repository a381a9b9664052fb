package widget_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// hostile are texts that others may write.
var hostile = []string{"", "a", "plain words", "漢字と仮名", "e\u0301\u0301", "\x1b[2J\x9b", "two\nlines\ttab", "\u202eback",
	"👩‍👩‍👧‍👦 family", strings.Repeat("long ", 30), "\xff\xfe"}

// anyWidgets returns widgets with texts of others and every switch on.
func anyWidgets(r *rand.Rand) map[string]tui.Component {
	text := func() string { return hostile[r.IntN(len(hostile))] }
	var rows [][]string
	var items []widget.Item
	var menu []widget.MenuItem
	var places []string
	var status []widget.StatusPart
	n := r.IntN(30)
	for range n {
		rows = append(rows, []string{text(), text(), text()}[:r.IntN(4)])
		items = append(items, widget.Item{Text: text(), Note: text()})
		menu = append(menu, widget.MenuItem{Text: text(), Key: text(), Off: r.IntN(4) == 0})
	}
	for range r.IntN(6) {
		places, status = append(places, text()), append(status, widget.StatusPart{Text: text()})
	}
	toasts := &widget.Toasts{}
	for range r.IntN(6) {
		toasts.Show(widget.ToastKind(r.IntN(5)), text())
	}
	bar := r.IntN(2) == 0
	table := &widget.Table{Columns: []widget.Column{{Title: text(), Min: r.IntN(9)}, {Title: text(), Weight: r.IntN(3)},
		{Title: text(), Width: r.IntN(70)}}[:r.IntN(4)], Rows: rows, Mouse: true, ScrollBar: bar,
		OnReorder: func(int, int) {}, OnChoose: func(int) {}, OnMenu: func(int) {}}
	if bar {
		table.Title = text()
	}
	input := &widget.Input{Title: text(), Mouse: true, Copy: func(string) error { return nil }}
	input.SetText(text())
	nothing := func(int) {}
	children := func(id string) (all []widget.Node) {
		for i, it := range items {
			node := widget.Node{ID: fmt.Sprint(id, ".", i), Text: it.Text, Note: it.Note, Branch: len(id) < 6}
			all = append(all, node)
		}
		return all
	}
	date := day(r.IntN(9999), time.Month(1+r.IntN(12)), 1+r.IntN(28))
	return map[string]tui.Component{
		"table": table, "toasts": toasts, "input": input,
		"list": &widget.List{Title: text(), Items: items, ScrollBar: bar, Mouse: true, Bare: r.IntN(2) == 0},
		"tree": &widget.Tree{Title: text(), ScrollBar: bar, Mouse: true, Children: children},
		"viewport": &widget.Viewport{Title: text(), Text: strings.Repeat(text()+"\n", n), ScrollBar: bar,
			Mouse: true},
		"menu":       &widget.Menu{Items: menu, Mouse: true, OnChoose: nothing, OnLeave: func() {}},
		"calendar":   &widget.Calendar{Date: date, Sunday: bar, Mouse: true},
		"breadcrumb": &widget.Breadcrumb{Places: places, OnChoose: nothing, Mouse: true},
		"status":     &widget.StatusLine{Left: status, Middle: status[:len(status)/2], Right: status, Mouse: true},
		"scrollbar": &widget.ScrollBar{Total: r.IntN(100) - 10, Top: r.IntN(100) - 10, Size: r.IntN(50) - 5,
			Mouse: true},
	}
}

// anyEvent returns a key, a click, a turn of the wheel or a paste.
func anyEvent(r *rand.Rand, s tui.Space) tui.Event {
	codes := append([]rune("/anNs<>w漢2-"), terminal.KeyUp, terminal.KeyDown, terminal.KeyLeft, terminal.KeyRight,
		terminal.KeyHome, terminal.KeyEnd, terminal.KeyPageUp, terminal.KeyPageDown, terminal.KeyEnter,
		terminal.KeyEscape, terminal.KeyBackspace, terminal.KeyDelete, terminal.KeySpace, terminal.KeyF1+9)
	mods := []tui.Mod{0, 0, 0, terminal.Shift, terminal.Alt, terminal.Ctrl}
	switch r.IntN(5) {
	case 0:
		button := []uint8{0, 0, 2, 64, 65}[r.IntN(5)]
		return tui.Mouse{Press: r.IntN(2) == 0, Button: button, Col: r.IntN(s.Width + 2), Row: r.IntN(s.Height + 2)}
	case 1:
		return tui.Paste{Text: hostile[r.IntN(len(hostile))]}
	}
	return tui.Key{Code: codes[r.IntN(len(codes))], Mods: mods[r.IntN(len(mods))]}
}

func TestNoWidgetIsLargerThanItsPlace(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	themes := []*tui.Theme{tui.NewTheme(tui.Caps{Unicode: true, Color: 256}), tui.NewTheme(tui.Caps{})}
	models := []width.Model{{}, {Method: width.Grapheme}, {Ambiguous: true}}
	for program := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, program))
		for name, c := range anyWidgets(r) {
			s := tui.Space{Width: 1 + r.IntN(60), Height: 1 + r.IntN(14), Focused: true, Theme: themes[r.IntN(2)],
				Model: models[r.IntN(3)], Now: day(2026, time.November, 28)}
			for range 25 {
				v := c.View(s)
				what := fmt.Sprintf("seed %d, program %d, %s in %dx%d", seed, program, name, s.Width, s.Height)
				most := s.Height
				switch name { // they are as high as they are; who holds them cuts
				case "input":
					most = len(v.Lines)
				case "list":
					most = max(s.Height, 4)
				}
				if len(v.Lines) > most {
					t.Fatalf("%s: %d rows", what, len(v.Lines))
				}
				for _, row := range texts(v) {
					if n := s.Columns(row); n > max(s.Width, 2) || strings.ContainsAny(row, "\x1b\n\u202e") {
						t.Fatalf("%s: %d columns: %q", what, n, row)
					}
				}
				if p := v.Cursor; p != nil && (p.Row < 0 || p.Row >= len(v.Lines) || p.Col < 0 || p.Col >= s.Width) {
					t.Fatalf("%s: the caret is at %v", what, *p)
				}
				if h, ok := c.(tui.EventHandler); ok {
					h.HandleEvent(anyEvent(r, s), s)
				}
				if r.IntN(6) == 0 {
					s.Width, s.Height = 1+r.IntN(60), 1+r.IntN(14)
				}
			}
		}
	}
}
