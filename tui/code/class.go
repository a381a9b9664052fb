package code

import "github.com/scrollkeep/scrollkeep/tui"

// Class is the syntax class of a part of a line.
type Class uint8

// The syntax classes.
const (
	Plain Class = iota
	Keyword
	String
	Comment
	Number
)

// Piece is a part of a line with one class. It begins where the previous piece ends, and ends at
// the byte offset To.
type Piece struct {
	To    int
	Class Class
}

// Style returns the style of a class on the terminal's own background. Without colours all classes
// look the same.
func (c Class) Style(t *tui.Theme) tui.Style { return c.styleIn(t.Syntax) }

// OnGround returns the style of a class on the background of an added or removed line
// ([tui.Theme.AddedLine]). A class without a colour uses that of the line.
func (c Class) OnGround(t *tui.Theme) tui.Style { return c.styleIn(t.LineSyntax) }

// styleIn returns the style of c in s. It returns the zero Style for Plain.
func (c Class) styleIn(s tui.Syntax) tui.Style {
	switch c {
	case Keyword:
		return s.Keyword
	case String:
		return s.String
	case Comment:
		return s.Comment
	case Number:
		return s.Number
	}
	return tui.Style{}
}
