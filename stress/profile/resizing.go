package profile

import (
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
		p.Passthrough = (&hold{limit: d.HoldSync}).own
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
	// scrollback and grid are laid out each by itself at any new size, and the cursor may leave its
	// text, see relayApart
	ReflowApart bool
	// scrollback and grid are laid out in one go at any new size, nothing is pulled back, and the
	// cursor may leave its text, see relayJoined
	ReflowJoined bool
	// scrollback and grid are fitted to a new size from the last row up, blank rows too, see
	// relayFromEnd
	ReflowFromEnd bool
	// the same, from the first row on, by where rows have ended their lines (vt.WrapUntilPrinted),
	// see relayByEnds
	ReflowRelays bool
	// the same from the last row up, and the cursor goes to the first row of its line; without
	// history rows are cut, see relayTopLine
	ReflowTopLine bool

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

// relayout is a [vt.Relayout].
func (l layout) relayout(g *vt.Grid, cols, rows int) {
	if l.AltShrinkBlanks && !g.Alt && !g.Active && rows < g.Rows {
		for _, r := range g.Tape[g.History():][:g.Rows-rows] {
			*r = vt.TapeRow{Cells: make([]vt.TapeCell, g.Cols)}
		}
	}
	stay := l.imageRows(g, cols)
	switch {
	case g.Alt:
		l.resize(g, cols, rows, true)
	case l.ReflowFromEnd:
		relayFromEnd(g, cols, rows)
	case l.ReflowRelays:
		relayByEnds(g, cols, rows)
	case l.ReflowTopLine:
		relayTopLine(g, cols, rows)
	case l.ReflowApart:
		relayApart(g, cols, rows)
	case l.ReflowJoined:
		relayJoined(g, cols, rows)
	default:
		l.resize(g, cols, rows, l.Reflow == Cut)
	}
	for i, y := range stay {
		g.Marks[i].Y = min(max(y+len(g.Tape)-rows, 0), len(g.Tape)-1)
	}
}

// imageRows is on which rows of the grid the images are that stay there, those above it below 0.
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
