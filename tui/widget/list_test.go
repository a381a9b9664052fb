package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func TestAListIsChosenFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := &widget.List{Title: "Pick", At: 1}
		for i := range 12 {
			list.Items = append(list.Items,
				widget.Item{Text: fmt.Sprintf("Item %d", i), Note: strings.Repeat("n", i%3), Mark: "* "})
		}
		var said []string
		list.OnChoose = func(i int) { said = append(said, list.Items[i].Text) }
		list.OnLeave = func() { said = append(said, "left") }
		list.OnKey = func(k tui.Key, i int) bool {
			if k.String() != "ctrl+l" {
				return false
			}
			said = append(said, fmt.Sprint("key on ", i))
			return true
		}
		app := &tui.App{Footer: tui.NewText("footer")}
		app.Overlay(list, tui.Place{Replace: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 30, Rows: 14})
		row := func() string { // the row with the pointer
			for line := range strings.Lines(s.Visible()) {
				if rest, ok := strings.CutPrefix(line, "› "); ok {
					return strings.TrimSpace(rest)
				}
			}
			return ""
		}
		for _, step := range []struct{ keys, at string }{
			{"", "* Item 1  n"},
			{"up", "* Item 0"},
			{"up", "* Item 11  nn"}, // round the end
			{"ctrl+n", "* Item 0"},
			{"pagedown", "* Item 9"},
			{"end", "* Item 11  nn"},
			{"pageup", "* Item 2  nn"},
			{"home", "* Item 0"},
			{"down", "* Item 1  n"},
		} {
			if step.keys != "" {
				s.Press(step.keys)
			}
			s.Settle()
			if got := row(); got != step.at {
				t.Errorf("after %s: %q, want %q in\n%s", step.keys, got, step.at, s.Visible())
			}
		}
		if v := s.Visible(); !strings.Contains(v, "Pick  1-9 of 12\n") || !strings.Contains(v, "Item 8") ||
			strings.Contains(v, "Item 9") {
			t.Errorf("twelve rows:\n%s", v)
		}
		s.Type("ITEM 1 NN") // words, in any case
		s.Settle()
		if v := s.Visible(); row() != "* Item 11  nn" || strings.Contains(v, "Item 2") ||
			!strings.Contains(v, "/ITEM 1 NN") {
			t.Errorf("searched:\n%s", v)
		}
		s.Press("enter")
		s.Press("ctrl+l")
		s.Type("zz")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "nothing matches") {
			t.Errorf("nothing:\n%s", v)
		}
		s.Press("enter") // nothing to choose
		s.Press("backspace")
		s.Press("backspace")
		s.Press("esc") // the search
		s.Settle()
		if row() != "* Item 11  nn" || !strings.Contains(s.Visible(), "Item 6") {
			t.Errorf("the search is over:\n%s", s.Visible())
		}
		s.Press("esc")
		s.Press("ctrl+c")
		s.Settle()
		if got := strings.Join(said, ", "); got != "Item 11, key on 11, left, left" {
			t.Errorf("it said %s", got)
		}
		list.Items = []widget.Item{{Text: "a text that is far too long for one row", Note: "a note"}}
		list.At = 0
		list.Changed()
		s.Resize(24, 14)
		s.Settle()
		if row() != "a text that i…  a note" {
			t.Errorf("the note stays: %q", row())
		}
		s.Resize(12, 6)
		s.Settle()
		if v := s.Visible(); !strings.HasPrefix(strings.TrimLeft(v, "\n"), "Pick") || row() == "" {
			t.Errorf("small:\n%s", v)
		}
		app.Quit(nil)
		s.Wait()
	})
}
