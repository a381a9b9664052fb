package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// rowMark is the meaning of the OSC 133 mark of a row.
type rowMark uint8

const (
	noMark     rowMark = iota
	promptMark         // a message of the person begins here
	outputMark         // the answer to it begins here
	liveMark           // the live region begins here, see Quirks.RedrawsPrompt
)

// marks finds the marks of final rows, in their order.
type marks struct {
	prompt, wrapped bool // of the last final row
}

// nextMark returns the mark of the final row l. A row that continues a line has none: its mark goes
// to the row after that line.
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

// writeMark marks row i, before its text is written: from the end of the text the way back could
// lead to another row in a terminal of another width. Only final rows get such marks. A mark says
// something about every row below it, and kitty and ghostty erase from one to the cursor when the
// window changes, unless it says that nobody will draw it again. Outside of column 0 a mark would
// begin a new row (ghostty, wezterm), hence the CR even where the cursor is believed to be in
// column 0.
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

// markLiveRegion marks the first live row if it is not marked: from there on the terminal moves
// nothing at a new size. In kitty nobody jumps to a continued prompt, and only the last mark above
// the cursor counts, so that a mark that a row kept when it became final does no harm.
func (e *emitter) markLiveRegion() {
	if e.shown[0].mark == liveMark && e.markActive && (!e.careful || len(e.buf) == headroom) {
		return
	}
	e.writeLiveMark(ansi.LiveMark)
	e.markActive, e.mayHaveMarks = true, true
	e.shown[0].mark, e.shown[0].mayHaveLiveMark = liveMark, true
}

// clearStaleMarks removes the marks that live rows may have, from the second row to the caret's. IL
// has moved them there, and the last one above the cursor would count. No erasure removes a mark,
// so that each such row is made again.
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

// maxMarkedColumns is the most columns of final rows that a frame writes while the mark stands
// below them. A longer frame is read in several pieces, and a new size between two of them would
// take final rows for live ones.
const maxMarkedColumns = 1024

// countColumns returns the number of columns that the rows take together.
func countColumns(rows []row) (n int) {
	for i := range rows {
		n += len(rows[i].cells)
	}
	return n
}

// endLiveMark tells the terminal that nothing is drawn again, until the next mark.
func (e *emitter) endLiveMark() {
	if e.markActive {
		e.writeLiveMark(ansi.DoneMark)
		e.markActive, e.shown[0].mark = false, noMark
	}
}

// writeLiveMark writes mark in column 0 of the first live row.
func (e *emitter) writeLiveMark(mark string) {
	e.setPen(Style{}, "")
	e.moveToRow(0)
	e.buf = append(e.buf, '\r')
	e.cursor.Col = 0
	e.buf = append(e.buf, mark...)
}
