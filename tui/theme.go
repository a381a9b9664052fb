package tui

// Theme is how things look: styles by meaning, not by colour, and the glyphs. A theme is not changed once it is in use.
var plainTheme Theme

type Theme struct {
	Dim     Style // context
	Strong  Style // what to act on
	Accent  Style // the one accent
	Added   Style
	Removed Style
	Warning Style
	Error   Style
	Code    Style
	Person  Style // what the person said
	Glyphs  Glyphs
}

// Glyphs are the marks at the left margin, one or two columns wide each, with their ASCII forms.
type Glyphs struct {
	Person, Tool, Yes, No, Problem string // › • ✓ ✗ !
	Prompt, More, Dot              string // › … ·
	Spinner                        []string
}

// NewTheme is the default look for a terminal: readable in 16 colours, without colour, on a light and on a dark ground.
func NewTheme(c Caps) *Theme { return &Theme{} }
