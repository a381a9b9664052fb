package profile

import (
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Differences are how a terminal differs from ghostty: what the emulator asks about, and what a
// change of the size does.
type Differences struct {
	vt.Personality
	Resizing

	// HoldSync is for how long the bytes of a synchronized update (mode 2026) are held back, so
	// that nothing happens in the middle of one. It needs Config.Now to end before the update does.
	// 0 applies them at once.
	HoldSync time.Duration
}

// Build returns the personality for one emulator.
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

// Resizing is what a change of the size does to rows. The zero value does what ghostty does. All
// others rewrap with DECAWM off, too, which in ghostty stops it, leave prompts (OSC 133) alone, and
// put a cursor that is just behind a text where the next character would go.
type Resizing struct {
	Reflow       Reflow
	ReflowDrifts bool // the cursor does not stay with its text: see drift
	// a higher grid takes rows from the scrollback wherever the cursor is (tmux 3.3a). Without it
	// rows are taken if the cursor is on the last row; see hold for which
	GrowPullsAnywhere bool

	// ReflowTears: a wider window ends the wrap before the last row of a line if that begins with a
	// wide character for which one column is left, and the cursor is as many lines higher up as
	// there are such above it (tmux 3.3a to 3.7, grid_reflow_join).
	ReflowTears bool
	// the second half of a wide character counts as a column of its own, so that such a character
	// takes three (tmux 3.6 on): see pad
	ReflowPads   bool
	ReflowBlanks BlankRows // what a change of the width makes of blank rows below the cursor
	Layout       Layout    // how rows are laid out at a new size

	// a row that continues a line, shows nothing and wraps to nothing ends that line: the one below
	// is not joined to it (alacritty 0.11, measured)
	BlankEndsLine bool

	ShrinkDropsBelow bool // a lower window loses rows below the cursor first, also those with text
	// a lower window while the alternate screen is active replaces the rows that should be pushed
	// by blank ones
	AltShrinkBlanks bool
	// at another width placements stay on their rows of the screen, whatever text gets there
	// (kitty, graphics.c grman_resize)
	ImagesStay bool
}

// Layout is how a terminal lays scrollback and grid out at a new size. Only the
// first goes by Reflow.
type Layout uint8

const (
	// rewrapped or cut as Reflow says, rows pushed and pulled back at the top of the grid
	LayoutDefault Layout = iota
	// scrollback and grid each by itself, and the cursor may leave its text, see relayApart
	LayoutApart
	// scrollback and grid in one go, nothing is pulled back, and the cursor may leave its text, see
	// relayJoined
	LayoutJoined
	// fitted to the new size from the last row up, blank rows too, see relayFromEnd
	LayoutFromEnd
	// fitted from the first row on, by where rows have ended their lines (vt.WrapUntilPrinted), see
	// relayByEnds
	LayoutByEnds
	// fitted from the last row up, and the cursor goes to the first row of its line; without
	// history rows are cut, see relayTopLine
	LayoutTopLine
)

// In reports whether l is one of all.
func (l Layout) In(all ...Layout) bool { return slices.Contains(all, l) }

// Reflow is what a change of the width does to soft-wrapped rows.
type Reflow uint8

const (
	Rewrap          Reflow = iota
	Cut                    // rows are cut or padded
	RewrapButCursor        // the line that the cursor is on is cut or padded, the others are wrapped anew
)

// BlankRows is which rows below the cursor count as rows when the width changes. Those that count
// are kept, so rows that need more room push others to the scrollback although there is place
// below.
type BlankRows uint8

const (
	BlankIsFree  BlankRows = iota
	BlankIsARow            // every row of the grid is a row
	ErasedIsARow           // down to the lowest row that the cursor has been on, all of them after an ED 0
)

// layout is a Resizing with what it has to know besides.
type layout struct {
	Resizing
	lengths   bool // rows are as long as they were before their end was erased
	marksNext bool // the row that continues has the mark of a soft wrap
}

// relayout implements [vt.Relayout].
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

// layOut lays out the normal screen and its scrollback.
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

// imageRows returns the rows of the grid on which the images stay, with those above it below 0.
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
