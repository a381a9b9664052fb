package theme

import (
	"fmt"
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// styler makes the styles of a theme for one kind of terminal, and checks them.
type styler struct {
	*definition
	scheme  *scheme
	depth   int
	base    *tui.Theme
	result  *tui.Theme
	refused []refusal
}

// refusal is a role whose style was refused, and the reason.
type refusal struct{ role, why string }

// styleFor returns the styles of the theme for a terminal.
func (s *definition) styleFor(c tui.Caps) *styler {
	c.Dark = s.dark
	result := *tui.NewTheme(c)
	d := &styler{definition: s, scheme: schemeFor(s.dark), depth: c.Color, base: tui.NewTheme(c), result: &result}
	if c.Color == 0 {
		d.applyAttributes()
		return d
	}
	for _, r := range roles {
		if style, ok := s.styles[r.name]; ok && r.name != askRole && !r.onChangedLine {
			d.apply(r, style, nil)
		}
	}
	d.colourChangedLines()
	d.applyAsk()
	for _, r := range roles { // what is now like a decision gets another colour, or the base's
		style, ok := s.styles[r.name]
		if ok && r.name != askRole && !r.onChangedLine && d.resemblesAsk(*r.style(d.result)) {
			d.apply(r, style, d.differsFromAsk)
		}
	}
	d.colourChangedLines()
	for _, r := range roles {
		if r.onChangedLine {
			d.applyOnLines(r)
		}
	}
	d.keepKeysDistinct()
	return d
}

// refuse gives r the style of the base theme.
func (d *styler) refuse(r role, format string, args ...any) {
	*r.style(d.result) = *r.style(d.base)
	d.refused = append(d.refused, refusal{r.name, fmt.Sprintf(format, args...)})
}

// apply gives r a style in colours of this terminal. extraCheck is a further condition for its
// colours, or nil.
func (d *styler) apply(r role, style roleStyle, extraCheck func(tui.Color) bool) {
	st := style.applyTo(*r.style(d.base))
	if d.depth < 256 && st.Bg != 0 { // grounds are not for so few colours
		st.Fg, st.Bg = r.style(d.base).Fg, 0
	}
	if !r.mayBeDim && st.Fg == 0 && st.Bg == 0 && st.Attr == tui.Faint {
		d.refuse(r, "only dim tells it from other text, and not all terminals show that; "+
			"give it a colour, bold, italic or underline")
		return
	}
	passes := func(c tui.Color) bool {
		return (extraCheck == nil || extraCheck(c)) &&
			d.textContrast(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= MinContrast
	}
	bg, bgPasses := d.scheme.nearestPassing(st.Bg, d.depth,
		func(c tui.Color) bool { return extraCheck == nil || extraCheck(c) })
	st.Bg = bg
	fg, ok := d.scheme.nearestPassing(st.Fg, d.depth, passes)
	switch {
	case !bgPasses, !ok && extraCheck != nil:
		d.refuse(r, "its colour is too near to that of ask, the label of a decision, which has one of its own; "+
			"choose another")
	case !ok:
		d.refuseContrast(r, st)
	default:
		st.Fg = fg
		*r.style(d.result) = st
	}
}

// refuseContrast refuses r because its text could not be read.
func (d *styler) refuseContrast(r role, st tui.Style) {
	ground, lighter := "the ground", d.dark
	if st.Bg != 0 {
		ground = "its own background"
		lighter = d.scheme.channelsOf(st.Bg, d.scheme.background).luminance() < 0.18 // there black and white are as far
	}
	direction := "darker"
	if lighter {
		direction = "lighter"
	}
	d.refuse(r, "its contrast to %s is %.1f, and it takes %.1f to be read; choose a %s colour", ground,
		math.Floor(d.textContrast(st)*10)/10, MinContrast, direction)
}

// textContrast returns the contrast of text in the style st.
func (d *styler) textContrast(st tui.Style) float64 {
	bg := d.scheme.channelsOf(st.Bg, d.scheme.background)
	fg := d.scheme.channelsOf(st.Fg, d.scheme.text)
	if st.Attr&tui.Faint != 0 {
		fg = midpoint(fg, bg)
	}
	return contrast(fg, bg)
}

// colourChangedLines gives changed lines the colours of their markers on terminals without
// backgrounds.
func (d *styler) colourChangedLines() {
	if d.depth < 256 {
		d.result.AddedLine, d.result.RemovedLine = d.result.Added, d.result.Removed
	}
}

// labelColour returns the background colour of a label, by which a decision is recognised.
func labelColour(st tui.Style) tui.Color {
	if st.Attr&tui.Inverse != 0 {
		return st.Fg
	}
	return st.Bg
}

// applyAsk gives the label of a decision its style, unless that is similar to another one
// (HARN-12).
func (d *styler) applyAsk() {
	i := slices.IndexFunc(roles, func(r role) bool { return r.name == askRole })
	r := roles[i]
	style, ok := d.styles[askRole]
	if !ok {
		return
	}
	st := style.applyTo(d.base.Ask)
	if st.Bg != 0 && d.depth < 256 {
		st.Bg = 0
		st.Fg = *style.bg // what was the label's ground
	}
	st.Attr |= tui.Inverse
	if st.Bg != 0 { // it has a ground of its own
		st.Attr &^= tui.Inverse
	}
	similar := "" // the role that the wanted colour is too near to
	passes := func(c tui.Color) bool {
		similar = d.similarRole(c)
		return similar == "" && contrast(d.scheme.channelsOf(c, d.scheme.text), d.scheme.background) >= MinContrast
	}
	if st.Bg != 0 {
		bg, ok := d.scheme.nearestPassing(st.Bg, d.depth, passes)
		if st.Bg = bg; !ok {
			d.refuseAsk(r, similar, tui.Style{Fg: st.Bg})
			return
		}
		fg, ok := d.scheme.nearestPassing(st.Fg, d.depth, func(c tui.Color) bool {
			return d.textContrast(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= MinContrast
		})
		if !ok {
			d.refuseContrast(r, st)
			return
		}
		st.Fg = fg
	} else {
		fg, ok := d.scheme.nearestPassing(st.Fg, d.depth, func(c tui.Color) bool {
			return passes(c) && d.textContrast(tui.Style{Fg: c, Attr: st.Attr}) >= MinContrast
		})
		if !ok {
			d.refuseAsk(r, similar, st)
			return
		}
		st.Fg = fg
	}
	d.result.Ask = st
}

// refuseAsk refuses the style for the label of a decision.
func (d *styler) refuseAsk(r role, similar string, st tui.Style) {
	if similar != "" {
		d.refuse(r, "its colour is too near to that of %s, and the label of a decision has one of its own; "+
			"choose another", similar)
		return
	}
	d.refuseContrast(r, st)
}

// similarRole returns the role whose colour is too near to c, or "ordinary text", or "".
func (d *styler) similarRole(c tui.Color) string {
	want := d.scheme.channelsOf(c, d.scheme.text)
	if distance(want, d.scheme.text) < minDistance {
		return "ordinary text"
	}
	for _, r := range roles {
		st := *r.style(d.result)
		if r.name == askRole {
			continue
		}
		if st.Fg != 0 && distance(want, d.scheme.channelsOf(st.Fg, want)) < minDistance ||
			st.Bg != 0 && distance(want, d.scheme.channelsOf(st.Bg, want)) < minDistance {
			return r.name
		}
	}
	return ""
}

// differsFromAsk reports whether c is far enough from the colour of a decision.
func (d *styler) differsFromAsk(c tui.Color) bool {
	askColour := d.scheme.channelsOf(labelColour(d.result.Ask), d.scheme.text)
	return c == 0 || distance(d.scheme.channelsOf(c, askColour), askColour) >= minDistance
}

func (d *styler) resemblesAsk(st tui.Style) bool {
	return !d.differsFromAsk(st.Fg) || !d.differsFromAsk(st.Bg)
}

// applyOnLines gives r its style on the backgrounds of changed lines. If not even the style of the
// base can be read there, the text has the style of the line.
func (d *styler) applyOnLines(r role) {
	grounds := []tui.Style{d.result.AddedLine, d.result.RemovedLine}
	passes := func(st tui.Style) bool {
		for _, g := range grounds {
			style := tui.Style{Fg: st.Fg, Bg: g.Bg, Attr: st.Attr | g.Attr}
			if style.Fg == 0 {
				style.Fg = g.Fg
			}
			if d.textContrast(style) < MinContrast {
				return false
			}
		}
		return d.differsFromAsk(st.Fg)
	}
	target := r.style(d.result)
	if look, ok := d.styles[r.name]; ok {
		st := look.applyTo(*r.style(d.base))
		st.Bg = 0 // the line's
		fg, passed := d.scheme.nearestPassing(st.Fg, d.depth, func(c tui.Color) bool {
			return passes(tui.Style{Fg: c, Attr: st.Attr})
		})
		if passed {
			st.Fg = fg
			*target = st
			return
		}
		d.refuse(r, "it cannot be read on added_line and removed_line, or has the colour of ask; choose another colour")
	}
	if d.depth >= 256 && !passes(*target) {
		target.Fg, target.Attr = 0, target.Attr&^tui.Faint
	}
}

// keepKeysDistinct keeps keys that work (strong) from looking like keys that do not work yet (dim).
func (d *styler) keepKeysDistinct() {
	for _, name := range []string{"strong", "dim"} {
		a, b := d.result.Strong, d.result.Dim
		fg, dim := d.scheme.channelsOf(a.Fg, d.scheme.text), d.scheme.channelsOf(b.Fg, d.scheme.text)
		if (a.Attr^b.Attr)&^tui.Faint != 0 || distance(fg, dim) >= minDistance || a.Bg != b.Bg {
			return
		}
		for _, r := range roles {
			if _, set := d.styles[name]; set && r.name == name {
				d.refuse(r, "strong and dim look the same, and keys that work would look like those "+
					"that do not work yet; make strong bold or give it another colour")
			}
		}
	}
}

// applyAttributes sets attributes only, for a terminal without colours.
func (d *styler) applyAttributes() {
	for _, r := range roles {
		look, ok := d.styles[r.name]
		if !ok {
			continue
		}
		target := r.style(d.result)
		st := tui.Style{Attr: look.applyTo(*target).Attr}
		if r.name == askRole { // nothing else is inverse
			st.Attr |= tui.Inverse
		}
		if !r.mayBeDim && st.Attr&^tui.Faint == 0 { // it would depend on dim, or on nothing
			continue
		}
		*target = st
	}
	d.keepKeysDistinct()
}
