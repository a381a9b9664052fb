package theme

import (
	"fmt"
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// styler computes the styles of a theme for one kind of terminal, and refuses styles that cannot be
// read or that look like an approval question.
type styler struct {
	*definition
	scheme *scheme
	// The number of colours of the terminal.
	depth int
	// The styles of the base theme.
	base *tui.Theme
	// The computed styles.
	result  *tui.Theme
	refused []refusal
}

// refusal names a role whose style was refused, and the reason.
type refusal struct{ role, why string }

// styleFor computes the styles of the theme for a terminal with the capabilities c.
func (d *definition) styleFor(c tui.Caps) *styler {
	c.Dark = d.dark
	result := *tui.NewTheme(c)
	s := &styler{definition: d, scheme: schemeFor(d.dark), depth: c.Color, base: tui.NewTheme(c), result: &result}
	if c.Color == 0 {
		s.applyAttributes()
		return s
	}
	for _, r := range roles {
		if style, ok := d.styles[r.name]; ok && r.name != askRole && !r.onChangedLine {
			s.apply(r, style, nil)
		}
	}
	s.colourChangedLines()
	s.applyAsk()
	for _, r := range roles { // styles that resemble an approval question get another colour, or the base's
		style, ok := d.styles[r.name]
		if ok && r.name != askRole && !r.onChangedLine && s.resemblesAsk(*r.style(s.result)) {
			s.apply(r, style, s.differsFromAsk)
		}
	}
	s.colourChangedLines()
	for _, r := range roles {
		if r.onChangedLine {
			s.applyOnLines(r)
		}
	}
	s.keepKeysDistinct()
	return s
}

// refuse gives role r the style of the base theme, and records the reason.
func (s *styler) refuse(r role, format string, args ...any) {
	*r.style(s.result) = *r.style(s.base)
	s.refused = append(s.refused, refusal{r.name, fmt.Sprintf(format, args...)})
}

// apply gives role r the style from the theme file, with colours that this terminal can show.
// extraCheck is a further condition for the colours; it may be nil. If no readable colour is found,
// the style is refused.
func (s *styler) apply(r role, style roleStyle, extraCheck func(tui.Color) bool) {
	st := style.applyTo(*r.style(s.base))
	if s.depth < 256 && st.Bg != 0 { // with so few colours, there are no backgrounds
		st.Fg, st.Bg = r.style(s.base).Fg, 0
	}
	if !r.mayBeDim && st.Fg == 0 && st.Bg == 0 && st.Attr == tui.Faint {
		s.refuse(r, "only dim tells it from other text, and not all terminals show that; "+
			"give it a colour, bold, italic or underline")
		return
	}
	passes := func(c tui.Color) bool {
		return (extraCheck == nil || extraCheck(c)) &&
			s.textContrast(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= MinContrast
	}
	bg, bgPasses := s.scheme.nearestPassing(st.Bg, s.depth,
		func(c tui.Color) bool { return extraCheck == nil || extraCheck(c) })
	st.Bg = bg
	fg, ok := s.scheme.nearestPassing(st.Fg, s.depth, passes)
	switch {
	case !bgPasses, !ok && extraCheck != nil:
		s.refuse(r, "its colour is too near to that of ask, the label of a decision, which has one of its own; "+
			"choose another")
	case !ok:
		s.refuseContrast(r, st)
	default:
		st.Fg = fg
		*r.style(s.result) = st
	}
}

// refuseContrast refuses the style st of role r because its contrast is too low.
func (s *styler) refuseContrast(r role, st tui.Style) {
	ground, lighter := "the ground", s.dark
	if st.Bg != 0 {
		ground = "its own background"
		// On a background with luminance 0.18, black and white have the same contrast.
		lighter = s.scheme.channelsOf(st.Bg, s.scheme.background).luminance() < 0.18
	}
	direction := "darker"
	if lighter {
		direction = "lighter"
	}
	s.refuse(r, "its contrast to %s is %.1f, and it takes %.1f to be read; choose a %s colour", ground,
		math.Floor(s.textContrast(st)*10)/10, MinContrast, direction)
}

// textContrast returns the contrast between the text colour and the background of style st.
func (s *styler) textContrast(st tui.Style) float64 {
	bg := s.scheme.channelsOf(st.Bg, s.scheme.background)
	fg := s.scheme.channelsOf(st.Fg, s.scheme.text)
	if st.Attr&tui.Faint != 0 {
		fg = midpoint(fg, bg)
	}
	return contrast(fg, bg)
}

// colourChangedLines gives added and removed lines the style of their markers, if the terminal has
// too few colours for backgrounds.
func (s *styler) colourChangedLines() {
	if s.depth < 256 {
		s.result.AddedLine, s.result.RemovedLine = s.result.Added, s.result.Removed
	}
}

// labelColour returns the colour that a label in the style st has as its background. The user
// recognises an approval question by it.
func labelColour(st tui.Style) tui.Color {
	if st.Attr&tui.Inverse != 0 {
		return st.Fg
	}
	return st.Bg
}

// applyAsk sets the style of the label of an approval question. It refuses a style that is similar
// to another one of the theme (HARN-12).
func (s *styler) applyAsk() {
	i := slices.IndexFunc(roles, func(r role) bool { return r.name == askRole })
	r := roles[i]
	style, ok := s.styles[askRole]
	if !ok {
		return
	}
	st := style.applyTo(s.base.Ask)
	if st.Bg != 0 && s.depth < 256 {
		st.Bg = 0
		st.Fg = *style.bg // drawn inverse, this is the label's background
	}
	st.Attr |= tui.Inverse
	if st.Bg != 0 { // the label has a background colour
		st.Attr &^= tui.Inverse
	}
	similar := "" // the role whose colour is too near to the wanted one
	passes := func(c tui.Color) bool {
		similar = s.similarRole(c)
		return similar == "" && contrast(s.scheme.channelsOf(c, s.scheme.text), s.scheme.background) >= MinContrast
	}
	if st.Bg != 0 {
		bg, ok := s.scheme.nearestPassing(st.Bg, s.depth, passes)
		if st.Bg = bg; !ok {
			s.refuseAsk(r, similar, tui.Style{Fg: st.Bg})
			return
		}
		fg, ok := s.scheme.nearestPassing(st.Fg, s.depth, func(c tui.Color) bool {
			return s.textContrast(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= MinContrast
		})
		if !ok {
			s.refuseContrast(r, st)
			return
		}
		st.Fg = fg
	} else {
		fg, ok := s.scheme.nearestPassing(st.Fg, s.depth, func(c tui.Color) bool {
			return passes(c) && s.textContrast(tui.Style{Fg: c, Attr: st.Attr}) >= MinContrast
		})
		if !ok {
			s.refuseAsk(r, similar, st)
			return
		}
		st.Fg = fg
	}
	s.result.Ask = st
}

// refuseAsk refuses the style st for the label of an approval question. The reason is that its
// colour is too near to the colour of the role similar or, if similar is "", to the background.
func (s *styler) refuseAsk(r role, similar string, st tui.Style) {
	if similar != "" {
		s.refuse(r, "its colour is too near to that of %s, and the label of a decision has one of its own; "+
			"choose another", similar)
		return
	}
	s.refuseContrast(r, st)
}

// similarRole returns the name of a role whose colour is too near to c. It returns "ordinary text"
// if that is too near, and "" if no colour is.
func (s *styler) similarRole(c tui.Color) string {
	want := s.scheme.channelsOf(c, s.scheme.text)
	if distance(want, s.scheme.text) < minDistance {
		return "ordinary text"
	}
	for _, r := range roles {
		st := *r.style(s.result)
		if r.name == askRole {
			continue
		}
		if st.Fg != 0 && distance(want, s.scheme.channelsOf(st.Fg, want)) < minDistance ||
			st.Bg != 0 && distance(want, s.scheme.channelsOf(st.Bg, want)) < minDistance {
			return r.name
		}
	}
	return ""
}

// differsFromAsk reports whether c differs enough from the colour of approval questions.
func (s *styler) differsFromAsk(c tui.Color) bool {
	askColour := s.scheme.channelsOf(labelColour(s.result.Ask), s.scheme.text)
	return c == 0 || distance(s.scheme.channelsOf(c, askColour), askColour) >= minDistance
}

// resemblesAsk reports whether a colour of the style is too near to the colour of approval
// questions.
func (s *styler) resemblesAsk(st tui.Style) bool {
	return !s.differsFromAsk(st.Fg) || !s.differsFromAsk(st.Bg)
}

// applyOnLines sets the style of role r, which is used on the backgrounds of added and removed
// lines. If neither the theme's nor the base theme's style can be read there, the text gets the
// style of the changed line.
func (s *styler) applyOnLines(r role) {
	grounds := []tui.Style{s.result.AddedLine, s.result.RemovedLine}
	passes := func(st tui.Style) bool {
		for _, g := range grounds {
			style := tui.Style{Fg: st.Fg, Bg: g.Bg, Attr: st.Attr | g.Attr}
			if style.Fg == 0 {
				style.Fg = g.Fg
			}
			if s.textContrast(style) < MinContrast {
				return false
			}
		}
		return s.differsFromAsk(st.Fg)
	}
	target := r.style(s.result)
	if look, ok := s.styles[r.name]; ok {
		st := look.applyTo(*r.style(s.base))
		st.Bg = 0 // the background is the line's
		fg, passed := s.scheme.nearestPassing(st.Fg, s.depth, func(c tui.Color) bool {
			return passes(tui.Style{Fg: c, Attr: st.Attr})
		})
		if passed {
			st.Fg = fg
			*target = st
			return
		}
		s.refuse(r, "it cannot be read on added_line and removed_line, or has the colour of ask; choose another colour")
	}
	if s.depth >= 256 && !passes(*target) {
		target.Fg, target.Attr = 0, target.Attr&^tui.Faint
	}
}

// keepKeysDistinct makes sure that key hints that work (role strong) look different from those that
// do not work yet (role dim). If they look the same, it refuses the style that the file sets.
func (s *styler) keepKeysDistinct() {
	for _, name := range []string{"strong", "dim"} {
		a, b := s.result.Strong, s.result.Dim
		fg, dim := s.scheme.channelsOf(a.Fg, s.scheme.text), s.scheme.channelsOf(b.Fg, s.scheme.text)
		if (a.Attr^b.Attr)&^tui.Faint != 0 || distance(fg, dim) >= minDistance || a.Bg != b.Bg {
			return
		}
		for _, r := range roles {
			if _, set := s.styles[name]; set && r.name == name {
				s.refuse(r, "strong and dim look the same, and keys that work would look like those "+
					"that do not work yet; make strong bold or give it another colour")
			}
		}
	}
}

// applyAttributes sets the styles for a terminal without colours: only the text attributes are
// used.
func (s *styler) applyAttributes() {
	for _, r := range roles {
		look, ok := s.styles[r.name]
		if !ok {
			continue
		}
		target := r.style(s.result)
		st := tui.Style{Attr: look.applyTo(*target).Attr}
		if r.name == askRole { // no other role is inverse
			st.Attr |= tui.Inverse
		}
		if !r.mayBeDim && st.Attr&^tui.Faint == 0 { // only dim, or nothing, would make it differ from other text
			continue
		}
		*target = st
	}
	s.keepKeysDistinct()
}
