// Package profile is what real terminals do differently from ghostty, as values to give to the
// emulator.
//
// A [Profile] reproduces rows of the measured tables of the specification: reflow or cut, what a
// lower or higher window drops, pushes and pulls back, what erases and scrolls copy to the history,
// the alternate screen, a scrolled reader's view, and the answers to probes. Its test does to the
// emulator what was done to each terminal and compares the outcome with the table, cell by cell;
// cells that are not reproduced are listed there with the reason. Everything that no table speaks
// of is ghostty's behaviour.
package profile

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A Profile is one terminal in one version.
type Profile struct {
	Name    string // short, for flags: tmux, xtermjs
	Version string // what was measured
	Is      string // the name by which programs know it, or that of a terminal that it is like, see [renderer.Known]
	// Differs is how its emulator differs from ghostty. Shared: do not write to the maps and
	// pointers in it.
	Differs Differences
	// CellWidth and CellHeight are in pixels.
	CellWidth, CellHeight int
	// OutputJumps: a reader who has scrolled up is taken to the end by new output. Else the same
	// text stays in view.
	OutputJumps bool
}

// Config returns a configuration of the emulator with the profile's behaviour, for callers that
// want to set more of it.
func (p Profile) Config(cols, rows, scrollback int) vt.Config {
	return vt.Config{Cols: cols, Rows: rows, Scrollback: scrollback, CellWidth: p.CellWidth, CellHeight: p.CellHeight,
		Personality: p.Differs.Build()}
}

// AtLeast reports whether the terminal is of a version or a later one.
func (p Profile) AtLeast(major, minor int) bool {
	return terminal.Caps{Version: p.Version}.AtLeast(major, minor)
}

// Unrecognised returns the profile for a renderer that does not know the terminal by its name. It
// lacks the behaviour for which such a renderer cannot make up.
func (p Profile) Unrecognised() Profile {
	d := &p.Differs
	// Live rows would have to be left behind at each width.
	d.ReflowTears, d.EraseKeepsLength, d.ReflowPads = false, false, false
	d.InsertTakes = false // IL is what appends a row elsewhere
	d.MarksWrap = false   // marks are printed there
	if d.Wraps.Stays() {  // wraps could not be ended where nothing that is erased does it
		d.Wraps = vt.WrapOnRow
	}
	switch d.Layout {
	case LayoutByEnds: // blank rows could not be kept where those that IL has made go at the next size
		d.Layout, d.ShrinkDropsBelow = LayoutDefault, true
	case LayoutTopLine: // and its cursor could not be told from others
		d.Layout, d.Reflow, d.RowsHaveLengths, d.ShrinkDropsBelow = LayoutDefault, RewrapButCursor, false, true
	}
	return p
}

// New returns an emulator with the profile's behaviour. The size is in columns and rows, the
// scrollback limit in rows.
func (p Profile) New(cols, rows, scrollback int) *vt.Terminal {
	return vt.New(p.Config(cols, rows, scrollback))
}

// ByName finds a profile of All.
func ByName(name string) (Profile, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
