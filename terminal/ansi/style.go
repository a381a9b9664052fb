package ansi

// Attr is a set of text attributes, such as Bold|Underline.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Blink
	Inverse
	Invisible
	Strike
	Overline
)

// attrNames holds the names of the attributes, in the order of their bits.
var attrNames = [...]string{"bold", "faint", "italic", "underline", "blink", "inverse", "invisible", "strike",
	"overline"}

// Names returns the names of the attributes in lower case: bold, faint, italic, underline, blink,
// inverse, invisible, strike, overline.
func (a Attr) Names() []string {
	var names []string
	for i, name := range attrNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Style holds the colours and attributes of text. The zero value is plain text in the terminal's
// default colours. Styles can be compared by ==.
type Style struct {
	Fg, Bg Color
	Attr   Attr
}

// With returns s with the attributes a added.
func (s Style) With(a Attr) Style { s.Attr |= a; return s }
