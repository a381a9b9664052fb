package harness

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

var comparedAttrs = []struct {
	attr    ansi.Attr
	onBlank bool // can be seen on a blank
}{
	{ansi.Bold, false}, {ansi.Faint, false}, {ansi.Italic, false}, {ansi.Blink, false}, {ansi.Inverse, true},
	{ansi.Invisible, false}, {ansi.Strike, true},
}

// sameCell returns an error that describes the first difference between g, a cell of the emulated
// terminal, and the expected glyph. Foreground colour and most attributes are not compared on a
// blank, where they cannot be seen.
func sameCell(g vt.Cell, want glyph) error {
	text := g.Text
	if text == "" && g.Width > 0 {
		text = " "
	}
	blank := text == " "
	if text != want.text {
		return fmt.Errorf("%q, want %q", text, want.text)
	}
	if g.Style.Bg != want.style.Bg || !blank && g.Style.Fg != want.style.Fg {
		return fmt.Errorf("colours %v on %v, want %v on %v", g.Style.Fg, g.Style.Bg, want.style.Fg, want.style.Bg)
	}
	for _, a := range comparedAttrs {
		if (!blank || a.onBlank) && (g.Style.Attr&a.attr != 0) != (want.style.Attr&a.attr != 0) {
			return fmt.Errorf("attribute %v is %v", a.attr.Names(), g.Style.Attr&a.attr != 0)
		}
	}
	if (g.Style.Underline != vt.NoUnderline) != (want.style.Attr&ansi.Underline != 0) {
		return fmt.Errorf("underline is %v", g.Style.Underline)
	}
	if g.Link != want.link {
		return fmt.Errorf("link %q, want %q", g.Link, want.link)
	}
	return nil
}
