package tui

import "strings"

// Theme defines how an App looks: styles named by their meaning, and glyphs. Do not change a theme
// that is in use. A [Sheet] creates one from data.
type Theme struct {
	// for context; without colour nothing may depend on it, since not all terminals show Faint
	Dim     Style
	Strong  Style // text that asks for an action
	Accent  Style // the single accent colour
	Ask     Style // label of a waiting question, in a colour of its own
	Added   Style
	Removed Style
	Warning Style
	Error   Style
	Code    Style
	Person  Style // messages of the user
	Heading Style // headings; their level adds attributes
	Status  Style // the status row

	// AddedLine and RemovedLine are for the text of changed lines in a diff. If they have a
	// background colour they also have a foreground colour.
	AddedLine, RemovedLine Style

	Syntax Syntax // syntax highlighting on the terminal's own background
	// LineSyntax is for syntax highlighting on the background of AddedLine and RemovedLine. A style
	// without a colour uses the colour of the line.
	LineSyntax Syntax

	Styles map[string]Style // further styles of the program, by name, see [Sheet] and [Theme.Style]

	Glyphs Glyphs
	Colors int  // number of colours: 0, 16, 256 or 1<<24
	Dark   bool // the terminal's background is dark
}

// Syntax holds the styles for syntax highlighting.
type Syntax struct{ Keyword, String, Comment, Number Style }

// Glyphs holds the marks at the left margin and within rows. Each is one column wide.
type Glyphs struct {
	Person, Tool, Yes, No, Problem string // › • ✓ ✗ !
	Prompt, More, Dot              string // › … ·
	Spinner                        []string
}

// ASCII reports whether the glyphs are plain ASCII, for terminals that show nothing else. Frames
// should then use ASCII, too.
func (g Glyphs) ASCII() bool { return isPlainASCII(g.Prompt + g.More + g.Dot) }

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

// NewTheme returns the default theme. It uses the terminal's 16 colours, which the user has chosen
// to be readable on the background. Without colours (NO_COLOR) it uses only attributes.
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

// colourCode sets the colours for syntax highlighting. On the terminal's own background they are
// from its palette, which the user has chosen to be readable there. On a light background they are
// dark, since few palettes are made for it. On the background of a changed line they are fixed,
// like that background.
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

// plainTheme is the theme for a Space without one.
var plainTheme = *NewTheme(Caps{Unicode: true})
