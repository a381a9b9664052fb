package widget

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Column describes one column of a [Table]. Widths are numbers of terminal columns.
type Column struct {
	Title  string
	Min    int  // minimum width; 0: the width of Title
	Weight int  // share of the width that is left; if all columns have 0 the last one gets all of it
	Width  int  // exact width, which the user can change; 0: a width from Min and Weight
	Right  bool // cells are right-aligned, as numbers should be
	// Compare orders two cells of Rows like [strings.Compare]. If it is nil the order is natural:
	// numbers by value, also within texts, and letters in either case.
	Compare func(a, b string) int
}

// Table shows rows of cells below a header. One row is highlighted. If the Space has no height, all
// rows are shown as numbered text and [Table.Submit] chooses one. Access fields and methods only on
// the App's loop. The table reads only visible cells, so that the cost of a frame does not depend
// on the number of rows.
//
// # Keys
//
// Up, Down, j, k, Ctrl+P and Ctrl+N move by rows, PgUp and PgDn by pages; g, G, Home and End go to
// the ends. Enter chooses the highlighted row. Left and Right move from column to column. The key s
// sorts by the current column, then in descending order, then not at all. The keys < and > make the
// current column narrower and wider. The key / searches all cells; a pattern without upper-case
// letters matches either case. The keys n and N go to the next and the previous match, and Esc ends
// the search. If OnReorder is set Alt+Up and Alt+Down move the row. If the table is wider than the
// screen it shows the columns around the current one.
//
// # Mouse
//
// If Mouse is set a click highlights a row, a second click chooses it, and the wheel scrolls. A
// click on a title sorts by its column. A drag of the gap behind a title changes the column's
// width. If OnReorder is set a row can be dragged to another place.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string                   // the cells of each row, one for each column; missing cells are blank
	Len     func() int                   // returns the number of rows; used with Cell
	Cell    func(row, column int) string // returns a cell; nil: Rows has the cells
	// Style returns the style of a cell. The attributes of the row, such as bold for the
	// highlighted one, are added to it. If Style is nil all cells are plain.
	Style func(t *tui.Theme, row, column int) tui.Style
	// OnSort is called when the sort order changes, with the column to sort by, or -1 for none. If
	// Cell is set, OnSort must sort the rows, at once or later. If Cell is set and OnSort is nil
	// the user cannot sort.
	OnSort func(column int, down bool)
	// OnReorder is called after the user has moved a row from index from to index to. Rows is in
	// the new order already; if Cell is set the program must move the row itself. If OnReorder is
	// nil, or while the rows are sorted, rows cannot be moved.
	OnReorder func(from, to int)
	// OnMenu is called on a right click on a row, and on Shift+F10. It can call [OpenMenu] to show
	// a menu there.
	OnMenu    func(row int)
	At        int                // index of the highlighted row
	Height    int                // the maximum number of screen rows; 0: the height of the Space
	OnMove    func(row int)      // called when another row is highlighted
	OnChoose  func(row int)      // called on Enter, and on a click on the highlighted row
	OnKey     func(tui.Key) bool // gets the keys that Table does not use; returns true if it has used one
	ScrollBar bool               // shows a scroll bar at the right
	Mouse     bool               // handles clicks, drags and the wheel

	currentColumn      int // index of the column that Left and Right move and s sorts by
	sortColumnPlus1    int // index of the column by which the rows are sorted, plus 1; 0: not sorted
	descending         bool
	sortedOrder        []int // indexes of Rows in sorted order; nil: Rows is shown in its own order
	sortedRows         int   // number of rows when sortedOrder was made
	chosenOrderIndex   int   // index in sortedOrder at which the highlighted row was found
	firstColumn        int   // index of the first visible column
	columnWidths       []int // widths of the visible columns in the last View
	headRows           int   // screen rows above the first row of the table
	scroll             scrollState
	sideBar            sideBar
	search             rowSearch
	pressedPlacePlus1  int  // the place of the row on which the button was pressed, plus 1; 0: none
	pressedWasChosen   bool // the pressed row was highlighted before, so that a release on it chooses it
	resizedColumnPlus1 int  // index of the column whose border is dragged, plus 1; 0: none
	resizeFromCol      int  // screen column of the pointer at the last step of resizing a column
}

// Changed must be called after a change of cells in Rows. It makes the next View sort them again.
func (t *Table) Changed() { t.sortedOrder, t.sortedRows = nil, 0 }

// Sort sorts the rows by a column, an index of Columns, in descending order if down is true. A
// column of -1 restores the original order.
func (t *Table) Sort(column int, down bool) {
	if column >= len(t.Columns) || column >= 0 && t.Cell != nil && t.OnSort == nil {
		return
	}
	t.sortColumnPlus1, t.descending = max(column, -1)+1, down
	t.Changed()
	if t.OnSort != nil {
		t.OnSort(t.sortColumnPlus1-1, down)
	}
}

// Sorted returns the column by which the rows are sorted, or -1, and whether the order is
// descending.
func (t *Table) Sorted() (column int, down bool) { return t.sortColumnPlus1 - 1, t.descending }

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

// sortRows updates sortedOrder if it is out of date.
func (t *Table) sortRows() {
	n := len(t.Rows)
	if t.Cell != nil || t.sortColumnPlus1 == 0 || t.sortColumnPlus1 > len(t.Columns) {
		t.sortedOrder = nil
		return
	}
	if t.sortedOrder != nil && t.sortedRows == n {
		return
	}
	t.sortedOrder, t.sortedRows = make([]int, n), n
	for i := range t.sortedOrder {
		t.sortedOrder[i] = i
	}
	compare := t.Columns[t.sortColumnPlus1-1].Compare
	if compare == nil {
		compare = compareNatural
	}
	slices.SortStableFunc(t.sortedOrder, func(a, b int) int {
		c := compare(t.cellText(a, t.sortColumnPlus1-1), t.cellText(b, t.sortColumnPlus1-1))
		if t.descending {
			return -c
		}
		return c
	})
}

// rowAt returns the row at place i, that is, the i-th row in the order on the screen.
func (t *Table) rowAt(i int) int {
	if t.sortedOrder != nil {
		return t.sortedOrder[i]
	}
	return i
}

// chosenPlace returns the place of the highlighted row: its index in the order on the screen.
func (t *Table) chosenPlace() int {
	if t.sortedOrder == nil {
		return t.At
	}
	if t.chosenOrderIndex >= len(t.sortedOrder) || t.sortedOrder[t.chosenOrderIndex] != t.At {
		t.chosenOrderIndex = max(slices.Index(t.sortedOrder, t.At), 0)
	}
	return t.chosenOrderIndex
}
