package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// counted returns a table of n rows without a title.
func counted(n int) *widget.Table {
	w := &widget.Table{Columns: []widget.Column{{Title: "No", Min: 6, Right: true}, {Title: "Name", Weight: 1}},
		Mouse: true}
	for i := range n {
		w.Rows = append(w.Rows, []string{fmt.Sprint(i), "row " + string(rune('a'+i%26))})
	}
	return w
}

// clickAt sends a press and a release to a component, which may stand apart.
func clickAt(h tui.EventHandler, s tui.Space, fromCol, fromRow, toCol, toRow int) {
	h.HandleEvent(tui.Mouse{Press: true, Col: fromCol, Row: fromRow}, s)
	h.HandleEvent(tui.Mouse{Col: toCol, Row: toRow}, s)
}

// pressKeys gives keys to a component, each after a frame.
func pressKeys(c tui.Component, s tui.Space, keys ...any) {
	for _, k := range keys {
		c.View(s)
		switch k := k.(type) {
		case rune:
			c.(tui.EventHandler).HandleEvent(tui.Key{Code: k}, s)
		case tui.Key:
			c.(tui.EventHandler).HandleEvent(k, s)
		case string:
			for _, r := range k {
				c.(tui.EventHandler).HandleEvent(tui.Key{Code: r}, s)
			}
		}
	}
	c.View(s)
}

func TestATableSaysWhatIsOutOfSight(t *testing.T) {
	a := &album{t: t}
	table := func(bar bool) func() tui.Component {
		return func() tui.Component {
			w := counted(40)
			w.ScrollBar = bar
			return w
		}
	}
	a.scene("no title", 7, table(false))
	a.scene("no title, the end", 7, table(false), "end")
	a.scene("a scroll bar", 7, table(true), "down")
	a.scene("a scroll bar, the end", 7, table(true), "end")
	a.scene("a click on the scroll bar", 7, table(true), "@79,5")
	a.scene("all rows fit", 7, func() tui.Component { return counted(3) })
	a.scene("a search", 7, table(false), "=/row z", "enter", "=n")
	a.scene("a search that finds nothing", 7, table(true), "=/never", "enter")
	a.compare("tablerows")
}

func TestAColumnIsMadeWiderAndNarrower(t *testing.T) {
	w := counted(3)
	s := tui.Space{Width: 40, Height: 8}
	header := func() string { return texts(w.View(s))[0] }
	before := header()
	pressKeys(w, s, '>', '>', '>')
	if got := header(); got != strings.Replace(before, "    No", "       No", 1) || w.Columns[0].Width != 9 {
		t.Errorf("wider: %q, %d columns", got, w.Columns[0].Width)
	}
	pressKeys(w, s, "<<<<<<<<<<<<<<<<")
	if w.Columns[0].Width != 1 {
		t.Errorf("narrower: %d columns", w.Columns[0].Width)
	}
	w.View(s)
	clickAt(w, s, 2+1, 0, 2+1+10, 0) // the border behind the first column
	if w.Columns[0].Width != 11 {
		t.Errorf("by the mouse: %d columns", w.Columns[0].Width)
	}
	if by, _ := w.Sorted(); by != -1 {
		t.Error("a border sorts")
	}
	w.View(s)
	if clickAt(w, s, 4, 0, 4, 0); w.Columns[0].Width != 11 {
		t.Error("a title makes it wider")
	}
	if by, _ := w.Sorted(); by != 0 {
		t.Error("a title does not sort")
	}
}

func TestARowIsMoved(t *testing.T) {
	moved := ""
	w := counted(5)
	w.OnReorder = func(from, to int) { moved += fmt.Sprint(from, ">", to, " ") }
	chosen := 0
	w.OnChoose = func(int) { chosen++ }
	s := tui.Space{Width: 40, Height: 8}
	order := func() (all string) {
		for _, row := range w.Rows {
			all += row[0]
		}
		return all
	}
	down := tui.Key{Code: terminal.KeyDown, Mods: terminal.Alt}
	pressKeys(w, s, down, down)
	if order() != "12034" || w.At != 2 || moved != "0>1 1>2 " {
		t.Errorf("by keys: %s, chosen %d, %s", order(), w.At, moved)
	}
	pressKeys(w, s, 'g', tui.Key{Code: terminal.KeyUp, Mods: terminal.Alt})
	if order() != "12034" {
		t.Errorf("beyond the first: %s", order())
	}
	moved = ""
	clickAt(w, s, 5, 5, 5, 2) // the last row to the place of the second
	if order() != "14203" || moved != "4>1 " || w.At != 1 || chosen != 0 {
		t.Errorf("by the mouse: %s, %s, chosen %d, %d times", order(), moved, w.At, chosen)
	}
	w.View(s)
	if clickAt(w, s, 5, 2, 5, 2); chosen != 1 {
		t.Errorf("a click on the chosen row chooses it %d times", chosen)
	}
	w.Sort(0, true)
	clickAt(w, s, 5, 5, 5, 2)
	if pressKeys(w, s, tui.Key{Code: terminal.KeyUp, Mods: terminal.Alt}); order() != "14203" {
		t.Errorf("sorted rows moved: %s", order())
	}
}

