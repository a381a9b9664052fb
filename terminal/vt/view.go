package vt

import (
	"iter"
	"strings"
)

// Shape is the shape of the cursor.
type Shape uint8

// The shapes of the cursor.
const (
	BlockCursor Shape = iota
	UnderlineCursor
	BarCursor
)

// String returns block, underline or bar.
func (s Shape) String() string { return [...]string{"block", "underline", "bar"}[s%3] }

// Cursor is the position at which the next character is printed, and how the cursor looks. Row and
// Col count from 0.
type Cursor struct {
	Row, Col    int
	Visible     bool
	PendingWrap bool // Col is the last column, and the next character wraps to the next row.
	Shape       Shape
	Blink       bool
}

// Cell is one cell of a row.
type Cell struct {
	Text      string // The whole grapheme cluster; "" for a blank.
	Width     int    // In columns: 1, or 2 for the first half of a wide character and 0 for its second half.
	Style     Style
	Link      string // The URI of the hyperlink (OSC 8); "": none.
	Protected bool   // The cell is protected (DECSCA, SPA).
}

// PromptMark says whether a row belongs to a shell prompt (OSC 133).
type PromptMark uint8

const (
	NoPrompt PromptMark = iota
	PromptStart
	PromptContinuation
	OutputStart PromptMark = 4 // Output begins in the row. Only a TapeRow has it, with Personality.PromptsByRow.
)

// Row is a row of the grid or the scrollback. It is valid until the next write or resize.
type Row struct {
	t *Terminal
	r *row
}

// Size returns the number of columns and rows.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Row returns row y of the grid; row 0 is the first. It panics if y is out of range.
func (t *Terminal) Row(y int) Row {
	if y < 0 || y >= t.rows {
		panic("vt: row out of range")
	}
	return Row{t, t.active.row(y)}
}

// ScrollbackLen returns the number of rows above the grid. It is 0 on the alternate screen.
func (t *Terminal) ScrollbackLen() int {
	if t.active.noHistory {
		return 0
	}
	return min(t.active.historyRows(), t.active.historyLimit)
}

// ScrollbackRow returns row i of the scrollback; row 0 is the oldest. It panics if i is out of
// range.
func (t *Terminal) ScrollbackRow(i int) Row {
	if i < 0 || i >= t.ScrollbackLen() {
		panic("vt: scrollback row out of range")
	}
	return Row{t, t.active.row(i - t.ScrollbackLen())}
}

// DropScrollback drops the rows above the grid. The screen stays as it is.
func (t *Terminal) DropScrollback() {
	n := t.primary.historyRows()
	t.primary.ring.dropFront(n)
	t.primary.dropped += n
}

// Scrolled returns how many rows of the active screen have ever moved into its scrollback,
// including those that were dropped.
func (t *Terminal) Scrolled() int { return t.active.dropped + t.active.historyRows() }

// Wrapped reports whether the row is soft-wrapped into the next one.
func (r Row) Wrapped() bool { return r.r.has(wrapped) }

// Prompt returns the mark that OSC 133 has set on the row.
func (r Row) Prompt() PromptMark {
	switch {
	case r.r.has(promptFirst):
		return PromptStart
	case r.r.has(promptMore):
		return PromptContinuation
	}
	return NoPrompt
}

// Cell returns the cell in column x. It panics if x is out of range.
func (r Row) Cell(x int) Cell {
	c := r.r.cells[x]
	out := Cell{Width: 1, Protected: c&protectedBit != 0}
	switch c.tag() {
	case tagIndexed, tagRGB:
		out.Style.Bg = backgroundOf(c)
	default:
		p := &r.t.pens.list[c.pen()]
		out.Style = p.Style
		out.Link = r.t.links.list[p.link].uri
		out.Text = string(r.t.clusters.appendText(nil, c))
	}
	switch c.width() {
	case wide:
		out.Width = 2
	case spacerTail:
		out.Width = 0
	}
	return out
}

// Cells yields the cells from left to right with their columns.
func (r Row) Cells() iter.Seq2[int, Cell] {
	return func(yield func(int, Cell) bool) {
		for x := range r.r.cells {
			if !yield(x, r.Cell(x)) {
				return
			}
		}
	}
}

// Used returns a column from which on all cells are blanks in the default style. There may be such
// cells before it, too.
func (r Row) Used() int { return r.r.used }

// Text returns the text of the row. Blanks are spaces, and those at the end are left out.
func (r Row) Text() string { return strings.TrimRight(string(r.appendText(nil)), " ") }

func (r Row) appendText(b []byte) []byte {
	for x, c := range r.r.cells[:r.r.used] {
		switch {
		case c.width() == spacerTail, c.width() == spacerHead && x+1 < len(r.r.cells): // see HalvesPart
		case c.HasText():
			b = r.t.clusters.appendText(b, c)
		default:
			b = append(b, ' ')
		}
	}
	return b
}

// Cursor returns the state of the cursor.
func (t *Terminal) Cursor() Cursor {
	c := &t.active.cursor
	return Cursor{
		Row: c.y, Col: c.x, Visible: t.modes.has(modeCursorVisible), PendingWrap: c.pending, Shape: c.shape,
		Blink: t.modes.has(modeCursorBlink),
	}
}

// Pen returns the style in which the next character is printed.
func (t *Terminal) Pen() Style { return t.active.cursor.style }

// AltScreen reports whether the alternate screen is active.
func (t *Terminal) AltScreen() bool { return t.active == t.alt }

// Title returns the window title, which OSC 0 or OSC 2 has set.
func (t *Terminal) Title() string { return t.window.title }

// Pwd returns the path of the working directory, which OSC 7 has set.
func (t *Terminal) Pwd() string { return t.window.pwd }

// KittyKeyboard returns the flags of kitty's keyboard protocol on the active screen.
func (t *Terminal) KittyKeyboard() int { return int(t.active.keyboard.current()) }

// Bells returns how many BELs have come.
func (t *Terminal) Bells() int { return t.window.bells }

// Screen returns the text of the grid, row by row.
func (t *Terminal) Screen() []string {
	rows := make([]string, t.rows)
	for y := range rows {
		rows[y] = t.Row(y).Text()
	}
	return rows
}

// Scrollback returns the text of the rows above the grid, oldest first.
func (t *Terminal) Scrollback() []string {
	rows := make([]string, t.ScrollbackLen())
	for i := range rows {
		rows[i] = t.ScrollbackRow(i).Text()
	}
	return rows
}

// Tape returns the text of the scrollback and the grid, row by row, without blank rows at the end.
func (t *Terminal) Tape() []string { return cutBlank(append(t.Scrollback(), t.Screen()...)) }

// Lines returns the rows of Tape with soft-wrapped rows joined.
func (t *Terminal) Lines() []string {
	var lines []string
	var line []byte
	n := t.ScrollbackLen()
	for i := range n + t.rows {
		r := Row{t, t.active.row(i - n)}
		line = r.appendText(line)
		if r.Wrapped() && i < n+t.rows-1 {
			if last := r.r.cells[t.cols-1]; last.width() == spacerHead {
				line = line[:len(line)-1]
			} else if !t.config.Personality.RowsHaveLengths {
				for range t.cols - r.r.used {
					line = append(line, ' ')
				}
			}
			continue
		}
		lines = append(lines, strings.TrimRight(string(line), " "))
		line = line[:0]
	}
	return cutBlank(lines)
}

func cutBlank(rows []string) []string {
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// String returns the grid as text, one line for each row, without trailing blank rows.
func (t *Terminal) String() string { return strings.Join(cutBlank(t.Screen()), "\n") }
