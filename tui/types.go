package tui

import (
	"errors"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

var (
	ErrClosed      = errors.New("tui: closed")      // writers, after Close, Done or the end of Run
	ErrInterrupted = errors.New("tui: interrupted") // Run, when Ctrl+C was handled by nobody
)

// The types of the packages below, so that a program imports tui alone.
type (
	Style = ansi.Style
	Color = ansi.Color
	Attr  = ansi.Attr
	Span  = renderer.Span
	Line  = renderer.Line
	Pos   = renderer.Pos

	Event      = terminal.Event
	Key        = terminal.Key
	Mod        = terminal.Mod
	Paste      = terminal.Paste
	Resize     = terminal.Resize
	Focus      = terminal.Focus
	Mouse      = terminal.Mouse
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

// Indexed is palette entry n of the terminal: 0 to 7 normal, 8 to 15 bright, up to 255.
func Indexed(n uint8) Color { return ansi.Indexed(n) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return ansi.RGB(r, g, b) }
