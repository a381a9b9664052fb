package widget_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// poem returns lines of many kinds.
func poem() string {
	lines := []string{"first line", "\ttabs\tkeep their stops", "",
		"a long line " + strings.Repeat("that goes on ", 5) + "to here",
		"\x1b[31mcontrols\x07 are tokens", "wide 世界 and 👍🏽"}
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("line %d of the Rest", i+7))
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestAViewportScrollsSearchesAndWraps(t *testing.T) {
	a := &album{t: t}
	view := func() tui.Component { return &widget.Viewport{Title: "poem.txt", Text: poem(), Mouse: true} }
	a.scene("the top", 8, view)
	a.scene("the end", 8, view, "G")
	a.scene("cut and moved", 8, view, "w", "right")
	a.scene("a search under way", 8, view, "/", "=the R")
	a.scene("the next match of a search", 8, view, "/", "=REST", "enter")
	a.scene("the match after that", 8, view, "/", "=rest", "enter", "n", "n")
	a.scene("the wheel", 8, view, "*", "*")
	a.scene("nothing", 4, func() tui.Component { return &widget.Viewport{} })
	a.plain("a viewport", view())
	a.compare("viewport")
}

func TestAViewportFollowsTheEndUntilItIsMovedUp(t *testing.T) {
	v := &widget.Viewport{Follow: true, Keep: 100}
	s := tui.Space{Width: 30, Height: 5}
	last := func() string {
		rows := texts(v.View(s))
		return rows[len(rows)-1]
	}
	press := func(code rune) { v.HandleEvent(tui.Key{Code: code}, s) }
	for i := range 200 {
		v.Add(fmt.Sprint("line ", i))
	}
	if got := last(); got != "line 199" {
		t.Errorf("the end is %q", got)
	}
	press('k')
	press('k')
	v.Add("more")
	if got := last(); got != "line 197" {
		t.Errorf("moved up: %q", got)
	}
	press('G')
	v.Add("the end")
	if got := last(); got != "the end" {
		t.Errorf("at the end again: %q", got)
	}
	press('g')
	if rows := texts(v.View(s)); rows[0] != "line 102" {
		t.Errorf("the oldest line is %q", rows[0])
	}
	v.Add("one goes at the top") // what is in sight stays where it can
	press('j')
	v.Add("another one")
	if rows := texts(v.View(s)); rows[0] != "line 104" {
		t.Errorf("the row on top is %q", rows[0])
	}
}

func TestAViewportAsksForTheLinesInSightAndSearchesAMillionInParts(t *testing.T) {
	asked := 0
	v := &widget.Viewport{Len: func() int { return 1_000_000 }, Line: func(i int) string {
		asked++
		return fmt.Sprint("line ", i)
	}}
	s := tui.Space{Width: 30, Height: 10}
	v.View(s)
	v.HandleEvent(tui.Key{Code: 'G'}, s)
	if rows := texts(v.View(s)); rows[9] != "line 999999" || asked > 100 {
		t.Errorf("%q, %d lines were asked for", rows, asked)
	}
	v.HandleEvent(tui.Key{Code: 'g'}, s)
	v.HandleEvent(tui.Key{Code: '/'}, s)
	v.HandleEvent(tui.Paste{Text: "line 900000\nnot this"}, s)
	frames, view := 1, v.View(s)
	for ; view.RefreshAfter > 0; frames++ {
		view = v.View(s)
	}
	if rows := strings.Join(texts(view), "\n"); !strings.Contains(rows, "line 900000\n") || frames < 10 {
		t.Errorf("after %d frames:\n%s", frames, rows)
	}
	v.HandleEvent(tui.Key{Code: terminal.KeyEscape}, s) // back to where the search began
	if rows := texts(v.View(s)); rows[0] != "line 0" {
		t.Errorf("after Esc: %q", rows)
	}
}

func TestANewTextBeginsAtItsTop(t *testing.T) {
	v := &widget.Viewport{Text: poem()}
	s := tui.Space{Width: 30, Height: 4}
	v.View(s)
	v.HandleEvent(tui.Key{Code: 'G'}, s)
	v.Text = "another\ntext"
	if rows := texts(v.View(s)); len(rows) != 2 || rows[0] != "another" {
		t.Errorf("got %q", rows)
	}
}

func TestAViewportInATranscriptGoesOnAtAnotherWidth(t *testing.T) {
	v := &widget.Viewport{Text: "one two three\n\nfour"}
	wide := v.View(tui.Space{Width: 8})
	rest := v.View(tui.Space{Width: 80, From: wide.Lines[0].End})
	if got := strings.Join(texts(rest), "|"); got != "three||four" && got != " three||four" {
		t.Errorf("after %q: %q", texts(wide), got)
	}
}

func TestTheLastPageOfAViewportStaysFull(t *testing.T) {
	v := &widget.Viewport{Text: strings.Repeat("a line of some words\n", 9)}
	narrow, wide := tui.Space{Width: 8, Height: 6}, tui.Space{Width: 40, Height: 6}
	v.View(narrow)
	v.HandleEvent(tui.Key{Code: 'G'}, narrow)
	if rows := texts(v.View(narrow)); len(rows) != 6 {
		t.Errorf("at the end: %q", rows)
	}
	if rows := texts(v.View(wide)); len(rows) != 6 {
		t.Errorf("in a wider window: %q", rows)
	}
	for _, l := range v.View(narrow).Lines { // what may stand beside something does not go on in the next row
		if l.Wrapped {
			t.Errorf("%v is wrapped by the terminal", l)
		}
	}
}

func ExampleViewport() {
	show(&widget.Viewport{Title: "notes", Text: "the first line\nthe second line\n"})
	// Output:
	// notes
	// the first line
	// the second line
}

// show prints c as it is without a terminal.
func show(c tui.Component) { fmt.Fprint(os.Stdout, printed(c)) }
