package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Style is [ansi.Style].
type Style = ansi.Style

// Span is a piece of text in one style, which may be a link. Control characters in Text are drawn
// as visible symbols and never sent. Link is an http, https or mailto address in printable ASCII of
// at most 2,000 bytes; any other is dropped (PANE-15).
type Span struct {
	Text, Link string
	Style      Style
}

// Line is the content of one row of the terminal. Text beyond the last column is cut.
type Line struct {
	Spans []Span
	// The row is full, and its line continues in the next row. Once both rows are final the
	// terminal itself wraps there. Live rows never wrap, and neither does the last row of a
	// [Frame.Commit].
	Wrapped bool
	// The row is part of a message of the user. When the row is final, it is marked for terminals
	// that can jump to such rows (OSC 133).
	Prompt bool
	// The position in the component's source where the row ends, in units that the component
	// chooses. It rises from row to row, and is 0 if the component has no such position. The
	// renderer does not use it.
	End     int
	Picture *Picture // Drawn over this row and the rows below, when all of them are final.
}

// Pos is a cell by its column and row, both from 0.
type Pos struct{ Col, Row int }

// Frame describes all that the terminal shall show: the rows that have become final since the last
// frame, and the live rows below them. It is a value. Its slices may be used again when Render
// returns.
type Frame struct {
	// The session index of Commit[0]. Usually it is the number of final rows that were handed over
	// before. If it is smaller, the frame hands rows over again: a rewind.
	Base   int
	Commit []Line // Rows that have become final since the last frame.
	Live   []Line // rows that may still change
	// Careful means that the terminal may have a size that it has not reported yet. After one
	// resize more may follow, and tmux resizes its grid up to 250 ms before it reports that. A
	// careful frame is right at every size: everything below the cursor is erased, and final rows
	// are printed as plain text, each ended by a line feed. Live rows get half of the columns, so
	// that the terminal need not wrap them.
	Careful bool

	// Status appends a status request (DSR 5) to the frame, unless the frame is empty: see
	// Seam.Asked.
	Status bool
	// Cursor is the position of the caret, relative to Live. If it is nil the cursor is hidden. It
	// then rests in column 0 of the first live row, or behind the text of that row with
	// [Quirks.CountsLines]. After a change of size the live region is found again from there.
	Cursor  *Pos
	Overlay *Overlay
}

// Overlay is drawn over the bottom of the window, and never becomes part of the history. Its last
// row is Up rows above the last live row. Where its edge cuts a wide character there is a blank,
// and so is the part of a picture to its right.
type Overlay struct {
	Lines []Line
	Up    int
	Col   int
	// The number of columns that the overlay covers, even where its rows are shorter; 0: all up to
	// the edge.
	Width  int
	Cursor *Pos     // The position of the caret, relative to Lines. Only the one of the uppermost overlay counts.
	Shade  bool     // Everything below the overlay, in the whole window, is drawn faint.
	Over   *Overlay // The overlay that is drawn over this one; nil: none.
}

// Seam counts the final and the live rows after a frame. All fields count session rows.
type Seam struct {
	Committed int // Rows that are certainly in history, where nothing can change them.
	Live      int // Live rows that the window shows.
	Hidden    int // Live rows for which the window has no room. They are neither on the screen nor in history.
	Pending   int // Final rows that are written when the overlay closes.
	Doubt     int // Rows that may stand in history twice, and live rows that may have got there, in all.

	// The frame ended with a status request. The answer to it shows that the terminal has read the
	// frame.
	Asked bool
}
