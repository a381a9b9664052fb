package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// mark is what OSC 133 says of a row.
type mark uint8

const (
	noMark     mark = iota
	promptMark      // what the person said begins here
	outputMark      // what came of it begins here
	liveMark        // the live region begins here, see Quirks.Redraws
)

// marks follows the final rows.
type marks struct {
	prompt, wrapped bool // of the last one
}

// next returns the mark of the final row l. A row that continues a line has none: what it would say
// is said by the next one.
func (m *marks) next(l Line) mark {
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

// mark marks row i, before its text is written: from behind it the way back could be another row in
// a terminal of another width. Only final rows are marked: a mark says something about every row
// below it, and kitty and ghostty erase from one to the cursor when the window changes, unless it
// says that nobody will draw it again. Away from column 0 a mark would begin a new row (ghostty,
// wezterm), hence the CR even where the cursor is believed to be there.
func (e *emitter) mark(i int, m mark) {
	if m == noMark || e.shown[i].mark == m {
		return
	}
	e.setPen(Style{}, "")
	e.to(i)
	e.buf = append(e.buf, '\r')
	e.cur.Col = 0
	if m == promptMark {
		e.buf = append(e.buf, ansi.PromptMark...)
		e.redraws = false
	} else {
		e.buf = append(e.buf, ansi.OutputMark...)
	}
	e.shown[i].mark = m
}

// markLive marks the first live row if it is not marked: nothing moves from there on at a new size.
// In kitty a continued prompt is none to jump to, and only the last mark above the cursor counts,
// so that one that a row kept when it became final says nothing.
func (e *emitter) markLive() {
	if e.shown[0].mark == liveMark && e.redraws && (!e.careful || len(e.buf) == headroom) {
		return
	}
	e.markRow(ansi.LiveMark)
	e.redraws, e.marked = true, true
	e.shown[0].mark, e.shown[0].stale = liveMark, true
}

// unmarkAbove takes away the marks that live rows may have from the second one on to the caret's,
// since the last one above the cursor counts: IL has moved them there, and no erasure takes them.
// Such a row is made anew.
func (e *emitter) unmarkAbove(caret int) {
	for i := 1; i <= caret; i++ {
		r := &e.shown[i]
		if !r.stale {
			continue
		}
		e.setPen(Style{}, "")
		e.to(i)
		e.col(0)
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
		e.lifts = true
		e.text(r, 0, len(r.cells))
		r.mark, r.stale, r.ink = noMark, false, false
	}
}

// large is how many columns of final rows may come before the mark that stands below them. A longer
// frame is read in several pieces, and a new size between two of them would take final rows for
// live ones.
const large = 1024

// columns returns the number of columns that the rows take together.
func columns(rows []row) (n int) {
	for i := range rows {
		n += len(rows[i].cells)
	}
	return n
}

// unmark says that nothing is drawn again, until the next mark.
func (e *emitter) unmark() {
	if e.redraws {
		e.markRow(ansi.DoneMark)
		e.redraws, e.shown[0].mark = false, noMark
	}
}

func (e *emitter) markRow(mark string) {
	e.setPen(Style{}, "")
	e.to(0)
	e.buf = append(e.buf, '\r')
	e.cur.Col = 0
	e.buf = append(e.buf, mark...)
}
