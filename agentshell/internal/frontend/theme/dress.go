package theme

import (
	"fmt"
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// A dresser makes a theme of a sheet for one kind of terminal, and keeps the guards.
type dresser struct {
	*sheet
	scheme *scheme
	depth  int
	base   *tui.Theme
	now    *tui.Theme
	broken []breach
}

// breach is a role that breaks a guard.
type breach struct{ role, why string }

// dress returns the sheet as a terminal shows it.
func (s *sheet) dress(c tui.Caps) *dresser {
	c.Dark = s.dark
	now := *tui.NewTheme(c)
	d := &dresser{sheet: s, scheme: schemeOf(s.dark), depth: c.Color, base: tui.NewTheme(c), now: &now}
	if c.Color == 0 {
		d.colourless()
		return d
	}
	for _, r := range roles {
		if l, ok := s.looks[r.name]; ok && r.name != ask && !r.line {
			d.put(r, l, nil)
		}
	}
	d.rows()
	d.ask()
	for _, r := range roles { // what is now like a decision gets another colour, or the base's
		if l, ok := s.looks[r.name]; ok && r.name != ask && !r.line && d.likeAsk(*r.of(d.now)) {
			d.put(r, l, d.unlikeAsk)
		}
	}
	d.rows()
	for _, r := range roles {
		if r.line {
			d.onLines(r)
		}
	}
	d.keys()
	return d
}

// refuse gives r the base's look.
func (d *dresser) refuse(r role, format string, args ...any) {
	*r.of(d.now) = *r.of(d.base)
	d.broken = append(d.broken, breach{r.name, fmt.Sprintf(format, args...)})
}

// put gives r the look l in colours of this terminal. also is what else a colour has to pass.
func (d *dresser) put(r role, l look, also func(tui.Color) bool) {
	st := l.over(*r.of(d.base))
	if d.depth < 256 && st.Bg != 0 { // grounds are not for so few colours
		st.Fg, st.Bg = r.of(d.base).Fg, 0
	}
	if !r.quiet && st.Fg == 0 && st.Bg == 0 && st.Attr == tui.Faint {
		d.refuse(r, "only dim tells it from other text, and not all terminals show that; "+
			"give it a colour, bold, italic or underline")
		return
	}
	passes := func(c tui.Color) bool {
		return (also == nil || also(c)) && d.legible(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= LeastContrast
	}
	bg, apart := d.scheme.fit(st.Bg, d.depth, func(c tui.Color) bool { return also == nil || also(c) })
	st.Bg = bg
	fg, ok := d.scheme.fit(st.Fg, d.depth, passes)
	switch {
	case !apart, !ok && also != nil:
		d.refuse(r, "its colour is too near to that of ask, the label of a decision, which has one of its own; "+
			"choose another")
	case !ok:
		d.tooNear(r, st)
	default:
		st.Fg = fg
		*r.of(d.now) = st
	}
}

// tooNear refuses r because it cannot be read.
func (d *dresser) tooNear(r role, st tui.Style) {
	ground, lighter := "the ground", d.dark
	if st.Bg != 0 {
		ground = "its own background"
		lighter = d.scheme.of(st.Bg, d.scheme.ground).luminance() < 0.18 // there black and white are as far
	}
	what := "darker"
	if lighter {
		what = "lighter"
	}
	d.refuse(r, "its contrast to %s is %.1f, and it takes %.1f to be read; choose a %s colour", ground,
		math.Floor(d.legible(st)*10)/10, LeastContrast, what)
}

// legible returns the contrast of text in st.
func (d *dresser) legible(st tui.Style) float64 {
	bg := d.scheme.of(st.Bg, d.scheme.ground)
	fg := d.scheme.of(st.Fg, d.scheme.text)
	if st.Attr&tui.Faint != 0 {
		fg = half(fg, bg)
	}
	return contrast(fg, bg)
}

// rows gives changed lines the colour of their markers where there are no grounds.
func (d *dresser) rows() {
	if d.depth < 256 {
		d.now.AddedLine, d.now.RemovedLine = d.now.Added, d.now.Removed
	}
}

// label returns the colour by which a decision is known: the ground of its label.
func label(st tui.Style) tui.Color {
	if st.Attr&tui.Inverse != 0 {
		return st.Fg
	}
	return st.Bg
}

// ask gives the label of a decision its look, if it is like no other (HARN-12).
func (d *dresser) ask() {
	i := slices.IndexFunc(roles, func(r role) bool { return r.name == ask })
	r := roles[i]
	l, ok := d.looks[ask]
	if !ok {
		return
	}
	st := l.over(d.base.Ask)
	if st.Bg != 0 && d.depth < 256 {
		st.Bg = 0
		st.Fg = *l.bg // what was the label's ground
	}
	st.Attr |= tui.Inverse
	if st.Bg != 0 { // it has a ground of its own
		st.Attr &^= tui.Inverse
	}
	twin := "" // the role that the wanted colour is too near to
	passes := func(c tui.Color) bool {
		twin = d.twin(c)
		return twin == "" && contrast(d.scheme.of(c, d.scheme.text), d.scheme.ground) >= LeastContrast
	}
	if st.Bg != 0 {
		bg, ok := d.scheme.fit(st.Bg, d.depth, passes)
		if st.Bg = bg; !ok {
			d.notAsk(r, twin, tui.Style{Fg: st.Bg})
			return
		}
		fg, ok := d.scheme.fit(st.Fg, d.depth, func(c tui.Color) bool {
			return d.legible(tui.Style{Fg: c, Bg: st.Bg, Attr: st.Attr}) >= LeastContrast
		})
		if !ok {
			d.tooNear(r, st)
			return
		}
		st.Fg = fg
	} else {
		fg, ok := d.scheme.fit(st.Fg, d.depth, func(c tui.Color) bool {
			return passes(c) && d.legible(tui.Style{Fg: c, Attr: st.Attr}) >= LeastContrast
		})
		if !ok {
			d.notAsk(r, twin, st)
			return
		}
		st.Fg = fg
	}
	d.now.Ask = st
}

// notAsk refuses the label of a decision because of its colour.
func (d *dresser) notAsk(r role, twin string, st tui.Style) {
	if twin != "" {
		d.refuse(r, "its colour is too near to that of %s, and the label of a decision has one of its own; "+
			"choose another", twin)
		return
	}
	d.tooNear(r, st)
}

// twin returns what has a colour too near to c: a role, or ordinary text; "": nothing.
func (d *dresser) twin(c tui.Color) string {
	want := d.scheme.of(c, d.scheme.text)
	if distance(want, d.scheme.text) < leastDistance {
		return "ordinary text"
	}
	for _, r := range roles {
		st := *r.of(d.now)
		if r.name == ask {
			continue
		}
		if st.Fg != 0 && distance(want, d.scheme.of(st.Fg, want)) < leastDistance ||
			st.Bg != 0 && distance(want, d.scheme.of(st.Bg, want)) < leastDistance {
			return r.name
		}
	}
	return ""
}

// unlikeAsk reports whether c is far enough from the colour of a decision.
func (d *dresser) unlikeAsk(c tui.Color) bool {
	the := d.scheme.of(label(d.now.Ask), d.scheme.text)
	return c == 0 || distance(d.scheme.of(c, the), the) >= leastDistance
}

func (d *dresser) likeAsk(st tui.Style) bool { return !d.unlikeAsk(st.Fg) || !d.unlikeAsk(st.Bg) }

// onLines gives r its look on the grounds of changed lines. Where not even the base's can be read
// there it is the line's own.
func (d *dresser) onLines(r role) {
	grounds := []tui.Style{d.now.AddedLine, d.now.RemovedLine}
	passes := func(st tui.Style) bool {
		for _, g := range grounds {
			at := tui.Style{Fg: st.Fg, Bg: g.Bg, Attr: st.Attr | g.Attr}
			if at.Fg == 0 {
				at.Fg = g.Fg
			}
			if d.legible(at) < LeastContrast {
				return false
			}
		}
		return d.unlikeAsk(st.Fg)
	}
	own := r.of(d.now)
	if l, ok := d.looks[r.name]; ok {
		st := l.over(*r.of(d.base))
		st.Bg = 0 // the line's
		fg, fits := d.scheme.fit(st.Fg, d.depth, func(c tui.Color) bool {
			return passes(tui.Style{Fg: c, Attr: st.Attr})
		})
		if fits {
			st.Fg = fg
			*own = st
			return
		}
		d.refuse(r, "it cannot be read on added_line and removed_line, or has the colour of ask; choose another colour")
	}
	if d.depth >= 256 && !passes(*own) {
		own.Fg, own.Attr = 0, own.Attr&^tui.Faint
	}
}

// keys keeps keys that work (strong) from looking like those that do not work yet (dim).
func (d *dresser) keys() {
	for _, name := range []string{"strong", "dim"} {
		a, b := d.now.Strong, d.now.Dim
		fg, dim := d.scheme.of(a.Fg, d.scheme.text), d.scheme.of(b.Fg, d.scheme.text)
		if (a.Attr^b.Attr)&^tui.Faint != 0 || distance(fg, dim) >= leastDistance || a.Bg != b.Bg {
			return
		}
		for _, r := range roles {
			if _, set := d.looks[name]; set && r.name == name {
				d.refuse(r, "strong and dim look the same, and keys that work would look like those "+
					"that do not work yet; make strong bold or give it another colour")
			}
		}
	}
}

// colourless returns a theme of attributes alone.
func (d *dresser) colourless() {
	for _, r := range roles {
		l, ok := d.looks[r.name]
		if !ok {
			continue
		}
		own := r.of(d.now)
		st := tui.Style{Attr: l.over(*own).Attr}
		if r.name == ask { // nothing else is inverse
			st.Attr |= tui.Inverse
		}
		if !r.quiet && st.Attr&^tui.Faint == 0 { // it would depend on dim, or on nothing
			continue
		}
		*own = st
	}
	d.keys()
}
