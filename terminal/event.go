package terminal

import (
	"errors"
	"testing"
)

// ErrNotTerminal is the error of [Open] if there is no terminal, or if the terminal cannot move its
// cursor (TERM=dumb).
var ErrNotTerminal = errors.New("terminal: not a terminal")

// Event is something that has happened on the terminal: a [Key], [KeyRelease], [Paste], [Resize],
// [Focus], [Mouse], [Appearance], [Resumed], [Changed] or [Drained]. It can also be a reply that
// the program waits for: a [CursorReport], [StatusReport], [SizeReport] or [PictureError]. Events
// are values and share no data.
type Event interface{ event() }

// Mod is a set of modifier keys.
type Mod uint8

const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
	Super
)

// Codes of keys that have no character. They are larger than the last code point, so that a
// Key.Code is either a character or one of these.
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

// Codes of keys that send a control character or a space.
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
	// constants. With Ctrl it is the lower-case letter.
	Code  rune
	Mods  Mod
	Alone bool // No other byte came in the same read: the key was typed and is not part of pasted text.
	// The terminal reports that the key is held down. It does so while releases are reported
	// ([Terminal.SetKeyReleases]), and mostly not for keys that type text.
	Repeat bool
}

// KeyRelease is a key that was released. It comes only in terminals with kitty's keyboard protocol,
// after [Terminal.SetKeyReleases], and never for Enter, Tab and Backspace.
type KeyRelease struct{ Key Key }

// Text returns the text that the key inserts into a text field, or "" if it inserts none.
func (k Key) Text() string {
	if k.Mods&^Shift != 0 || k.Code < 0x20 || k.Code == 0x7f || k.Code >= 0x110000 {
		return ""
	}
	return string(k.Code)
}

// Is reports whether k is the key with the name s, such as "ctrl+c": see [ParseKey]. A name that
// does not exist is a mistake in the program: Is panics in a test, and returns false otherwise.
func (k Key) Is(s string) bool {
	p, err := ParseKey(s)
	if err != nil && testing.Testing() {
		panic(err)
	}
	return err == nil && p.Code == k.Code && p.Mods == k.Mods
}

// Paste is one bracketed paste. Its lines end with LF. A paste of more than 16 MiB comes in pieces
// of about 1 MiB, one after the other. More means that another piece follows, Continued that this
// piece continues the last one.
type Paste struct {
	Text            string
	More, Continued bool
}

// Resize is the new size of the terminal, in columns and rows.
type Resize struct{ Cols, Rows int }

// Focus reports whether the terminal's window now has the keyboard focus.
type Focus struct{ In bool }

// Mouse is a mouse event at the cell in column Col and row Row, counted from 0. It comes only after
// [Terminal.SetMouse].
type Mouse struct {
	Col, Row int
	// 0 left, 1 middle, 2 right, 3 none, plus 32 while the pointer moves. 64 to 67 are the wheel
	// up, down, left and right, and 128 to 131 extra buttons.
	Button uint8
	Mods   Mod
	Press  bool // False: the button was released. The wheel is never released.
}

// Moved reports whether the pointer has moved while a button was held: see [Terminal.SetDrags].
func (m Mouse) Moved() bool { return m.Button >= 32 && m.Button < 64 }

// Appearance is the theme that the terminal has reported, dark or light.
type Appearance struct{ Dark bool }

// CursorReport is the answer to a request for the cursor's position (CSI 6 n), counted from 0: see
// [Terminal.ExpectCursor].
type CursorReport struct{ Col, Row int }

// StatusReport is the answer to a status request (CSI 5 n). The terminal has read everything that
// was written before the request. The [SizeReport] of a size that the terminal got afterwards comes
// later.
type StatusReport struct{}

// SizeReport is the terminal's own report of its size (mode 2048), in its order among the replies.
// Programs use it together with status requests. It does not announce a new size: [Resize] does,
// and may come before it or after it.
type SizeReport struct{ Cols, Rows int }

// Resumed reports that the program has the terminal again, after Ctrl+Z and fg or after Suspend.
// What the screen shows is not known.
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

// Drained reports that frames may be written again. The backlog has fallen to half of its limit
// after it was above it, or to nothing after [Terminal.Behind] has found the terminal late.
type Drained struct{}

// Changed reports that a reply has changed [Terminal.Caps].
type Changed struct{}

func (Drained) event() {}
func (Changed) event() {}
