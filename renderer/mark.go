package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// rowMark is the kind of an OSC 133 mark that a row has.
type rowMark uint8

const (
	noMark     rowMark = iota
	promptMark         // A message of the user begins in the row.
	outputMark         // The answer to a message begins in the row.
	liveMark           // The live region begins in the row, see Quirks.RedrawsPrompt.
)

// marks decides which final rows get a mark. It is given the final rows in order.
type marks struct {
	prompt, wrapped bool // Line.Prompt and Line.Wrapped of the last final row.
}

// nextMark returns the mark of the next final row. A row that continues a line gets no mark; the
// row behind that line gets it.
func (m *marks) nextMark(l Line) rowMark {
	if m.wrapped {
		m.wrapped = l.Wrapped
		return noMark
	}
	was := m.prompt
	m.prompt, m.wrapped = l.Prompt, l.Wrapped
	switch {
	case l.Prompt && !was:
		return promptMark
	case was && !l.Prompt:
		return outputMark
	}
	return noMark
}

// writeMark writes the OSC 133 mark of row i, before the text of the row: in a terminal of another
// width the way back from the end of the text could lead to another row.
//
// Only final rows get such marks. A mark concerns every row below it: when the window changes,
// kitty and ghostty erase from a mark to the cursor, unless the mark says that nobody will draw
// that text again. Outside of column 0 a mark would begin a new row (ghostty, wezterm). So a CR
// comes first, even where the cursor should be in column 0.
func (e *emitter) writeMark(i int, m rowMark) {
	if m == noMark || e.shown[i].mark == m {
		return
	}
	e.setPen(Style{}, "")
	e.moveToRow(i)
	e.buf = append(e.buf, '\r')
	e.cursor.Col = 0
	if m == promptMark {
		e.buf = append(e.buf, ansi.PromptMark...)
		e.markActive = false
	} else {
		e.buf = append(e.buf, ansi.OutputMark...)
	}
	e.shown[i].mark = m
}

// markLiveRegion writes the mark of the live region in the first live row, if it is not there. From
// that mark on kitty wraps nothing anew at a new size.
//
// A row keeps this mark when it becomes final. That does no harm: kitty jumps to no prompt of this
// kind, and only the last mark above the cursor counts.
func (e *emitter) markLiveRegion() {
	if e.shown[0].mark == liveMark && e.markActive && (!e.careful || len(e.buf) == headroom) {
		return
	}
	e.writeLiveMark(ansi.LiveMark)
	e.markActive, e.mayHaveMarks = true, true
	e.shown[0].mark, e.shown[0].mayHaveLiveMark = liveMark, true
}

// clearStaleMarks removes marks of the live region from the second live row down to row caret. IL
// can have moved marks there, and the last one above the cursor would count. An erasure does not
// remove a mark, so that each such row is deleted, inserted again and printed.
func (e *emitter) clearStaleMarks(caret int) {
	for i := 1; i <= caret; i++ {
		r := &e.shown[i]
		if !r.mayHaveLiveMark {
			continue
		}
		e.setPen(Style{}, "")
		e.moveToRow(i)
		e.moveToCol(0)
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
		e.movesRows = true
		e.writeCells(r, 0, len(r.cells))
		r.mark, r.mayHaveLiveMark, r.blankPrinted = noMark, false, false
	}
}

// maxMarkedColumns is the most columns of final rows that a frame writes while the mark of the live
// region is active. A terminal reads a longer frame in several pieces, and if its size changed
// between two of them it would take final rows for live ones.
const maxMarkedColumns = 1024

// countColumns returns the total number of columns in rows.
func countColumns(rows []row) (n int) {
	for i := range rows {
		n += len(rows[i].cells)
	}
	return n
}

// endLiveMark tells the terminal that the text below the mark of the live region will not be drawn
// again, if the mark is active.
func (e *emitter) endLiveMark() {
	if e.markActive {
		e.writeLiveMark(ansi.DoneMark)
		e.markActive, e.shown[0].mark = false, noMark
	}
}

// writeLiveMark writes the sequence mark in column 0 of the first live row.
func (e *emitter) writeLiveMark(mark string) {
	e.setPen(Style{}, "")
	e.moveToRow(0)
	e.buf = append(e.buf, '\r')
	e.cursor.Col = 0
	e.buf = append(e.buf, mark...)
}
