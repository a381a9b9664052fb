package code

import "github.com/scrollkeep/scrollkeep/tui"

// Class is what a part of a line is.
type Class uint8

// The classes.
const (
	Plain Class = iota
	Keyword
	String
	Comment
	Number
)

// Piece is a part of a line: from the end of the piece before it up to byte To.
type Piece struct {
	To    int
	Class Class
}

// Style returns how a class is drawn on the terminal's own ground. Without colours all classes are
// alike.
func (c Class) Style(t *tui.Theme) tui.Style { return c.of(t.Syntax) }

// OnGround returns how a class is drawn on the ground of an added or removed line
// ([tui.Theme.AddedLine]); a class without a colour has the line's.
func (c Class) OnGround(t *tui.Theme) tui.Style { return c.of(t.LineSyntax) }

func (c Class) of(s tui.Syntax) tui.Style {
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
