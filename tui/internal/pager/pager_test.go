package pager

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// text returns items of 1, 3, 0, 2 and 4 rows.
func text(page int) Text {
	rows := []int{1, 3, 0, 2, 4}
	return Text{Len: len(rows), Rows: func(i int) int { return rows[i] }, Page: page}
}

func TestAPageIsFullWhereverItIsMoved(t *testing.T) {
	for page := 1; page < 12; page++ {
		all := text(page)
		var down []Place
		for p := (Place{}); len(down) < 20; {
			down = append(down, p)
			next := all.Move(p, 1)
			if next == p {
				break
			}
			p = next
		}
		if want := max(10-page, 0) + 1; len(down) != want {
			t.Errorf("%d rows: %d places, want %d: %v", page, len(down), want, down)
		}
		if last := all.Last(); down[len(down)-1] != last {
			t.Errorf("%d rows: it ends at %v, want %v", page, down[len(down)-1], last)
		}
		for i, p := range down {
			if p.Item == 2 {
				t.Errorf("%d rows: a page begins with an item without rows", page)
			}
			if got := all.Move(down[len(down)-1], i+1-len(down)); got != p {
				t.Errorf("%d rows: the way back leads to %v, want %v", page, got, p)
			}
		}
	}
}

func TestAPlaceThatIsNoneIsTheNearestOne(t *testing.T) {
	for from, want := range map[Place]Place{{9, 0}: {3, 1}, {4, 0}: {3, 1}, {2, 0}: {1, 0}, {1, 7}: {1, 2}, {}: {}} {
		if got := text(5).Clamp(from); got != want {
			t.Errorf("%v is %v, want %v", from, got, want)
		}
	}
	if got := (Text{Page: 3}).Clamp(Place{2, 2}); got != (Place{}) {
		t.Errorf("in no text it is %v", got)
	}
}

func TestKeysMoveByRowsAndPages(t *testing.T) {
	for _, c := range []struct {
		key  tui.Key
		want Place
	}{
		{tui.Key{Code: 'j'}, Place{1, 2}},
		{tui.Key{Code: terminal.KeyUp}, Place{1, 0}},
		{tui.Key{Code: terminal.KeyPageDown}, Place{3, 1}},
		{tui.Key{Code: 'b'}, Place{}},
		{tui.Key{Code: 'd', Mods: terminal.Ctrl}, Place{3, 0}},
		{tui.Key{Code: 'u', Mods: terminal.Ctrl}, Place{}},
		{tui.Key{Code: 'g'}, Place{}},
		{tui.Key{Code: 'G', Mods: terminal.Shift}, Place{3, 1}},
	} {
		if got, ok := text(5).Key(Place{1, 1}, c.key); got != c.want || !ok {
			t.Errorf("%v: %v %v, want %v", c.key, got, ok, c.want)
		}
	}
	for _, k := range []tui.Key{{Code: 'x'}, {Code: 'j', Mods: terminal.Ctrl}, {Code: 'd', Mods: terminal.Alt}} {
		if got, ok := text(5).Key(Place{1, 1}, k); got != (Place{1, 1}) || ok {
			t.Errorf("%v is taken", k)
		}
	}
}
