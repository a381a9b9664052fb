package terminal

import (
	"errors"
	"testing"
)

// ErrNotTerminal is the error of Open if there is no terminal, or one that cannot move its cursor
// (TERM=dumb).
var ErrNotTerminal = errors.New("terminal: not a terminal")

// Event is one thing that happened on the terminal: a [Key], [KeyRelease], [Paste], [Resize],
// [Focus], [Mouse], [Appearance], [Resumed], [Changed] or [Drained], and the replies that somebody
// waits for: [CursorReport], [StatusReport], [SizeReport] and [PictureError]. Events are values and
// own their data.
type Event interface{ event() }

// Mod is a set of modifier keys.
type Mod uint8

const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
	Super
)

// Key codes of keys that have no character. They lie above the last code point, so that a Key.Code
// is either text or one of these.
const (
	KeyUp rune = 0x110000 + iota
	KeyDown
	KeyRight
	KeyLeft
	KeyHome
	KeyEnd
	KeyInsert
	KeyDelete
	KeyPageUp
	KeyPageDown
	KeyF1
	KeyF2
	KeyF3
	KeyF4
	KeyF5
	KeyF6
	KeyF7
	KeyF8
	KeyF9
	KeyF10
	KeyF11
	KeyF12
)

// Keys that share their code with a C0 control.
const (
	KeyTab       rune = '\t'
	KeyEnter     rune = '\r'
	KeyEscape    rune = 0x1b
	KeyBackspace rune = 0x7f
	KeySpace     rune = ' '
)

// Key is one key press.
type Key struct {
	// The character that the key types, already shifted ('A', never Shift+'a'), or one of the Key
	// constants. Ctrl+letter has the lower-case letter.
	Code  rune
	Mods  Mod
	Alone bool // No other byte came in the same read: the key was typed, not pasted.
	// The terminal reports that the key is held. It does so while releases are asked for
	// ([Terminal.SetKeyReleases]), and mostly not of keys that type text.
	Repeat bool
}

// KeyRelease is a key that was let go. It comes only while it is asked for
// ([Terminal.SetKeyReleases]) and the terminal has kitty's keyboard protocol. It never comes for
// Enter, Tab and Backspace.
type KeyRelease struct{ Key Key }

// Text returns the text that the key inserts into a text field, "" if it inserts none.
func (k Key) Text() string {
	if k.Mods&^Shift != 0 || k.Code < 0x20 || k.Code == 0x7f || k.Code >= 0x110000 {
		return ""
	}
	return string(k.Code)
}

// Is reports whether k is the key that s names, as in [ParseKey]. If s names no key the program has
// a mistake: in a test Is panics, else it returns false.
func (k Key) Is(s string) bool {
	p, err := ParseKey(s)
	if err != nil && testing.Testing() {
		panic(err)
	}
	return err == nil && p.Code == k.Code && p.Mods == k.Mods
}

// Paste is one bracketed paste with line ends as LF. One of more than 16 MiB comes in pieces of
// about 1 MiB, one after the other. More says that another piece follows. Continued says that this
// piece continues the last one.
type Paste struct {
	Text            string
	More, Continued bool
}

// Resize is the new size of the terminal, in columns and rows.
type Resize struct{ Cols, Rows int }

// Focus tells whether the terminal's window has the keyboard.
type Focus struct{ In bool }

// Mouse is a mouse event at a 0-based cell. It comes only when mouse reports were asked for.
type Mouse struct {
	Col, Row int
	// 0 left, 1 middle, 2 right, 3 none. 32 is added while the pointer moves. 64 to 67 are the
	// wheel up, down, left and right, 128 to 131 extra buttons.
	Button uint8
	Mods   Mod
	Press  bool // False: the button was let go, which the wheel never is.
}

// Moved reports whether the pointer has moved while a button was held, see [Terminal.SetDrags].
func (m Mouse) Moved() bool { return m.Button >= 32 && m.Button < 64 }

// Appearance is the colour scheme that the terminal reported.
type Appearance struct{ Dark bool }

// CursorReport answers a cursor position request, from 0. The code that renders has asked for it,
// see [Terminal.ExpectCursor].
type CursorReport struct{ Col, Row int }

// StatusReport answers a status request (CSI 5 n): the terminal has taken everything that was
// written before the request. It comes before the [SizeReport] of a size that the terminal got
// after that.
type StatusReport struct{}

// SizeReport is the terminal's own report of its size (mode 2048), in its place among the replies.
// Code that has written a status request uses it. It does not announce a new size: [Resize] does,
// and may come before it or after it.
type SizeReport struct{ Cols, Rows int }

// Resumed says that we have the terminal again, after Ctrl+Z and fg or after Suspend. It is not
// known what stands on the grid.
type Resumed struct{}

func (Key) event()          {}
func (KeyRelease) event()   {}
func (Paste) event()        {}
func (Resize) event()       {}
func (Focus) event()        {}
func (Mouse) event()        {}
func (Appearance) event()   {}
func (CursorReport) event() {}
func (StatusReport) event() {}
func (SizeReport) event()   {}
func (Resumed) event()      {}

// Drained says that frames may be written again: the backlog has fallen to half of its limit after
// it was above it, or to nothing after [Terminal.Behind] saw a late terminal.
type Drained struct{}

// Changed says that a reply has changed [Terminal.Caps].
type Changed struct{}

func (Drained) event() {}
func (Changed) event() {}
