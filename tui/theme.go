package tui

import "strings"

// Theme is how things look: styles by meaning, not by colour, and the glyphs. A theme is not
// changed once it is in use. A [Sheet] makes one from data.
type Theme struct {
	Dim     Style // context; without a colour nothing may depend on it: not all terminals show Faint
	Strong  Style // what to act on
	Accent  Style // the one accent
	Ask     Style // the label of what waits for an answer, in a colour that nothing else has
	Added   Style
	Removed Style
	Warning Style
	Error   Style
	Code    Style
	Person  Style // what the person said
	Heading Style // of text with headings; their level adds attributes
	Status  Style // the row that says how things stand

	// AddedLine and RemovedLine are for the text of a changed line of a diff. Where they have a
	// ground of their own they have a foreground, too.
	AddedLine, RemovedLine Style

	Syntax Syntax // of source text on the terminal's own ground
	// LineSyntax is for the same on the ground of AddedLine and RemovedLine. What has no colour has
	// that of the line.
	LineSyntax Syntax

	Styles map[string]Style // the program's own, by name, see [Sheet] and [Theme.Style]

	Glyphs Glyphs
	Colors int  // 0 none, 16, 256, 1<<24
	Dark   bool // the ground is dark
}

// Syntax is how the parts of source text look.
type Syntax struct{ Keyword, String, Comment, Number Style }

// Glyphs are the marks at the left margin, one column wide each.
type Glyphs struct {
	Person, Tool, Yes, No, Problem string // › • ✓ ✗ !
	Prompt, More, Dot              string // › … ·
	Spinner                        []string
}

// ASCII reports whether the terminal shows no others: frames and the like are made of ASCII then.
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

// NewTheme returns the default look: the terminal's own 16 colours, which its user has chosen to be
// readable on the ground that it has, and attributes only if there is no colour (NO_COLOR).
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

// colourCode sets the colours of source text. On the terminal's own ground they are of its palette,
// which its user has chosen to be readable there; on a light ground dark ones, because few palettes
// were made for it. On the ground of a changed line they are fixed, because the ground is one.
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
