package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// mark is what OSC 133 says of a row.
type mark uint8

const (
	noMark     mark = iota
	promptMark      // what the person said begins here
	outputMark      // what came of it begins here
)

// marks follows the final rows.
type marks struct {
	prompt, wrapped bool // of the last one
}

// next is the mark of the final row l. A row that continues a line has none: what it would say is
// said by the next one.
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
	} else {
		e.buf = append(e.buf, ansi.OutputMark...)
	}
	e.shown[i].mark = m
}
