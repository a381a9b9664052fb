// Package profile describes how real terminals differ from ghostty, as settings for this module's
// terminal emulator.
//
// A [Profile] reproduces the behaviour that was measured for one terminal: whether rows are wrapped
// anew or cut at a new width, which rows a lower or higher window drops, pushes into history and
// takes back, what erasing and scrolling copy to the history, the alternate screen, the view of a
// user who has scrolled up, and the answers to queries. The package's test repeats each measurement
// on the emulator, and compares the results cell by cell. Where the emulator differs, the test
// names the reason. Behaviour that was not measured is that of ghostty.
package profile

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Profile describes the behaviour of one terminal in one version.
type Profile struct {
	Name    string // short name for flags and tests, such as tmux or xtermjs
	Version string // version of the terminal that was measured
	// the name by which programs recognise the terminal, or a terminal that is like it, see
	// [renderer.Known]
	Is string
	// Differs holds all differences of the terminal's emulation from ghostty. Profiles share its
	// maps and pointers, so do not write to them.
	Differs Differences
	// CellWidth and CellHeight are the size of a cell in pixels.
	CellWidth, CellHeight int
	// OutputJumps says that new output scrolls the view of a user who has scrolled up back to the
	// end. Otherwise the same text stays in view.
	OutputJumps bool
}

// Config returns an emulator configuration with the profile's behaviour. Callers may change it
// before they create the emulator. The size is in columns and rows, the scrollback limit in rows.
func (p Profile) Config(cols, rows, scrollback int) vt.Config {
	return vt.Config{Cols: cols, Rows: rows, Scrollback: scrollback, CellWidth: p.CellWidth, CellHeight: p.CellHeight,
		Personality: p.Differs.Build()}
}

// AtLeast reports whether the profile's version of the terminal is major.minor or later.
func (p Profile) AtLeast(major, minor int) bool {
	return terminal.Caps{Version: p.Version}.AtLeast(major, minor)
}

// Unrecognised returns a profile to test a renderer that does not recognise the terminal. It lacks
// the behaviour that such a renderer cannot cope with.
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

// New returns an emulated terminal with the profile's behaviour. The size is in columns and rows,
// the scrollback limit in rows.
func (p Profile) New(cols, rows, scrollback int) *vt.Terminal {
	return vt.New(p.Config(cols, rows, scrollback))
}

// ByName returns the profile of [All] that has the given name. It returns false if there is none.
func ByName(name string) (Profile, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
