package harness

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// Tape gives access to all rows of a terminal by one index: first those of history (scrollback),
// then those of the grid.
type Tape struct{ *vt.Terminal }

// RowAt returns row i, counted from the oldest row in history.
func (t Tape) RowAt(i int) vt.Row {
	if n := t.ScrollbackLen(); i < n {
		return t.ScrollbackRow(i)
	} else {
		return t.Row(i - n)
	}
}

// lineStart returns the index of the first row of the soft-wrapped line that row i belongs to.
func (t Tape) lineStart(i int) int {
	for i > 0 && t.RowAt(i-1).Wrapped() {
		i--
	}
	return i
}

// Len returns the number of rows in history and grid together.
func (t Tape) Len() int {
	_, rows := t.Size()
	return t.ScrollbackLen() + rows
}

// logicalLines returns the texts of the lines in the rows before row end, with soft-wrapped rows
// joined, and without blanks and clusters of doubtful width (see [Squeeze]).
func (t Tape) logicalLines(end int) []string {
	var lines []string
	splice := false
	for i := range end {
		r := t.RowAt(i)
		s := Squeeze(r.Text())
		if splice {
			lines[len(lines)-1] += s
		} else {
			lines = append(lines, s)
		}
		splice = r.Wrapped()
	}
	return lines
}

// rowTexts returns the texts of all rows before row end.
func (t Tape) rowTexts(end int) []string {
	var rows []string
	for i := range end {
		rows = append(rows, t.RowAt(i).Text())
	}
	return rows
}

// hasRows reports whether the tape (history plus grid), from row i on, shows the texts of rows,
// apart from blanks and clusters of doubtful width.
func (t Tape) hasRows(i int, rows []*row) bool {
	for k, r := range rows {
		if Squeeze(t.RowAt(i+k).Text()) != Squeeze(r.text) {
			return false
		}
	}
	return true
}
