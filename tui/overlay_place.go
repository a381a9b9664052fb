package tui

import "time"

// Place says where an overlay is shown. The zero value is the bottom of the window, at full width.
// The page docs/tui.md has a table of the fields.
type Place struct {
	Width  int // number of columns; 0: all, or those of the widest row if a side or Center is set
	Height int // number of rows; 0: all

	// The sides of the window at which the overlay is placed. Center stands for the middle in a
	// direction without a side: Center and Top together are the middle of the top edge.
	Top, Bottom, Left, Right, Center bool
	Margin                           Pos  // free columns and rows between the overlay and the edges of the window
	Pointer                          bool // at the last click, like a context menu; a click outside closes the overlay
	Shade                            bool // everything below the overlay is shown faint

	Replace bool // the overlay replaces the Footer and covers no row
	// Full shows the overlay on the whole alternate screen. The transcript stays as it is, and
	// writers wait. Above an overlay with Full, Replace means the bottom of that screen. If there
	// is no alternate screen that does not affect history (GNU screen, Emacs' term), Full acts as
	// Replace.
	Full bool

	// Modal drops keys, pastes and clicks that the overlay does not handle. Ctrl+C still ends Run.
	Modal bool
	// Passive is for short messages: the overlay takes no keys and no clicks, and the focus and the
	// caret stay where they are. On the alternate screen it is above all other layers. Otherwise it
	// is above the footer and covers no row.
	Passive bool
	// FocusDelay is a time without keys that must pass after the overlay was painted before it gets
	// the keys. Until then they go to the component below.
	FocusDelay time.Duration
}

// MaxSize returns the maximum size of an overlay in a window of the given number of columns and
// rows.
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

// Corner returns the upper left corner of an overlay of the given size, in columns and rows, in a
// window of the given number of columns and rows. The overlay stays within the window.
func (p Place) Corner(cols, rows int, size Pos) Pos {
	return Pos{
		Col: cornerOf(cols, size.Col, p.Margin.Col, p.Left || !p.Center && !p.Right, p.Right),
		Row: cornerOf(rows, size.Row, p.Margin.Row, p.Top, p.Bottom || !p.Center),
	}
}

// cornerOf returns where n cells begin among total cells: at the start if first is true, at the end
// if last is true, otherwise in the middle.
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

// atPointer returns the corner of an overlay of the given size at the pointer: below it, or above
// it if there is not enough space below.
func atPointer(pointer Pos, cols, rows int, size Pos) Pos {
	row := pointer.Row + 1
	if row+size.Row > rows {
		row = pointer.Row - size.Row
	}
	return Pos{Col: max(min(pointer.Col, cols-size.Col), 0), Row: max(min(row, rows-size.Row), 0)}
}

// fitsContent reports whether the width of the overlay is that of its widest row.
func (p *Place) fitsContent() bool {
	return p.Width == 0 && (p.Center || p.Left || p.Right || p.Pointer) && !p.Replace && !p.Full
}

// isLayer reports whether the overlay covers other rows, that is, has neither Replace nor Full.
func (p *Place) isLayer() bool { return !p.Replace && !p.Full }