func TestATableIsSearched(t *testing.T) {
	w := counted(100)
	s := tui.Space{Width: 40, Height: 8, Focused: true}
	pressKeys(w, s, "/row C")
	if w.At != 0 {
		t.Errorf("an upper-case letter matches row %d", w.At)
	}
	pressKeys(w, s, rune(terminal.KeyEscape), "/ROW", rune(terminal.KeyEscape), "/row c", rune(terminal.KeyEnter))
	if w.At != 2 {
		t.Errorf("found %d", w.At)
	}
	for _, c := range []struct {
		key  rune
		want int
	}{{'n', 28}, {'n', 54}, {'n', 80}, {'n', 2}, {'N', 80}} {
		if pressKeys(w, s, c.key); w.At != c.want {
			t.Errorf("%c: %d, want %d", c.key, w.At, c.want)
		}
	}
	pressKeys(w, s, rune(terminal.KeyEscape), 'g', "/row z", rune(terminal.KeyEscape))
	if w.At != 0 {
		t.Errorf("Esc leads to %d", w.At)
	}
	pressKeys(w, s, '/')
	if v := w.View(s); v.Cursor == nil || v.Cursor.Row != len(v.Lines)-1 {
		t.Errorf("the caret is at %v", v.Cursor)
	}
}

// A search reads some rows of a frame, and asks for another frame until it is done.
func TestASearchInManyRowsDoesNotHoldTheLoop(t *testing.T) {
	asked := 0
	w := &widget.Table{Columns: []widget.Column{{Title: "a"}}, Len: func() int { return 100_000 },
		Cell: func(row, _ int) string {
			asked++
			return fmt.Sprint("row ", row)
		}}
	s := tui.Space{Width: 40, Height: 8}
	step := func(f func()) {
		asked = 0
		if f(); asked > 20_100 {
			t.Errorf("%d cells at once", asked)
		}
	}
	for _, r := range "/row 99999" {
		step(func() { w.HandleEvent(tui.Key{Code: r}, s) })
	}
	for frames := 0; w.At != 99_999; frames++ {
		step(func() {
			if v := w.View(s); v.RefreshAfter == 0 && w.At != 99_999 || frames > 20 {
				t.Fatalf("it has ended at row %d", w.At)
			}
		})
	}
}

// Neither the calls of the callback nor the allocations of a frame grow with the rows.
func TestATableOfTenMillionRowsCostsAsMuchAsOneOfAThousand(t *testing.T) {
	work := func(n int) (calls int, allocs float64) {
		w := million(n)
		w.ScrollBar = true
		cell := w.Cell
		w.Cell = func(row, column int) string {
			calls++
			return cell(row, column)
		}
		s := tui.Space{Width: 80, Height: 24}
		codes, i := []rune{'j', 'G', 'k', terminal.KeyPageUp, 'g', '>'}, 0
		allocs = testing.AllocsPerRun(60, func() {
			w.HandleEvent(tui.Key{Code: codes[i%len(codes)]}, s)
			w.View(s)
			i++
		})
		return calls, allocs
	}
	fewCalls, fewAllocs := work(1000)
	manyCalls, manyAllocs := work(10_000_000)
	if float64(manyCalls) > 1.2*float64(fewCalls) || manyAllocs > 1.2*fewAllocs {
		t.Errorf("%d calls, %v allocations; of a thousand rows %d, %v", manyCalls, manyAllocs, fewCalls, fewAllocs)
	}
}

