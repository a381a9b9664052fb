package widget

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Column is one column of a [Table].
type Column struct {
	Title  string
	Min    int  // the fewest columns of the screen; 0: as many as Title takes
	Weight int  // share of the free width; 0 in all columns: the last one has all of it
	Width  int  // exactly as many columns of the screen; a person changes it; 0: by Min and Weight
	Right  bool // its cells stand at the right, as numbers do
	// Compare orders two cells of Rows as [strings.Compare] does; nil: numbers by their value, even
	// within a text, and letters in any case.
	Compare func(a, b string) int
}

// Table is rows of cells below a header. One row is chosen. In a space without a height it is all
// rows, as text, for [Table.Submit]. Fields and methods are for the loop. Only cells in sight are
// asked for: the cost of a frame does not grow with the rows out of sight.
//
// # Keys
//
// Up, Down, j, k, Ctrl+P, Ctrl+N move by rows, PgUp, PgDn by pages, g, G, Home, End to the ends.
// Enter chooses. Left and Right go from column to column. s sorts by the current column, the second
// time the other way round, the third time not at all. < and > make it narrower and wider. /
// searches in all cells: text without an upper-case letter matches either case; n and N go to the
// next and the previous match, Esc ends the search. Alt+Up and Alt+Down move a row, with OnReorder.
// A screen that is too narrow shows the columns around the current one.
//
// # Mouse
//
// With Mouse a click chooses a row, and the wheel scrolls. A click on a title sorts by it. A drag
// of the blanks behind a title makes the column wider or narrower. With OnReorder a row is dragged
// to another place.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string                   // a cell for each column, blank if it is missing
	Len     func() int                   // with Cell: how many rows there are
	Cell    func(row, column int) string // nil: those of Rows
	// Style returns a style that is added to that of the row; nil: none.
	Style func(t *tui.Theme, row, column int) tui.Style
	// OnSort is called with the column by which the rows are to be sorted, -1 for none. With Cell
	// it has to sort them, at once or later. nil: the rows of Cell cannot be sorted.
	OnSort func(column int, down bool)
	// OnReorder is called when a person has moved a row: what was row from is row to now. Rows are
	// in their new order; with Cell the program moves the row. nil: rows stay. Rows that are sorted
	// stay, too.
	OnReorder func(from, to int)
	// OnMenu is called for a right click on a row, and for Shift+F10: [OpenMenu] shows one there.
	OnMenu    func(row int)
	At        int                // the chosen row: an index of Rows, or the row for Cell
	Height    int                // the most rows of the screen; 0: all that the space has
	OnMove    func(row int)      // another row is chosen
	OnChoose  func(row int)      // Enter, or a click on the chosen row
	OnKey     func(tui.Key) bool // gets the keys that Table does not take; nil: none
	ScrollBar bool               // a bar at the right shows where the rows in sight stand
	Mouse     bool               // see above

	currentColumn int // to which Left and Right move
	sortKey       int // the column by which the rows are sorted, plus 1; 0: none
	descending    bool
	order         []int // the rows of Rows, sorted; nil: in their own order
	sortedRows    int   // how many there were when they were sorted
	orderIndex    int   // where the chosen row was found in order
	first         int   // the first column in sight
	widths        []int // columns of the screen of those from first on, in the last View
	headRows      int   // rows above those of the table
	scroll        scroll
	side          sideBar
	search        rowSearch
	heldRow       int  // the place of the row on which the mouse was pressed, plus 1; 0: none
	heldChosen    bool // it was chosen before: a release on it chooses it
	heldColumn    int  // the column beside which it was pressed, plus 1; 0: none
	heldAt        int  // the column of the screen of that press
}

// Changed says that cells of Rows were changed: they are sorted again.
func (t *Table) Changed() { t.order, t.sortedRows = nil, 0 }

// Sort sorts by a column, an index of Columns; down: the largest first. -1: not at all.
func (t *Table) Sort(column int, down bool) {
	if column >= len(t.Columns) || column >= 0 && t.Cell != nil && t.OnSort == nil {
		return
	}
	t.sortKey, t.descending = max(column, -1)+1, down
	t.Changed()
	if t.OnSort != nil {
		t.OnSort(t.sortKey-1, down)
	}
}

// Sorted returns the column by which the rows are sorted, -1 for none; down: the largest first.
func (t *Table) Sorted() (column int, down bool) { return t.sortKey - 1, t.descending }

// rowCount returns the number of rows.
func (t *Table) rowCount() int {
	if t.Cell != nil && t.Len != nil {
		return max(t.Len(), 0)
	}
	return len(t.Rows)
}

func (t *Table) cellText(row, column int) string {
	if t.Cell != nil {
		return t.Cell(row, column)
	}
	if r := t.Rows[row]; column < len(r) {
		return r[column]
	}
	return ""
}

// sortRows sorts Rows if they are not sorted yet.
func (t *Table) sortRows() {
	n := len(t.Rows)
	if t.Cell != nil || t.sortKey == 0 || t.sortKey > len(t.Columns) {
		t.order = nil
		return
	}
	if t.order != nil && t.sortedRows == n {
		return
	}
	t.order, t.sortedRows = make([]int, n), n
	for i := range t.order {
		t.order[i] = i
	}
	compare := t.Columns[t.sortKey-1].Compare
	if compare == nil {
		compare = compareNatural
	}
	slices.SortStableFunc(t.order, func(a, b int) int {
		c := compare(t.cellText(a, t.sortKey-1), t.cellText(b, t.sortKey-1))
		if t.descending {
			return -c
		}
		return c
	})
}

// rowAt returns the row at place i.
func (t *Table) rowAt(i int) int {
	if t.order != nil {
		return t.order[i]
	}
	return i
}

// chosenPlace returns the place of the chosen row.
func (t *Table) chosenPlace() int {
	if t.order == nil {
		return t.At
	}
	if t.orderIndex >= len(t.order) || t.order[t.orderIndex] != t.At {
		t.orderIndex = max(slices.Index(t.order, t.At), 0)
	}
	return t.orderIndex
}
