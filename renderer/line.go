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

// Line is one row of the terminal. Wrapped: the row is full and goes on in the next one, by the
// terminal's own wrap once both are final; live rows always end hard, and the last row of a
// [Frame.Commit] does. End: where the row's source ends, in the component's own units, rising from
// row to row, 0 if it cannot say; the renderer does not read it. Prompt: the row is part of what
// the person said; terminals that know OSC 133 can jump to the first of such rows once they are
// final. Picture: what is drawn over this row and those below when they become final.
type Line struct {
	Spans   []Span
	Wrapped bool
	Prompt  bool
	End     int
	Picture *Picture
}

// Pos is a cell, 0-based, in columns and rows.
type Pos struct{ Col, Row int }

// Frame is one picture of the session, a value. Commit are the rows that became final since the
// last frame, Live the rows that may still change, Base the session index of Commit[0]: normally
// the number of rows handed over so far; a smaller one is a rewind. Rows are borrowed until Render
// returns.
type Frame struct {
	Base   int
	Commit []Line
	Live   []Line
	// Careful: the terminal may have a size that nobody has told us yet, as after a resize, of
	// which more may come (tmux resizes its grid up to 250 ms before it says so). Final rows are
	// printed as plain text then, each ended by a line feed, after all below the cursor was erased,
	// which is right at every size. Live rows are shown up to half the width, so that the terminal
	// need not wrap them.
	Careful bool

	// Status puts a status request (DSR 5) behind what is written, if anything is: see Seam.Asked.
	Status bool
	// Cursor is the caret, relative to Live. nil: there is none, and the cursor rests, hidden, in
	// column 0 of the first live row ([Quirks.Lines]: behind its
	// text), from which a change of size is counted.
	Cursor  *Pos
	Overlay *Overlay
}

// Overlay is a picture over the bottom of the window, never in history. Its last row stands Up rows
// above the last live row.
type Overlay struct {
	Lines  []Line
	Up     int
	Col    int
	Width  int  // columns that it covers, also where its rows are shorter; 0: up to the edge
	Cursor *Pos // relative to Lines
}

// Seam is what a frame did. All counts are session rows.
type Seam struct {
	Committed int // rows that are in history, immutable
	Live      int // live rows on the grid
	Hidden    int // live rows above the window: on no screen and not in history
	Pending   int // final rows that wait for an overlay to close
	Doubt     int // rows that stand in history twice or as residue, in total, at most

	Asked bool // the frame ended with a status request: its answer says that the terminal has read it
}
