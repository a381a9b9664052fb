package stdinbuf

import "strconv"

// Kind is the kind of a token.
type Kind uint8

const (
	Text    Kind = iota // One character, or one byte that is not UTF-8.
	Control             // one C0 control or DEL
	Escape              // ESC alone: the Escape key
	Alt                 // ESC and one character or control: a key with Alt.
	CSI                 // ESC [ parameters final, with one more ESC in front where rxvt sends Alt and an arrow.
	SS3                 // ESC O final, with one more ESC in front for Alt.
	Mouse               // ESC [ M and three bytes: the X10 mouse report
	OSC                 // ESC ] ... BEL or ST
	DCS                 // ESC P ... ST
	APC                 // ESC _ ... ST
	PM                  // ESC ^ ... ST
	SOS                 // ESC X ... ST
	Paste               // a bracketed paste: Data is its text, without the brackets
	Broken              // A sequence whose end is missing. Data is the part of it that was not dropped.
)

var kindNames = [...]string{"Text", "Control", "Escape", "Alt", "CSI", "SS3", "Mouse", "OSC", "DCS", "APC", "PM", "SOS",
	"Paste", "Broken"}

// String returns the name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Token is one complete unit of input: a character, a key, a reply, or a paste. Data holds all its
// bytes, including introducer and terminator; of a [Paste] only the text. Data is valid until the
// next call of Feed or Flush. More means that the next token continues this paste.
type Token struct {
	Kind Kind
	Data []byte
	More bool
}
