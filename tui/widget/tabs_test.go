package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// pages returns tabs; one of them takes Tab.
func pages() *widget.Tabs {
	return &widget.Tabs{Mouse: true, Tabs: []widget.Tab{
		{Title: "Overview", Body: tui.NewText("an overview")},
		{Title: "Rivers", Body: rivers()},
		{Title: "A \x1b[31mlog", Body: &widget.Viewport{Text: poem()}},
		{Title: "Empty"},
	}}
}

func TestTabsShowOneOfSeveral(t *testing.T) {
	a := &album{t: t}
	tabs := func() tui.Component { return pages() }
	a.scene("the first", 6, tabs)
	a.scene("the next", 6, tabs, "tab")
	a.scene("its keys", 6, tabs, "tab", "down", "right")
	a.scene("the one before the first", 6, tabs, "shift+tab")
	a.scene("the third", 6, tabs, "alt+3")
	a.scene("a click", 6, tabs, "@13,0")
	a.scene("a click in the body", 6, func() tui.Component {
		w := pages()
		table := rivers()
		table.Mouse = true
		w.Tabs[1].Body = table
		return w
	}, "tab", "@4,5")
	a.scene("no tabs", 3, func() tui.Component { return &widget.Tabs{} }, "tab")
	a.plain("tabs", tabs())
	a.compare("tabs")
}

func TestTabsTellWhichOneIsShown(t *testing.T) {
	var said []string
	w := pages()
	w.OnChange = func(i int) { said = append(said, fmt.Sprint(i)) }
	s := tui.Space{Width: 40, Height: 10}
	w.View(s)
	for _, k := range []tui.Key{{Code: terminal.KeyTab}, {Code: terminal.KeyPageUp, Mods: terminal.Ctrl},
		{Code: '4', Mods: terminal.Alt}, {Code: '9', Mods: terminal.Alt},
		{Code: terminal.KeyPageDown, Mods: terminal.Ctrl}} {
		w.HandleEvent(k, s)
		w.View(s)
	}
	if got := strings.Join(said, ","); got != "1,0,3,0" {
		t.Errorf("it told %s", got)
	}
}

func TestKeyHelpIsFoldedToTheWidth(t *testing.T) {
	a := &album{t: t}
	keys := []widget.KeyHint{{"Enter", "open"}, {"/", "search"}, {"", "left out"}, {"s", "sort by this column"},
		{"?", ""}, {"Ctrl+C", "quit"}}
	a.scene("one row", 4, func() tui.Component { return &widget.KeyHelp{Keys: keys} })
	a.scene("three rows", 4, func() tui.Component { return &widget.KeyHelp{Keys: keys, Rows: 3} })
	a.plain("key help", &widget.KeyHelp{Keys: keys, Rows: 3})
	a.compare("keyhelp")
}

func TestWhatDoesNotWantTheMouseGetsNone(t *testing.T) {
	s := tui.Space{Width: 40, Height: 8}
	click := tui.Mouse{Col: 5, Row: 3, Press: true}
	table, tree, view := rivers(), family(), &widget.Viewport{Text: poem()}
	for _, mouse := range []bool{false, true} {
		table.Mouse, tree.Mouse, view.Mouse = mouse, mouse, mouse
		table.View(s)
		tree.View(s)
		view.View(s)
		took := []bool{table.HandleEvent(click, s), tree.HandleEvent(click, s),
			view.HandleEvent(tui.Mouse{Button: 65, Press: true}, s)}
		if !slices.Equal(took, []bool{mouse, mouse, mouse}) {
			t.Errorf("mouse %t: taken %v", mouse, took)
		}
	}
	asked := 0
	w := &widget.Tabs{Mouse: true, Tabs: []widget.Tab{{Title: "a", Body: pointed(func() { asked++ })}}}
	w.View(s)
	if w.HandleEvent(click, s) || asked > 0 {
		t.Error("what did not ask for the mouse got it")
	}
}

// pointed is a component that takes events and does not ask for the mouse.
type pointed func()

func (p pointed) View(tui.Space) tui.View { return tui.View{Lines: make([]tui.Line, 5)} }
func (p pointed) HandleEvent(tui.Event, tui.Space) bool {
	p()
	return true
}

func TestAHintOfAKeyIsNeverPartedAndTheRowsFitTheirPlace(t *testing.T) {
	h := &widget.KeyHelp{Keys: []widget.KeyHint{{"a", "first"}, {"b", "second"}, {"c", "third"}}, Rows: 3}
	for width, want := range map[int]string{
		17: "a first  b second", 16: "a first|b second", 8: "a first|b second|c third",
	} {
		rows := strings.Join(texts(h.View(tui.Space{Width: width})), "|")
		if !strings.HasPrefix(rows, want) {
			t.Errorf("%d columns: %q", width, rows)
		}
	}
	h.Rows = 1
	for width, want := range map[int]string{
		19: "a first  …", 20: "a first  b second  …", 26: "a first  b second  c third",
	} {
		if rows := texts(h.View(tui.Space{Width: width})); len(rows) != 1 || rows[0] != want {
			t.Errorf("%d columns: %q", width, rows)
		}
	}
	h.Rows = 3
	if rows := texts(h.View(tui.Space{Width: 9, Height: 2})); len(rows) != 2 {
		t.Errorf("in two rows: %q", rows)
	}
}

func ExampleTabs() {
	show(&widget.Tabs{Tabs: []widget.Tab{
		{Title: "Notes", Body: tui.NewText("a note")}, {Title: "Log", Body: tui.NewText("a line")},
	}})
	// Output:
	// Notes
	// a note
	//
	// Log
	// a line
}

func ExampleTab() {
	tabs := &widget.Tabs{Tabs: []widget.Tab{{Title: "Only one", Body: tui.NewText("its text")}}}
	for _, row := range texts(tabs.View(tui.Space{Width: 20, Height: 5})) {
		fmt.Println(row)
	}
	// Output:
	// [Only one]
	// its text
}

func ExampleKeyHelp() {
	show(&widget.KeyHelp{Keys: []widget.KeyHint{{Key: "Enter", Help: "open"}, {Key: "q", Help: "quit"}}})
	// Output: Enter open  q quit
}

func ExampleKeyHint() {
	hint := widget.KeyHint{Key: "Ctrl+R", Help: "search the history"}
	show(&widget.KeyHelp{Keys: []widget.KeyHint{hint}})
	// Output: Ctrl+R search the history
}
