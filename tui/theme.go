package tui

import "strings"

// Theme is how things look: styles by meaning, not by colour, and the glyphs. A theme is not
// changed once it is in use. A [Sheet] makes one from data.
type Theme struct {
	// context; nothing may depend on it without colour, since not all terminals show Faint
	Dim     Style
	Strong  Style // text that asks for an action
	Accent  Style // the one accent
	Ask     Style // the label of a question that waits, in a colour of its own
	Added   Style
	Removed Style
	Warning Style
	Error   Style
	Code    Style
	Person  Style // messages of the person
	Heading Style // headings; their level adds attributes
	Status  Style // the status row

	// AddedLine and RemovedLine are for the text of a changed line of a diff. If they have a
	// background they have a foreground, too.
	AddedLine, RemovedLine Style

	Syntax Syntax // of source text on the terminal's own background
	// LineSyntax is the same for the background of AddedLine and RemovedLine. A style without a
	// colour has that of the line.
	LineSyntax Syntax

	Styles map[string]Style // the program's own, by name, see [Sheet] and [Theme.Style]

	Glyphs Glyphs
	Colors int  // 0 none, 16, 256, 1<<24
	Dark   bool // the background is dark
}

// Syntax is the styles of the parts of source text.
type Syntax struct{ Keyword, String, Comment, Number Style }

// Glyphs are the marks at the left margin, one column wide each.
type Glyphs struct {
	Person, Tool, Yes, No, Problem string // › • ✓ ✗ !
	Prompt, More, Dot              string // › … ·
	Spinner                        []string
}

// ASCII reports whether the terminal shows only ASCII: frames are made of it then, too.
func (g Glyphs) ASCII() bool { return plainASCII(g.Prompt + g.More + g.Dot) }

var (
	unicodeGlyphs = Glyphs{
		Person: "›", Tool: "•", Yes: "✓", No: "✗", Problem: "!", Prompt: "›", More: "…", Dot: "·",
		Spinner: strings.Split("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", ""),
	}
	asciiGlyphs = Glyphs{
		Person: ">", Tool: "*", Yes: "+", No: "x", Problem: "!", Prompt: ">", More: "~", Dot: "-",
		Spinner: strings.Split(`|/-\`, ""),
	}
)

// NewTheme returns the default look. It uses the terminal's own 16 colours, which its user has
// chosen to be readable on the background, and only attributes if there is no colour (NO_COLOR).
func NewTheme(c Caps) *Theme {
	t := &Theme{
		Dim: Style{Attr: Faint}, Strong: Style{Attr: Bold}, Person: Style{Attr: Bold},
		Heading: Style{Attr: Bold}, Ask: Style{Attr: Bold | Inverse},
		Glyphs: asciiGlyphs, Colors: c.Color, Dark: c.Dark,
	}
	if c.Unicode {
		t.Glyphs = unicodeGlyphs
	}
	if c.Color == 0 {
		t.Error, t.Warning, t.Status = Style{Attr: Bold}, Style{Attr: Bold}, t.Dim
		return t
	}
	t.Accent = Style{Fg: Indexed(4)}
	t.Added, t.Removed = Style{Fg: Indexed(2)}, Style{Fg: Indexed(1)}
	t.Warning, t.Error = Style{Fg: Indexed(3)}, Style{Fg: Indexed(1), Attr: Bold}
	t.Code = Style{Fg: Indexed(6)}
	t.Ask.Fg = Indexed(5)
	if c.Dark { // normal blue is hard to read on black in many palettes
		t.Accent.Fg, t.Ask.Fg = Indexed(12), Indexed(13)
	}
	if c.Color >= 256 { // Faint is not shown everywhere, nor strong enough where it is
		t.Dim = Style{Fg: Indexed(245)}
		if !c.Dark {
			t.Dim.Fg = Indexed(242)
		}
	}
	if !c.Dark && c.Color >= 256 { // in many palettes normal green, yellow and cyan are too pale for white
		t.Added.Fg, t.Removed.Fg, t.Warning.Fg, t.Code.Fg = Indexed(28), Indexed(124), Indexed(130), Indexed(24)
		t.Ask.Fg = Indexed(125)
	}
	t.Status = t.Dim
	t.colourCode()
	t.AddedLine, t.RemovedLine = t.Added, t.Removed
	switch {
	case c.Color < 256:
	case c.Dark:
		t.AddedLine, t.RemovedLine = Style{Fg: Indexed(252), Bg: Indexed(22)}, Style{Fg: Indexed(252), Bg: Indexed(52)}
	default:
		t.AddedLine, t.RemovedLine = Style{Fg: Indexed(16), Bg: Indexed(194)}, Style{Fg: Indexed(16), Bg: Indexed(224)}
	}
	return t
}

// colourCode sets the colours of source text. On the terminal's own background they are of its
// palette, which its user has chosen to be readable there. On a light one they are dark, since few
// palettes were made for it. On the background of a changed line they are fixed, as that background
// is.
func (t *Theme) colourCode() {
	fg := func(n uint8) Style { return Style{Fg: Indexed(n)} }
	italic := func(n uint8) Style { return Style{Fg: Indexed(n), Attr: Italic} }
	t.Syntax = Syntax{Keyword: fg(5), String: fg(6), Comment: t.Dim, Number: fg(6)}
	t.LineSyntax = Syntax{Keyword: fg(153), String: fg(187), Comment: italic(251), Number: fg(222)}
	if !t.Dark {
		t.LineSyntax = Syntax{Keyword: fg(18), String: fg(22), Comment: italic(238), Number: fg(58)}
		t.Syntax.Keyword = fg(4) // 5 is Ask's
	}
	if !t.Dark && t.Colors >= 256 {
		t.Syntax = Syntax{Keyword: fg(90), String: fg(24), Comment: t.Dim, Number: fg(58)}
	}
}

// plainTheme is for a Space without a theme.
var plainTheme = *NewTheme(Caps{Unicode: true})
