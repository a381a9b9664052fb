package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Style is [ansi.Style].
type Style = ansi.Style

// Span is text in one style. Controls in Text are drawn as visible tokens, never sent. Link is
// http, https or mailto in printable ASCII of at most 2,000 bytes, else it is dropped (PANE-15).
type Span struct {
	Text, Link string
	Style      Style
}

// Line is one row of the terminal.
type Line struct {
	Spans []Span
	// The row is full and continues in the next one, by the terminal's own wrap once both are
	// final. Live rows always end hard, and so does the last row of a [Frame.Commit].
	Wrapped bool
	// The row is part of a message of the person. Terminals that know OSC 133 can jump to the first
	// of such rows once they are final.
	Prompt bool
	// The place where the source of the row ends, in units of the component. It rises from row to
	// row and is 0 if the component cannot tell. The renderer does not read it.
	End     int
	Picture *Picture // Drawn over this row and those below when they become final.
}

// Pos is a cell by its column and row, both from 0.
type Pos struct{ Col, Row int }

// Frame is one picture of the session, a value. Its rows are borrowed until Render returns.
type Frame struct {
	// The session index of Commit[0]: normally the number of rows handed over so far. A smaller one
	// is a rewind.
	Base   int
	Commit []Line // rows that became final since the last frame
	Live   []Line // rows that may still change
	// Careful says that the terminal may have a size that nobody has told us yet. After one resize
	// more may come, and tmux resizes its grid up to 250 ms before it says so. Then everything
	// below the cursor is erased, and final rows are printed as plain text, each ended by a line
	// feed: that is right at every size. Live rows are shown up to half the width, so that the
	// terminal need not wrap them.
	Careful bool

	// Status appends a status request (DSR 5) to what is written, if anything is: see Seam.Asked.
	Status bool
	// Cursor is the caret, relative to Live. If it is nil the cursor is hidden and rests in column
	// 0 of the first live row, or after its text with [Quirks.CountsLines]. A change of size is
	// counted from there.
	Cursor  *Pos
	Overlay *Overlay
}

// Overlay is a picture over the bottom of the window, never in history. Its last row stands Up rows
// above the last live row. A wide cluster that its edge cuts is a blank, and so is the part of a
// picture to the right of it.
type Overlay struct {
	Lines  []Line
	Up     int
	Col    int
	Width  int      // columns that it covers, even where its rows are shorter; 0: up to the edge
	Cursor *Pos     // relative to Lines; only that of the uppermost overlay counts
	Shade  bool     // draws what is below it faint, in the whole picture
	Over   *Overlay // drawn over this one; nil: none
}

// Seam says where the border between final and live rows is after a frame. All counts are session
// rows.
type Seam struct {
	Committed int // rows that are in history, immutable
	Live      int // live rows on the grid
	Hidden    int // live rows above the window: on no screen and not in history
	Pending   int // final rows that wait for an overlay to close
	Doubt     int // total of rows that may stand in history twice or as residue

	Asked bool // the frame ended with a status request: its answer says that the terminal has read it
}
