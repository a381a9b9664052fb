package profile

import (
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Differences describes how a terminal differs from ghostty: in its emulation of sequences, and in
// what it does to rows when its size changes.
type Differences struct {
	vt.Personality
	Resizing

	// HoldSync is the longest time for which the bytes of a synchronized update (mode 2026) are
	// held back, so that nothing is processed in the middle of one. The time limit needs
	// Config.Now. 0 processes the bytes at once.
	HoldSync time.Duration
}

// Build returns the personality for one new emulator. It must not be shared by two emulators.
func (d Differences) Build() vt.Personality {
	p := d.Personality
	if d.HoldSync > 0 && p.Passthrough == nil {
		p.Passthrough = (&hold{limit: d.HoldSync}).passNow
	}
	if d.Resizing != (Resizing{}) {
		l := layout{Resizing: d.Resizing, lengths: d.EraseKeepsLength, marksNext: d.Wraps == vt.WrapOnNext ||
			d.Wraps == vt.WrapOnNextFeed}
		p.Relayout = l.relayout
	}
	return p
}

// Resizing describes what a change of the window's size does to the rows of a terminal. The zero
// value does what ghostty does.
//
// All other values differ from ghostty in three points: they wrap anew even with DECAWM off, they
// leave prompts (OSC 133) alone, and they put a cursor that is just behind a text where the next
// character would go.
type Resizing struct {
	Reflow       Reflow
	ReflowDrifts bool // at a new width the cursor may come onto other text than before: see drift
	// A higher grid takes rows back from the scrollback wherever the cursor is (tmux 3.3a).
	// Otherwise it does so only if the cursor is on the last row.
	GrowPullsAnywhere bool

	// ReflowTears says that a wider window breaks a line before its last row, if that row begins
	// with a wide character for which only one column is left. The cursor then goes up by as many
	// lines as were broken above it (tmux 3.3a to 3.7, grid_reflow_join).
	ReflowTears bool
	// When rows are wrapped anew, the second half of a wide character counts as a further column,
	// so that such a character takes three (tmux since 3.6): see extraColumns.
	ReflowPads   bool
	ReflowBlanks BlankRows // whether blank rows below the cursor are kept when the width changes
	Layout       Layout    // how history and grid are placed at a new size

	// A blank row that continues a line and is not soft-wrapped ends that line: the row below is
	// not joined to it (alacritty 0.11, measured).
	BlankEndsLine bool

	ShrinkDropsBelow bool // a lower window first loses the rows below the cursor, even rows with text
	// When the window gets lower while the alternate screen is shown, the main screen's rows that
	// should go into history are lost, and blank rows go there.
	AltShrinkBlanks bool
	// At another width images stay on their rows of the screen, whatever text comes there (kitty,
	// graphics.c grman_resize).
	ImagesStay bool
}

// Layout says how a terminal places scrollback and grid at a new size. Only LayoutDefault uses
// Resizing.Reflow.
type Layout uint8

const (
	// Rows are wrapped anew or cut, as Reflow says. They are pushed into the scrollback, and taken
	// back, at the top of the grid.
	LayoutDefault Layout = iota
	// Scrollback and grid are each wrapped anew by themselves, and the cursor may leave its text:
	// see relayApart.
	LayoutApart
	// Scrollback and grid are wrapped anew in one go, no row comes back from the scrollback, and
	// the cursor may leave its text: see relayJoined.
	LayoutJoined
	// Rows are placed from the last one up, even blank ones: see relayFromEnd.
	LayoutFromEnd
	// Rows are placed from the first one on, and break where a line feed has ended a line
	// (vt.WrapUntilPrinted): see relayByEnds.
	LayoutByEnds
	// Rows are placed from the last one up, and the cursor goes to the first row of its line. If
	// the history is empty, rows are cut: see relayTopLine.
	LayoutTopLine
)

// In reports whether l is one of the given layouts.
func (l Layout) In(all ...Layout) bool { return slices.Contains(all, l) }

// Reflow says what a change of the width does to soft-wrapped rows.
type Reflow uint8

const (
	Rewrap          Reflow = iota
	Cut                    // all rows are cut, or padded with blanks
	RewrapButCursor        // the line that the cursor is on is cut or padded, all others are wrapped anew
)

// BlankRows says which blank rows below the cursor are kept when the width changes. Where blank
// rows are kept, rows that need more room push others into the scrollback although the grid has
// blank rows.
type BlankRows uint8

const (
	BlankIsFree BlankRows = iota
	BlankIsARow           // all blank rows of the grid are kept
	// blank rows are kept down to the lowest row that the cursor has been on; all of them after an
	// ED 0
	ErasedIsARow
)

// layout adds to a Resizing the other properties of the terminal that matter at a change of size.
type layout struct {
	Resizing
	lengths   bool // a row keeps its length when its end is erased
	marksNext bool // the terminal stores the mark of a soft wrap in the row that continues the line
}

// relayout changes the size of grid g to cols columns and rows rows. It implements [vt.Relayout].
func (l layout) relayout(g *vt.Grid, cols, rows int) {
	if l.AltShrinkBlanks && !g.Alt && !g.Active && rows < g.Rows {
		for _, r := range g.Tape[g.History():][:g.Rows-rows] {
			*r = vt.TapeRow{Cells: make([]vt.TapeCell, g.Cols)}
		}
	}
	stay := l.imageRows(g, cols)
	if g.Alt {
		l.resize(g, cols, rows, true)
	} else {
		l.layOut(g, cols, rows)
	}
	for i, y := range stay {
		g.Marks[i].Y = min(max(y+len(g.Tape)-rows, 0), len(g.Tape)-1)
	}
}

// layOut changes the size of the main screen and its scrollback.
func (l layout) layOut(g *vt.Grid, cols, rows int) {
	switch l.Layout {
	case LayoutFromEnd:
		relayFromEnd(g, cols, rows)
	case LayoutByEnds:
		relayByEnds(g, cols, rows)
	case LayoutTopLine:
		relayTopLine(g, cols, rows)
	case LayoutApart:
		relayApart(g, cols, rows)
	case LayoutJoined:
		relayJoined(g, cols, rows)
	default:
		l.resize(g, cols, rows, l.Reflow == Cut)
	}
}

// imageRows returns the grid rows of all images if they stay on these rows at the new width,
// otherwise nil. A row above the grid is negative.
func (l layout) imageRows(g *vt.Grid, cols int) []int {
	if !l.ImagesStay || cols == g.Cols || g.Alt {
		return nil
	}
	var rows []int
	for _, m := range g.Marks {
		rows = append(rows, m.Y-g.History())
	}
	return rows
}
