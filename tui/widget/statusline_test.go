package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func parts(texts ...string) (all []widget.StatusPart) {
	for _, text := range texts {
		all = append(all, widget.StatusPart{Text: text})
	}
	return all
}

func TestAStatusLineLeavesOutWhatHasNoPlace(t *testing.T) {
	st := &widget.StatusLine{Left: parts("main", "", "3 changes"), Middle: parts("notes.md"),
		Right: parts("UTF-8", "12:34")}
	for _, c := range []struct {
		cols int
		want string
	}{
		{60, "main  3 changes           notes.md              UTF-8  12:34"},
		{39, "main  3 changes  notes.md  UTF-8  12:34"}, {38, "main  3 changes           UTF-8  12:34"},
		{29, "main  3 changes  UTF-8  12:34"}, {28, "main            UTF-8  12:34"}, {18, "main  UTF-8  12:34"},
		{17, "main        12:34"}, {11, "main  12:34"}, {10, "main"}, {3, "ma…"}, {1, "…"},
	} {
		if got := texts(st.View(tui.Space{Width: c.cols, Height: 1}))[0]; got != c.want {
			t.Errorf("%d columns: %q, want %q", c.cols, got, c.want)
		}
	}
	if v := (&widget.StatusLine{}).View(tui.Space{Width: 10}); len(v.Lines) > 0 {
		t.Error("nothing has a row")
	}
}

func TestAPartOfAStatusLineIsClicked(t *testing.T) {
	clicked := ""
	part := func(text string) widget.StatusPart {
		return widget.StatusPart{Text: text, OnClick: func() { clicked += text }}
	}
	st := &widget.StatusLine{Left: []widget.StatusPart{part("a"), part("漢")},
		Right: []widget.StatusPart{part("c")}, Mouse: true}
	s := tui.Space{Width: 12, Height: 1}
	if !st.View(s).Mouse {
		t.Error("it does not ask for the mouse")
	}
	for col := range 12 {
		st.HandleEvent(tui.Mouse{Press: true, Col: col}, s)
	}
	if clicked != "a漢漢c" {
		t.Errorf("clicked: %s", clicked)
	}
}

func TestABreadcrumbShowsTheLastPlaces(t *testing.T) {
	said := []int{}
	b := &widget.Breadcrumb{Places: []string{"home", "projects", "scrollkeep", "tui"}, Mouse: true}
	for _, c := range []struct {
		cols int
		want string
	}{{40, "home › projects › scrollkeep › tui"}, {33, "… › projects › scrollkeep › tui"},
		{20, "… › scrollkeep › tui"}, {19, "… › tui"}, {3, "… …"}, {1, "…"}} {
		if got := texts(b.View(tui.Space{Width: c.cols, Height: 1}))[0]; got != c.want {
			t.Errorf("%d columns: %q, want %q", c.cols, got, c.want)
		}
	}
	if b.Focusable() {
		t.Error("it takes keys for nothing")
	}
	b.OnChoose = func(i int) { said = append(said, i) }
	s := tui.Space{Width: 20, Height: 1, Focused: true}
	left, right, enter := rune(terminal.KeyLeft), rune(terminal.KeyRight), rune(terminal.KeyEnter)
	pressKeys(b, s, enter, left, enter, left, left, left, enter, right, enter)
	if got := fmt.Sprint(said); got != "[3 2 0 1]" {
		t.Errorf("chosen: %s", got)
	}
	said = said[:0]
	s.Width = 40
	b.View(s)
	b.HandleEvent(tui.Mouse{Press: true, Col: 8}, s)
	b.Submit("2")
	b.Submit("TUI")
	b.Submit("nowhere")
	if got := fmt.Sprint(said); got != "[1 1 3]" {
		t.Errorf("clicked and submitted: %s", got)
	}
}

func TestTheRowsOfAFrame(t *testing.T) {
	a := &album{t: t}
	a.scene("a breadcrumb", 2, func() tui.Component {
		return &widget.Breadcrumb{Places: []string{"home", "\x1b[2Jprojects", "漢字", "tui"}, OnChoose: func(int) {}}
	}, "left")
	a.scene("a status", 2, func() tui.Component {
		return &widget.StatusLine{Left: parts("main", "\x1b[2J3 changes"), Middle: parts("漢字"), Right: parts("12:34")}
	})
	keys := func(rows int) func() tui.Component {
		return func() tui.Component {
			var all []widget.KeyHint
			for _, k := range strings.Fields("Enter Esc Tab F1 F2 F3 F4") {
				all = append(all, widget.KeyHint{Key: k, Help: "does something"})
			}
			return &widget.KeyHelp{Keys: all, Rows: rows}
		}
	}
	a.scene("all keys", 9, keys(-1))
	a.scene("keys in one row", 9, keys(0))
	a.scene("tabs, the wheel", 3, func() tui.Component {
		w := &widget.Tabs{Mouse: true}
		for _, title := range strings.Fields("Notes Rivers Mountains Lakes Harbours Tides") {
			w.Tabs = append(w.Tabs, widget.Tab{Title: title, Body: tui.NewText("about " + title)})
		}
		return w
	}, "*", "*", "*", "*")
	a.plain("a status", &widget.StatusLine{Left: parts("main"), Right: parts("12:34")})
	a.plain("a breadcrumb", &widget.Breadcrumb{Places: []string{"home", "tui"}})
	a.compare("framerows")
}

func ExampleStatusLine() {
	st := &widget.StatusLine{Left: []widget.StatusPart{{Text: "main", Style: "accent"}},
		Right: []widget.StatusPart{{Text: "12:34"}}}
	for _, row := range texts(st.View(tui.Space{Width: 20, Height: 1})) {
		fmt.Println(row)
	}
	// Output: main           12:34
}

func ExampleStatusPart() {
	help := widget.StatusPart{Text: "F1 help", Style: "dim", OnClick: func() { fmt.Println("help") }}
	show(&widget.StatusLine{Left: []widget.StatusPart{help}, Mouse: true})
	// Output: F1 help
}

func ExampleBreadcrumb() {
	b := &widget.Breadcrumb{Places: []string{"home", "src", "main.go"}}
	for _, row := range texts(b.View(tui.Space{Width: 18, Height: 1})) {
		fmt.Println(row)
	}
	// Output: … › src › main.go
}
