package tui

import (
	"errors"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

var (
	ErrClosed      = errors.New("tui: closed")      // of writers, after Close, Done or the end of Run
	ErrInterrupted = errors.New("tui: interrupted") // of Run, if nobody has handled Ctrl+C
)

// ErrDismissed is the error of an Ask whose layer a person has closed, with Esc or a click beside
// it. It is an [ErrInterrupted].
var ErrDismissed error = dismissed{}

type dismissed struct{}

// Error returns what has happened.
func (dismissed) Error() string { return "tui: dismissed" }

// Unwrap returns ErrInterrupted.
func (dismissed) Unwrap() error { return ErrInterrupted }

// How text looks.
type (
	// Style is the colours and attributes of a span: Style{Fg: Indexed(1), Attr: Bold}. The zero
	// value is the terminal's own look; the styles of [Theme] say what is meant instead.
	Style = ansi.Style
	// Color is one of the terminal's palette ([Indexed]) or a direct one ([RGB]); the zero value is
	// the terminal's own.
	Color = ansi.Color
	// Attr is a set of attributes: Bold|Underline.
	Attr = ansi.Attr
	// Span is text in one style, with a Link if it has one. Controls in its text are drawn as
	// tokens, never sent.
	Span = renderer.Span
	// Line is one row: its Spans, and End, how far it is in the source of its component. [Layout],
	// [Space.Cut], [Space.Wrap] and [Space.Fill] make lines.
	Line = renderer.Line
	// Pos is a column and a row, from 0.
	Pos = renderer.Pos
)

// What comes from the terminal. See package terminal for their fields.
type (
	// Event is one of the types below; a type switch tells which.
	Event = terminal.Event
	// Key is one key press: Is("ctrl+c"), Is("up"), Is("y") compare it, Text is what it types.
	Key = terminal.Key
	// KeyRelease is a key that was let go, for a component that has asked for it ([View].Releases)
	// and has the keys. Only terminals with kitty's keyboard protocol send it, and not for Enter,
	// Tab and Backspace: a program must do without.
	KeyRelease = terminal.KeyRelease
	// Mod is a set of Shift, Alt, Ctrl and others.
	Mod = terminal.Mod
	// Paste is pasted text as a whole.
	Paste = terminal.Paste
	// Resize is a new size; Views are asked anew without it.
	Resize = terminal.Resize
	// Focus says that the terminal's window has got or lost the keyboard.
	Focus = terminal.Focus
	// Mouse is a button or the wheel. It comes only to a component that is shown and asks for it
	// ([View].Mouse), when the pointer is on it, with the column and row in that component. Nobody
	// gets it where that is not known for sure, as right after a change of size. While somebody
	// asks the terminal's own selection needs Shift. In tmux it takes `set -g mouse on`.
	Mouse = terminal.Mouse
	// Appearance says that the terminal has become dark or light.
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

// Indexed returns palette entry n of the terminal: 0 to 7 normal, 8 to 15 bright, up to 255.
func Indexed(n uint8) Color { return ansi.Indexed(n) }

// RGB returns a direct colour.
func RGB(r, g, b uint8) Color { return ansi.RGB(r, g, b) }
