package tui

import (
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Space is all that a View may depend on beside its component's state. Width is in columns; Height
// in rows, 0 in the transcript (no limit). From is an End ([Line]): lay out only the source from
// there on. It moves only when Width changes, or View.Trim allows it. Focused: keys come here; for
// an overlay with [Place.Quiet], that it is armed. Shown: for an overlay, since when the terminal
// has shown the scene of its last View, see [View], whole and without a break; zero: it does not. A
// break is whatever may have taken rows of it out of sight, or may not have let them there: another
// overlay, a change of size and the time after it in which rows may be cut, another program, a
// frame that the terminal took more than 100 ms for, another window that had the focus.
type Space struct {
	Width, Height, From int
	Now, Shown          time.Time
	Focused             bool
	Unproven            string      // why the scene may not be shown as it should; "": nothing is known against it
	Native              bool        // prose, too, fills its rows and is wrapped by the terminal: see App.Native
	Theme               *Theme      // nil in tests: see Look
	Model               width.Model // how text is measured

	pics *surface // where an Image is shown, nil if pictures cannot be
	tick bool     // View is called because a time that was asked for has come, nothing else has changed
}

// Look returns the theme, or the default one if the space has none.
func (s Space) Look() *Theme {
	if s.Theme != nil {
		return s.Theme
	}
	return &plainTheme
}

// View is a component's picture. The engine reads Lines until it calls View again; a component may
// return the same slice (unchanged: it is not compared) and writes to rows that it has returned in
// its next View at the earliest. Stable: leading lines that stay as they are at this Width; it
// shrinks only through Block.Rewind. Cursor: the caret, nil for none. Again: call View after this
// time, 0 for never: the only animation clock. Hold: the rows are not what they are going to be, so
// that they do not become final though the block is Done; a component that holds an [Image] passes
// it on. Scene names what an overlay shows, for [Space].Shown, which begins anew with another one,
// and with rows that the window does not hold; "": nothing that counts. Trim: Space.From may also
// move behind rows that are in history while Width stays; what follows is then laid out as it was,
// without them, and the component forgets them. Mouse: this view wants clicks and the wheel while
// it is shown; see [Mouse]. Releases: it wants [KeyRelease], and Key.Repeat, while it has the keys.
type View struct {
	Lines  []Line
	Stable int
	Hold   bool
	Trim   bool
	Cursor *Pos
	Again  time.Duration
	Scene  string

	Mouse, Releases bool
}

// Component is anything that can be seen.
type Component interface{ View(Space) View }

// ComponentFunc is a Component that is a function.
type ComponentFunc func(Space) View

// View calls f.
func (f ComponentFunc) View(s Space) View { return f(s) }

// EventHandler is optional. Space is that of the last View. A handled event asks for a frame.
type EventHandler interface {
	HandleEvent(Event, Space) (handled bool)
}

// WriterComponent can be streamed into. Write is called on the loop, with whole UTF-8 sequences.
type WriterComponent interface {
	Component
	io.Writer
}

// Submitter is optional: without a terminal it is given the lines of standard input. An [Editor] is
// one. A component that holds others has a method Components() []Component instead, as [Stack] has:
// the first of them that is one gets the lines.
type Submitter interface {
	Submit(line string)
}
