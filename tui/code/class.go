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

// Style is how a class is drawn on the terminal's own ground: in colours of its palette, which its
// user has chosen to be readable there; on a light ground in dark ones, because few palettes were
// made for it. Without colours all classes are alike.
func (c Class) Style(t *tui.Theme) tui.Style {
	if t.Colors == 0 {
		return tui.Style{}
	}
	light := !t.Dark && t.Colors >= 256
	switch {
	case c == Comment:
		return t.Dim
	case light && c != Plain:
		return tui.Style{Fg: tui.Indexed([...]uint8{Keyword: 90, String: 24, Number: 58}[c])}
	}
	switch c {
	case Keyword:
		return tui.Style{Fg: tui.Indexed(5)}
	case String, Number:
		return tui.Style{Fg: tui.Indexed(6)}
	}
	return tui.Style{}
}

// OnGround is how a class is drawn on the ground of an added or removed line
// ([tui.Theme.AddedLine]): in fixed colours, because the ground is one.
func (c Class) OnGround(t *tui.Theme) tui.Style {
	fg := [...]uint8{Plain: 252, Keyword: 153, String: 187, Comment: 251, Number: 222}
	if !t.Dark {
		fg = [...]uint8{Plain: 16, Keyword: 18, String: 22, Comment: 238, Number: 58}
	}
	s := tui.Style{Fg: tui.Indexed(fg[c])}
	if c == Comment {
		s.Attr = tui.Italic
	}
	return s
}
