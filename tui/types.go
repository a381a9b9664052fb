package tui

import (
	"errors"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

var (
	ErrClosed      = errors.New("tui: closed")      // error of a write after Close, Done or the end of Run
	ErrInterrupted = errors.New("tui: interrupted") // error of Run if nobody has handled Ctrl+C
)

// ErrDismissed is the error of [Ask] if the user has closed the question, with Esc or a click
// outside it. It wraps [ErrInterrupted].
var ErrDismissed error = dismissed{}

type dismissed struct{}

// Error returns the message.
func (dismissed) Error() string { return "tui: dismissed" }

// Unwrap returns ErrInterrupted.
func (dismissed) Unwrap() error { return ErrInterrupted }

// Types that describe how text looks.
type (
	// Style is the colours and attributes of a span: Style{Fg: Indexed(1), Attr: Bold}. The zero
	// value is the terminal's default look. Prefer the styles of [Theme], which are named by their
	// meaning.
	Style = ansi.Style
	// Color is a colour of the terminal's palette ([Indexed]) or an RGB colour ([RGB]). The zero
	// value is the terminal's default colour.
	Color = ansi.Color
	// Attr is a set of attributes, such as Bold|Underline.
	Attr = ansi.Attr
	// Span is text in one style, with an optional Link. Control characters in the text are shown as
	// tokens and never sent.
	Span = renderer.Span
	// Line is one row: its Spans, and End, the position in the component's source at which the row
	// ends. [Layout], [Space.Cut], [Space.Wrap] and [Space.Fill] create lines.
	Line = renderer.Line
	// Pos is a position: a column and a row, both counted from 0.
	Pos = renderer.Pos
)

// Events of the terminal. Package terminal documents their fields.
type (
	// Event is one of the types below; use a type switch.
	Event = terminal.Event
	// Key is one key press. Is("ctrl+c"), Is("up") and Is("y") compare it; Text returns the text
	// that it types.
	Key = terminal.Key
	// KeyRelease is the release of a key, for a component that has requested it ([View].Releases)
	// and gets the keys. Only terminals with kitty's keyboard protocol send it, and not for Enter,
	// Tab and Backspace. A program must also work without it.
	KeyRelease = terminal.KeyRelease
	// Mod is a set of modifiers: Shift, Alt, Ctrl and others.
	Mod = terminal.Mod
	// Paste is a complete pasted text.
	Paste = terminal.Paste
	// Resize is a new window size. Views are called again even if nobody handles it.
	Resize = terminal.Resize
	// Focus says that the terminal's window has gained or lost the focus.
	Focus = terminal.Focus
	// Mouse is a mouse button or the wheel. It is sent only to a visible component that has
	// requested it ([View].Mouse), when the pointer is on that component, and with the column and
	// row in it. It is dropped while the component under the pointer is not known for sure, as
	// right after a change of size. While a component requests it, users must hold Shift for the
	// terminal's own selection. tmux needs `set -g mouse on`.
	Mouse = terminal.Mouse
	// Appearance says that the terminal has switched to dark or light colours.
	Appearance = terminal.Appearance
)

// Text attributes of a [Style].
const (
	Bold      = ansi.Bold
	Faint     = ansi.Faint
	Italic    = ansi.Italic
	Underline = ansi.Underline
	Blink     = ansi.Blink
	Inverse   = ansi.Inverse
	Invisible = ansi.Invisible
	Strike    = ansi.Strike
)

// Indexed returns entry n of the terminal's palette: 0 to 7 are the normal colours, 8 to 15 the
// bright ones, and the rest up to 255 is the extended palette.
func Indexed(n uint8) Color { return ansi.Indexed(n) }

// RGB returns an RGB colour.
func RGB(r, g, b uint8) Color { return ansi.RGB(r, g, b) }
