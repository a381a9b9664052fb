package tui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Adaptive is a style with variants for different terminals. Basic and Plain are optional. Without
// them the attributes of Dark or Light are used, in place of Basic also those of their colours that
// are among the 16 named ones.
type Adaptive struct {
	Dark, Light Style // for a dark or a light background, with 256 colours or more
	Basic       Style // for 16 colours, which the user has chosen
	Plain       Style // attributes for terminals without colours (NO_COLOR)
}

// For returns the variant for the terminal of t. If the terminal has 256 colours an RGB colour
// becomes the nearest one of the palette.
func (a Adaptive) For(t *Theme) Style {
	st := a.Light
	if t.Dark {
		st = a.Dark
	}
	switch {
	case t.Colors == 0 && a.Plain != (Style{}):
		return Style{Attr: a.Plain.Attr}
	case t.Colors == 0:
		return Style{Attr: st.Attr}
	case t.Colors < 256 && a.Basic != (Style{}):
		st = a.Basic
		fallthrough
	case t.Colors < 256:
		return Style{Fg: namedOrDefault(st.Fg), Bg: namedOrDefault(st.Bg), Attr: st.Attr}
	case t.Colors < 1<<24:
		return Style{Fg: nearestIndexed(st.Fg), Bg: nearestIndexed(st.Bg), Attr: st.Attr}
	}
	return st
}

// namedOrDefault returns c if it is one of the 16 named colours, and otherwise the terminal's
// default colour.
func namedOrDefault(c Color) Color {
	if n, ok := c.Index(); ok && n < 16 {
		return c
	}
	return 0
}

// nearestIndexed returns the palette colour nearest to c if c is an RGB colour, and otherwise c. It
// chooses from the colour cube and the greys, which are the same in all terminals.
func nearestIndexed(c Color) Color {
	r, g, b, direct := c.RGB()
	if !direct {
		return c
	}
	best, minDist := uint8(0), -1
	for n := 16; n < 256; n++ {
		x, y, z, _ := Indexed(uint8(n)).Fixed()
		dr, dg, db := int(r)-int(x), int(g)-int(y), int(b)-int(z)
		if d := 2*dr*dr + 4*dg*dg + 3*db*db; minDist < 0 || d < minDist { // green is seen best
			best, minDist = uint8(n), d
		}
	}
	return Indexed(best)
}

// ParseAdaptive parses a style that a user has written, such as "bold #ffaf00 on blue": attributes
// and colours, with "on" before the background colour. It applies to all terminals. Parts behind a
// semicolon override it for some: "#ffaf00; light: #875f00; 16: bold yellow; none: underline". A
// colour is #rrggbb, a number from 0 to 255, a name such as red or bright-blue, or default.
// Attributes are bold, dim, italic, underline, inverse and strike.
func ParseAdaptive(text string) (a Adaptive, err error) {
	for i, part := range strings.Split(text, ";") {
		kind, style, labelled := strings.Cut(part, ":")
		if !labelled {
			style = part
		}
		st, err := parseStyle(style)
		if err != nil {
			return Adaptive{}, err
		}
		switch kind := strings.TrimSpace(kind); {
		case !labelled && i == 0:
			a.Dark, a.Light = st, st
		case kind == "dark" && labelled:
			a.Dark = st
		case kind == "light" && labelled:
			a.Light = st
		case kind == "16" && labelled:
			a.Basic = st
		case kind == "none" && labelled:
			a.Plain = st
		default:
			return Adaptive{}, fmt.Errorf("tui: a style for other terminals begins with dark:, light:, 16: or none:, "+
				"not with %.40q", strings.TrimSpace(part))
		}
	}
	return a, nil
}

// parseStyle parses attributes and colours, such as "bold red on 17".
func parseStyle(text string) (st Style, err error) {
	to := &st.Fg
	for _, word := range strings.Fields(text) {
		if word == "on" {
			to = &st.Bg
			continue
		}
		if i := slices.IndexFunc(attributes[:], func(a attribute) bool { return a.name == word }); i >= 0 {
			st.Attr |= attributes[i].attr
			continue
		}
		c, ok := ansi.ParseColor(word)
		if !ok {
			return Style{}, fmt.Errorf("tui: %.40q is no colour and no attribute", word)
		}
		*to = c
	}
	return st, nil
}

type attribute struct {
	name string
	attr Attr
}

var attributes = [...]attribute{{"bold", Bold}, {"dim", Faint}, {"faint", Faint}, {"italic", Italic},
	{"underline", Underline}, {"inverse", Inverse}, {"strike", Strike}}

// Sheet is a theme as data: it maps names to styles. The name of a field of [Theme] or [Syntax] in
// lower case ("accent", "addedline", "keyword") changes that field. Any other name is a style of
// the program, see [Theme.Style]. Do not change a Sheet that is in use.
type Sheet map[string]Adaptive

// ParseSheet parses the styles in texts, a map from names to styles as for [ParseAdaptive]. They
// may come from the program itself or from a configuration file. The error lists all styles that
// are not valid.
func ParseSheet(texts map[string]string) (Sheet, error) {
	s := make(Sheet, len(texts))
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		a, err := ParseAdaptive(texts[name])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%.40q: %w", name, err))
			continue
		}
		s[name] = a
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return s, nil
}

// On returns a copy of base with the styles of s. App.Theme can return sheet.On(NewTheme(caps)).
func (s Sheet) On(base *Theme) *Theme {
	t := *base
	t.Styles = maps.Clone(base.Styles)
	for name, a := range s {
		if role := t.styleField(name); role != nil {
			*role = a.For(base)
			continue
		}
		if t.Styles == nil {
			t.Styles = map[string]Style{}
		}
		t.Styles[name] = a.For(base)
	}
	return &t
}

// Style returns the style with the given name: an element of Styles, or a field of the theme named
// as in [Sheet]. For an unknown name it returns the zero Style.
func (t *Theme) Style(name string) Style {
	if st, ok := t.Styles[name]; ok {
		return st
	}
	if role := t.styleField(name); role != nil {
		return *role
	}
	return Style{}
}

// styleField returns a pointer to the field with the given name, or nil if there is none.
func (t *Theme) styleField(name string) *Style {
	switch name {
	case "dim":
		return &t.Dim
	case "strong":
		return &t.Strong
	case "accent":
		return &t.Accent
	case "ask":
		return &t.Ask
	case "added":
		return &t.Added
	case "removed":
		return &t.Removed
	case "warning":
		return &t.Warning
	case "error":
		return &t.Error
	case "code":
		return &t.Code
	case "person":
		return &t.Person
	case "heading":
		return &t.Heading
	case "status":
		return &t.Status
	case "addedline":
		return &t.AddedLine
	case "removedline":
		return &t.RemovedLine
	case "keyword":
		return &t.Syntax.Keyword
	case "string":
		return &t.Syntax.String
	case "comment":
		return &t.Syntax.Comment
	case "number":
		return &t.Syntax.Number
	}
	return nil
}
