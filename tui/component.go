package tui

import (
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Space is all that a View may depend on beside the state of its component. The page docs/tui.md
// has its fields in a table.
type Space struct {
	Width int // columns
	// Height is in rows; 0 is no limit: in the transcript, and without a terminal, where a
	// component is text.
	Height int
	// From is an End ([Line]): lay out only the source from there on. It moves only when Width
	// changes, or if View.Trim allows it.
	From int

	Now time.Time // the time, for animations
	// Shown is for an overlay: the time since when the terminal has shown the scene of its last
	// View, see [View], completely and without a break. It is zero if the terminal does not show
	// it. These are breaks, since they may have hidden rows of it: another overlay, a change of
	// size and the time after it in which rows may be cut, another program, a frame that the
	// terminal took more than 100 ms for, another window that had the focus.
	Shown    time.Time
	Unproven string // why the scene may not be shown as it should; "": nothing is known against it

	// Focused says that keys come here; for an overlay with [Place.FocusDelay], that the delay is
	// over.
	Focused bool
	Native  bool        // even prose fills its rows and is wrapped by the terminal: see App.Native
	Theme   *Theme      // nil in tests: see Look
	Model   width.Model // how text is measured

	surface  *surface // where an Image is shown; nil: no pictures can be shown
	tickOnly bool     // View is called only because the time of RefreshAfter has come
}

// Look returns the theme, or the default one if the space has none.
func (s Space) Look() *Theme {
	if s.Theme != nil {
		return s.Theme
	}
	return &plainTheme
}

// View is the picture of a component. The engine reads Lines until it calls View again. A component
// may return the same slice again, which means that nothing has changed. It may change the rows
// that it has returned in its next View at the earliest. The page docs/tui.md has the fields in a
// table.
type View struct {
	Lines  []Line
	Cursor *Pos // the caret, nil for none

	// Leading lines that stay as they are at this Width. It shrinks only by Block.Rewind.
	Stable int
	// The rows are not complete yet: they do not become final though the block is Done. A component
	// that holds an [Image] passes it on.
	Hold bool
	// Space.From may move on while Width stays, after rows that are in history. The component lays
	// the rows after that out as before, and drops those rows.
	Trim bool

	RefreshAfter time.Duration // Call View again after this time; 0: never. It is the only clock of animations.
	// Names what an overlay shows, for [Space].Shown. That time starts again with another name, or
	// if the window does not hold all rows. "": the time is not needed.
	Scene string

	Mouse bool // asks for clicks and the wheel while this view is shown, see [Mouse]
	// Asks for the moves of the pointer, too, while a button is held that was pressed here,
	// wherever they lead.
	Drags    bool
	Releases bool // asks for [KeyRelease], and for Key.Repeat, while it has the keys
}

// Component is anything that can be seen.
type Component interface{ View(Space) View }

// ComponentFunc is a Component that is a function.
type ComponentFunc func(Space) View

// View calls f.
func (f ComponentFunc) View(s Space) View { return f(s) }

// EventHandler is an optional part of a Component. Space is that of the last View. A handled event
// asks for a frame.
type EventHandler interface {
	HandleEvent(Event, Space) (handled bool)
}

// WriterComponent is a Component that can be streamed into. Write is called on the loop, with whole
// UTF-8 sequences.
type WriterComponent interface {
	Component
	io.Writer
}

// Submitter is an optional part of a Component: without a terminal it gets the lines of standard
// input. An [Editor] is one. A component that holds others has a method Components() []Component
// instead, as [Stack] has. The first Submitter among them gets the lines.
type Submitter interface {
	Submit(line string)
}
