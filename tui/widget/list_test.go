package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
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

// slow is a Source of many items that counts what it is asked for, and answers a Match when it is
// told to.
type slow struct {
	n, asked int
	done     func([]int)
	words    []string
}

func (s *slow) Len() int { return s.n }
func (s *slow) Item(i int) widget.Item {
	s.asked++
	return widget.Item{Text: fmt.Sprintf("item %d", i)}
}
func (s *slow) Match(words []string, done func([]int)) { s.words, s.done = words, done }

func TestALongListAsksForTheRowsInSightAndKeysWaitForASearch(t *testing.T) {
	src := &slow{n: 10000}
	chosen, left := -1, false
	l := &widget.List{Source: src, At: 5000, OnChoose: func(i int) { chosen = i }, OnLeave: func() { left = true }}
	s := tui.Space{Width: 40, Height: 20}
	text := func() (rows string) {
		for _, line := range l.View(s).Lines {
			for _, sp := range line.Spans {
				rows += sp.Text
			}
			rows += "\n"
		}
		return rows
	}
	press := func(keys ...rune) {
		for _, k := range keys {
			l.HandleEvent(tui.Key{Code: k}, s)
		}
	}
	if v := text(); strings.Contains(v, "item") || strings.Contains(v, "nothing") {
		t.Errorf("before it was read:\n%s", v)
	}
	press(terminal.KeyDown, '7', terminal.KeyDown, terminal.KeyEnter) // all of it is meant for what comes
	all := make([]int, src.n)
	for i := range all {
		all[i] = i
	}
	src.done(all) // the first key moves, the second one searches
	if chosen != -1 || len(src.words) != 1 || src.words[0] != "7" {
		t.Fatalf("chosen %d, looked for %q", chosen, src.words)
	}
	src.done([]int{4999, 5001, 7000})
	if chosen != 7000 {
		t.Errorf("chosen %d: the keys were not taken in order", chosen)
	}
	src.asked = 0
	if v := text(); !strings.Contains(v, "item 7000") || src.asked > 20 {
		t.Errorf("%d rows were asked for:\n%s", src.asked, v)
	}
	l.Changed()
	text()
	l.HandleEvent(tui.Key{Code: 'c', Mods: terminal.Ctrl}, s)
	if !left {
		t.Error("Ctrl+C waits for a search, too")
	}
}

// countedItems is a Source of so many items, all of which match.
type countedItems int

func (n countedItems) Len() int               { return int(n) }
func (n countedItems) Item(i int) widget.Item { return widget.Item{Text: fmt.Sprintf("Item %d.", i)} }

func (n countedItems) Match(_ []string, done func([]int)) {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	done(all)
}

func TestAListKeepsTheChosenItemInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := &widget.List{Title: "Pick", Centered: true, At: 20, Source: countedItems(41)}
		app := &tui.App{Footer: tui.NewText("footer")}
		app.Overlay(list, tui.Place{Replace: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 30, Rows: 24})
		for _, step := range []struct{ key, first, last string }{ // nine items are in sight
			{"", "Item 16.", "Item 24."}, {"down", "Item 17.", "Item 25."}, {"up", "Item 16.", "Item 24."},
			{"home", "Item 0.", "Item 8."}, {"down", "Item 0.", "Item 8."}, {"end", "Item 32.", "Item 40."},
			{"pageup", "Item 27.", "Item 35."},
		} {
			if step.key != "" {
				s.Press(step.key)
			}
			s.Settle()
			rows := strings.Split(s.Visible(), "\n")
			var items []string
			for _, row := range rows {
				if _, item, ok := strings.Cut(row, "Item "); ok {
					items = append(items, "Item "+strings.TrimSpace(item))
				}
			}
			if len(items) != 9 || items[0] != step.first || items[8] != step.last {
				t.Errorf("after %q: %q, want %s to %s", step.key, items, step.first, step.last)
			}
		}
	})
}

// The notes of an aligned list stand in one column; without that each has the room that its text
// leaves. A note is cut only where the row ends.
func TestTheNotesOfAListUseTheWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &widget.List{Title: "T", Items: []widget.Item{{Text: "a", Note: "a note of thirty-one letters, yes"},
			{Text: "abcdef", Note: "short"}}}
		app := &tui.App{Footer: tui.NewText("footer")}
		app.Overlay(l, tui.Place{Replace: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 8})
		show := func(want ...string) {
			t.Helper()
			s.Press("down", "up")
			s.Settle()
			for _, row := range want {
				if !strings.Contains(s.Visible(), row+"\n") {
					t.Errorf("no %q in\n%s", row, s.Visible())
				}
			}
		}
		show("› a  a note of thirty-one letters, yes", "  abcdef  short")
		l.Aligned = true
		show("› a       a note of thirty-one letters,…", "  abcdef  short")
	})
}
