package tui

import "time"

// Place says where an overlay goes. The zero value is the bottom, at full width. The page
// docs/tui.md has its fields in a table.
type Place struct {
	Width  int // columns; 0: all, or with a side or the centre as many as its widest row has
	Height int // rows; 0: all

	// The sides of the window at which it stands, and Center for the middle between those that are
	// not named: Center and Top is the middle of the upper edge.
	Top, Bottom, Left, Right, Center bool
	Margin                           Pos  // columns and rows that stay free between it and the edges of the window
	Pointer                          bool // at the last click instead, as a context menu; a click beside it closes it
	Shade                            bool // what is below it is faint

	Replace bool // it stands in the place of Footer and covers no row
	// It has the whole alternate screen: the transcript stays as it is and writers wait. Over one
	// with Full, Replace is the bottom of that screen. Where there is no alternate screen that
	// leaves history alone (GNU screen, Emacs' term), Full is Replace.
	Full bool

	// Keys, pastes and clicks that it does not handle go nowhere. Ctrl+C still ends Run.
	Modal bool
	// It takes no keys and no clicks, and leaves the focus and the caret where they are, as a short
	// message does. On the alternate screen it stands over all other layers. Over the inline region
	// it stands above the footer and covers no row.
	Passive bool
	// Keys go to what is below until the overlay was painted and no key came for this long.
	FocusDelay time.Duration
}

// MaxSize returns the most columns and rows that an overlay has in a window of cols columns and
// rows rows.
func (p Place) MaxSize(cols, rows int) (maxCols, maxRows int) {
	maxCols, maxRows = max(cols-2*p.Margin.Col, 1), max(rows-2*p.Margin.Row, 1)
	if p.Width > 0 {
		maxCols = min(maxCols, p.Width)
	}
	if p.Height > 0 {
		maxRows = min(maxRows, p.Height)
	}
	return maxCols, maxRows
}

// Corner returns the upper left corner of an overlay of size in a window of cols columns and rows
// rows. Both are a Pos: a number of columns and of rows. It keeps within the window.
func (p Place) Corner(cols, rows int, size Pos) Pos {
	return Pos{
		Col: cornerOf(cols, size.Col, p.Margin.Col, p.Left || !p.Center && !p.Right, p.Right),
		Row: cornerOf(rows, size.Row, p.Margin.Row, p.Top, p.Bottom || !p.Center),
	}
}

// cornerOf returns where something of n cells begins in total cells: at the first side, the last
// one, or else in the middle.
func cornerOf(total, n, margin int, first, last bool) int {
	at := (total - n) / 2
	switch {
	case first:
		at = margin
	case last:
		at = total - margin - n
	}
	return max(min(at, total-n), 0)
}

// atPointer returns the corner of an overlay of size at the pointer: below it, or above it where
// the window has no place below.
func atPointer(pointer Pos, cols, rows int, size Pos) Pos {
	row := pointer.Row + 1
	if row+size.Row > rows {
		row = pointer.Row - size.Row
	}
	return Pos{Col: max(min(pointer.Col, cols-size.Col), 0), Row: max(min(row, rows-size.Row), 0)}
}

// fitsContent reports whether an overlay without a Width is as wide as its rows.
func (p *Place) fitsContent() bool {
	return p.Width == 0 && (p.Center || p.Left || p.Right || p.Pointer) && !p.Replace && !p.Full
}

// isLayer reports whether an overlay covers what is below, and has neither the footer's place nor
// the screen.
func (p *Place) isLayer() bool { return !p.Replace && !p.Full }
