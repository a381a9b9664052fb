package tui

import (
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Space describes the place where a component is shown. Besides the component's own state it is all
// that a View may depend on. The page docs/tui.md has a table of the fields.
type Space struct {
	Width int // number of columns
	// Height is the number of rows. 0 means that there is no limit: in the transcript, and without
	// a terminal, where a component is shown as text.
	Height int
	// From is a position in the component's source, in the unit of [Line].End. Only the source
	// behind it is to be laid out; the rows before are in the terminal's history. It changes only
	// together with Width, unless View.Trim is set.
	From int

	Now time.Time // the current time, for animations
	// Shown is the time since when the terminal has shown the Scene of an overlay's last [View]
	// completely and without interruption. It is zero if the scene is not shown. An interruption is
	// anything that may have hidden rows: another overlay, a change of size and the time after it
	// in which rows may be cut, another program, a frame that took the terminal more than 100 ms,
	// and the loss of the focus to another window.
	Shown    time.Time
	Unproven string // reason why the terminal may not show the scene as sent; "": no reason is known

	// Focused reports that the component gets the keys. For an overlay with [Place.FocusDelay] it
	// becomes true after the delay.
	Focused bool
	Native  bool        // prose fills its rows and the terminal wraps it, see App.Native
	Theme   *Theme      // nil in tests; use Look
	Model   width.Model // the way in which the terminal measures text

	surface  *surface // the screen on which an Image can be shown; nil: images cannot be shown
	tickOnly bool     // View is called only for an animation, because the time of RefreshAfter is over
}

// Look returns the theme, or the default theme if Theme is nil.
func (s Space) Look() *Theme {
	if s.Theme != nil {
		return s.Theme
	}
	return &plainTheme
}

// View is what a component shows at one moment. The engine reads Lines until it calls View again. A
// component may return the same slice again if nothing has changed. It must not change returned
// rows before the next call of View. The page docs/tui.md has a table of the fields.
type View struct {
	Lines  []Line
	Cursor *Pos // position of the caret; nil: none

	// Stable is the number of leading lines that are final at this Width. It must not shrink,
	// except after Block.Rewind.
	Stable int
	// Hold says that the rows are not complete yet: they do not become final even if the Block is
	// done. A component that contains an [Image] passes on the Hold of its View.
	Hold bool
	// Trim allows the engine to advance Space.From at the same Width, behind rows that are in
	// history. The component then drops those rows, and lays out the others as before.
	Trim bool

	// RefreshAfter requests another call of View after this time; 0: none. Animations must use it,
	// there is no other clock.
	RefreshAfter time.Duration
	// Scene is a name for what an overlay shows now. [Space].Shown counts from the moment when it
	// is shown. That time starts again if the name changes, or if the window does not hold all
	// rows. Use "" if the time is not needed.
	Scene string

	Mouse bool // requests clicks and the wheel while this view is shown, see [Mouse]
	// Drags requests moves of the pointer while a button is held that was pressed on this
	// component, even outside it.
	Drags    bool
	Releases bool // requests [KeyRelease] events, and Key.Repeat, while the component gets the keys
}

// Component is anything that can be shown.
type Component interface{ View(Space) View }

// ComponentFunc is a function that implements Component.
type ComponentFunc func(Space) View

// View calls f.
func (f ComponentFunc) View(s Space) View { return f(s) }

// EventHandler is an optional interface of a Component that handles events. The Space is that of
// the last View. A handled event requests a frame.
type EventHandler interface {
	HandleEvent(Event, Space) (handled bool)
}

// WriterComponent is a Component that displays the text written to it. Write is called on the loop,
// and never with a part of a UTF-8 sequence.
type WriterComponent interface {
	Component
	io.Writer
}

// Submitter is an optional interface of a Component that accepts lines of standard input when there
// is no terminal. [Editor] implements it. A component that contains others, such as [Stack], has a
// method Components() []Component instead. The first Submitter among them gets the lines.
type Submitter interface {
	Submit(line string)
}