func TestAScrollBarShowsWhatIsInSight(t *testing.T) {
	bar := func(total, top, size int) string {
		b := &widget.ScrollBar{Total: total, Top: top, Size: size}
		return strings.Join(texts(b.View(tui.Space{Width: 1, Height: 5})), "")
	}
	for _, c := range []struct {
		total, top, size int
		want             string
	}{
		{0, 0, 0, "█████"}, {10, 0, 10, "█████"}, {10, 0, 5, "██│││"}, {10, 5, 5, "│││██"}, {1000, 0, 5, "█││││"},
		{1000, 1, 5, "│█│││"}, {1000, 995, 5, "││││█"}, {1000, 2000, 5, "││││█"}, {-1, -5, -1, "█████"},
	} {
		if got := bar(c.total, c.top, c.size); got != c.want {
			t.Errorf("%d from %d of %d: %s, want %s", c.size, c.top, c.total, got, c.want)
		}
	}
	top := -1
	b := &widget.ScrollBar{Total: 100, Size: 20, Mouse: true, OnScroll: func(to int) { top = to }}
	s := tui.Space{Width: 1, Height: 11}
	b.View(s)
	for row, want := range map[int]int{0: 0, 5: 40, 10: 80} {
		if b.HandleEvent(tui.Mouse{Press: true, Row: row}, s); top != want {
			t.Errorf("a click at %d shows %d, want %d", row, top, want)
		}
	}
}

func ExampleScrollBar() {
	show(&widget.ScrollBar{Total: 200, Top: 19, Size: 20})
	// Output: 20-39 of 200
}

// numbered returns one of each widget with many rows and a scroll bar.
func numbered(n int) map[string]tui.Component {
	var items []widget.Item
	var nodes []widget.Node
	var text strings.Builder
	for i := range n {
		items = append(items, widget.Item{Text: fmt.Sprint("row ", i)})
		nodes = append(nodes, widget.Node{ID: fmt.Sprint("id", i), Text: fmt.Sprint("row ", i)})
		fmt.Fprintln(&text, "row", i)
	}
	table := counted(n)
	table.ScrollBar = true
	return map[string]tui.Component{
		"list": &widget.List{Items: items, ScrollBar: true, Bare: true, Mouse: true},
		"tree": &widget.Tree{Children: func(id string) []widget.Node {
			if id != "" {
				return nil
			}
			return nodes
		}, ScrollBar: true, Mouse: true},
		"viewport": &widget.Viewport{Text: text.String(), ScrollBar: true, Mouse: true},
		"table":    table,
	}
}

func TestAClickOnAScrollBarScrolls(t *testing.T) {
	for name, c := range numbered(50) {
		s := tui.Space{Width: 30, Height: 8}
		first := texts(c.View(s))
		for row := range first {
			if n := s.Columns(first[row]); n > s.Width {
				t.Errorf("%s: %d columns: %q", name, n, first[row])
			}
		}
		if !strings.Contains(strings.Join(first, "\n"), "█") {
			t.Errorf("%s shows no bar:\n%s", name, strings.Join(first, "\n"))
		}
		bottom := 0
		for row, text := range first {
			if strings.HasSuffix(text, "│") || strings.HasSuffix(text, "█") {
				bottom = row
			}
		}
		click := tui.Mouse{Press: true, Col: s.Width - 1, Row: bottom}
		if !c.(tui.EventHandler).HandleEvent(click, s) {
			t.Errorf("%s does not take the click", name)
		}
		last := strings.Join(texts(c.View(s)), "\n")
		if !strings.Contains(last, "49") {
			t.Errorf("%s is not at its end:\n%s", name, last)
		}
	}
	for name, c := range numbered(3) {
		if rows := texts(c.View(tui.Space{Width: 30, Height: 8})); name != "viewport" &&
			strings.ContainsAny(strings.Join(rows, ""), "█│") {
			t.Errorf("%s shows a bar for nothing: %q", name, rows)
		}
	}
}

func TestATreeIsSearched(t *testing.T) {
	c := numbered(50)["tree"].(*widget.Tree)
	s := tui.Space{Width: 30, Height: 8}
	pressKeys(c, s, "/row 4", rune(terminal.KeyEnter), 'n')
	if n, _ := c.Chosen(); n.ID != "id40" {
		t.Errorf("found %s", n.ID)
	}
	pressKeys(c, s, 'N', rune(terminal.KeyEscape), "/none", rune(terminal.KeyEscape))
	if n, _ := c.Chosen(); n.ID != "id4" {
		t.Errorf("after the search: %s", n.ID)
	}
}
