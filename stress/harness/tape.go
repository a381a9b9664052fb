package harness

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// Tape gives access to the rows of history and grid by one index.
type Tape struct{ *vt.Terminal }

// RowAt returns row i, counted from the oldest row in history.
func (t Tape) RowAt(i int) vt.Row {
	if n := t.ScrollbackLen(); i < n {
		return t.ScrollbackRow(i)
	} else {
		return t.Row(i - n)
	}
}

// lineStart returns the first row of the terminal's line that row i belongs to.
func (t Tape) lineStart(i int) int {
	for i > 0 && t.RowAt(i-1).Wrapped() {
		i--
	}
	return i
}

// Len returns the number of rows on the tape.
func (t Tape) Len() int {
	_, rows := t.Size()
	return t.ScrollbackLen() + rows
}

// logicalLines returns the rows before end, with soft-wrapped rows joined and all blanks removed.
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

// rowTexts returns the texts of the rows before end.
func (t Tape) rowTexts(end int) []string {
	var rows []string
	for i := range end {
		rows = append(rows, t.RowAt(i).Text())
	}
	return rows
}

// hasRows reports whether rows stand on the tape from row i on.
func (t Tape) hasRows(i int, rows []*row) bool {
	for k, r := range rows {
		if Squeeze(t.RowAt(i+k).Text()) != Squeeze(r.text) {
			return false
		}
	}
	return true
}
