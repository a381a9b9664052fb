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

// rivers returns a table of texts and numbers.
func rivers() *widget.Table {
	return &widget.Table{
		Title: "Rivers",
		Columns: []widget.Column{{Title: "Name", Min: 6, Weight: 2}, {Title: "km", Min: 5, Right: true},
			{Title: "Mouth", Weight: 1}},
		Rows: [][]string{{"Rhine", "1230", "North Sea"}, {"danube", "2850", "Black Sea"}, {"Po", "652", "Adriatic Sea"},
			{"Loire", "1006"}, {"\x1b[2JSeine", "777", "English Channel\n"}, {"Ob 鄂毕河", "3650", "Kara Sea"}},
	}
}

func TestATableIsMovedSortedAndChosenFrom(t *testing.T) {
	a := &album{t: t}
	var said []string
	table := func() tui.Component {
		w := rivers()
		w.OnChoose = func(row int) { said = append(said, w.Rows[row][0]) }
		w.Mouse = true
		return w
	}
	a.scene("the top", 6, table)
	a.scene("moved", 6, table, "down", "down", "down", "down")
	a.scene("sorted by name", 6, table, "s")
	a.scene("sorted by length, the longest first", 6, table, "right", "s", "s", "home")
	a.scene("sorted by a click", 6, table, "@10,1")
	a.scene("the last column", 6, table, "right", "right")
	a.scene("no rows", 6, func() tui.Component { return &widget.Table{Columns: rivers().Columns} })
	a.scene("no columns", 3, func() tui.Component { return &widget.Table{Rows: rivers().Rows} })
	a.plain("a table", table())
	a.compare("table")
	said = nil
	a.scene("chosen", 6, table, "end", "enter", "up", "enter")
	want := slices.Repeat([]string{"Ob 鄂毕河", "\x1b[2JSeine"}, len(said)/2)
	if len(said) == 0 || !slices.Equal(said, want) {
		t.Errorf("chosen: %q", said)
	}
}

func TestATableStaysWithItsRowWhenItIsSorted(t *testing.T) {
	w := rivers()
	s := tui.Space{Width: 40, Height: 20}
	press := func(codes ...rune) {
		for _, c := range codes {
			w.View(s)
			w.HandleEvent(tui.Key{Code: c}, s)
		}
	}
	press('j', terminal.KeyRight, 's') // danube, by length
	if w.At != 1 {
		t.Errorf("chosen %d", w.At)
	}
	press('j')
	if w.At != 5 {
		t.Errorf("behind the danube comes %d, want the Ob", w.At)
	}
	if by, down := w.Sorted(); by != 1 || down {
		t.Errorf("sorted by %d %t", by, down)
	}
	w.Rows = append(w.Rows, []string{"Elbe", "1094", "North Sea"})
	press('g')
	if w.At != 2 {
		t.Errorf("the shortest is %d", w.At)
	}
	press('s', 's', 'g')
	if by, _ := w.Sorted(); by != -1 || w.At != 0 {
		t.Errorf("not sorted any more: %d, %d", by, w.At)
	}
}

func TestCellsAreSortedAsAPersonWould(t *testing.T) {
	want := strings.Split("-3|2.5|10|1e3|a|B|b2|b02x|b10|File 9.txt|file 10.txt|ß", "|")
	w := &widget.Table{Columns: []widget.Column{{Title: "a"}}}
	for _, i := range []int{11, 3, 9, 0, 5, 10, 2, 8, 7, 1, 6, 4} {
		w.Rows = append(w.Rows, []string{want[i]})
	}
	w.Sort(0, false)
	for i, row := range texts(w.View(tui.Space{Width: 40, Height: 20}))[1:] {
		if got := strings.TrimLeft(row, "› "); got != want[i] {
			t.Errorf("at %d stands %q, want %q", i, got, want[i])
		}
	}
}

func TestATableOfCellsIsSortedByItsProgram(t *testing.T) {
	var said []string
	w := &widget.Table{Columns: []widget.Column{{Title: "a"}, {Title: "b"}}, Len: func() int { return 3 },
		Cell: func(row, column int) string { return fmt.Sprint(row, column) }}
	s := tui.Space{Width: 40, Height: 5}
	w.View(s)
	w.HandleEvent(tui.Key{Code: 's'}, s)
	if by, _ := w.Sorted(); by != -1 {
		t.Error("sorted by nobody")
	}
	w.OnSort = func(column int, down bool) { said = append(said, fmt.Sprint(column, down)) }
	for range 3 {
		w.HandleEvent(tui.Key{Code: 's'}, s)
	}
	if got := strings.Join(said, ", "); got != "0 false, 0 true, -1 false" {
		t.Errorf("it was told %s", got)
	}
}

func TestARowOfATableIsChosenWithoutATerminal(t *testing.T) {
	chosen := -1
	w := rivers()
	w.OnChoose = func(row int) { chosen = row }
	for _, c := range []struct {
		line string
		want int
	}{{"2", 1}, {"loire\n", 3}, {"", 3}, {"7", -1}, {"none", -1}} {
		chosen = -1
		if w.Submit(c.line); chosen != c.want {
			t.Errorf("%q chooses %d", c.line, chosen)
		}
	}
}

// million returns a table of n rows.
func million(n int) *widget.Table {
	return &widget.Table{
		Columns: []widget.Column{{Title: "Number", Min: 8, Right: true}, {Title: "Text", Weight: 1},
			{Title: "Size", Min: 8}},
		Len: func() int { return n },
		Cell: func(row, column int) string {
			return [...]string{"1234567", "some text of a row", "12 kB"}[column]
		},
	}
}

func TestATableAsksForTheCellsInSight(t *testing.T) {
	asked := 0
	w := million(1_000_000)
	cell := w.Cell
	w.Cell = func(row, column int) string {
		asked++
		return cell(row, column)
	}
	s := tui.Space{Width: 80, Height: 24}
	for _, code := range []rune{'j', 'G', 'k', terminal.KeyPageUp} {
		asked = 0
		w.View(s)
		if w.HandleEvent(tui.Key{Code: code}, s); asked > 3*24 {
			t.Errorf("%c: %d cells were asked for", code, asked)
		}
	}
}

func ExampleTable() {
	table := &widget.Table{
		Columns: []widget.Column{{Title: "River", Weight: 1}, {Title: "km", Min: 5, Right: true}},
		Rows:    [][]string{{"Rhine", "1230"}, {"Po", "652"}},
	}
	table.Sort(1, false)
	for _, row := range texts(table.View(tui.Space{Width: 20, Height: 10})) {
		fmt.Println(row)
	}
	// Output:
	//   River         km ▴
	//   Po             652
	// › Rhine         1230
}

func ExampleColumn() {
	byLength := func(a, b string) int { return len(a) - len(b) }
	table := &widget.Table{
		Columns: []widget.Column{{Title: "Word", Compare: byLength}}, Rows: [][]string{{"three"}, {"a"}},
	}
	table.Sort(0, true)
	show(table)
	// Output:
	//   Word ▾
	// 1 three
	// 2 a
}
