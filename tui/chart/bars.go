package chart

import (
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Bar is one bar of [Bars], or several beside one another: one for each value.
type Bar struct {
	Label  string
	Values []float64
}

// Bars draws bars from a ground line at 0: one below the other, or upright. Bars with several
// values are grouped, or stacked. If not all bars fit, those around the chosen one are shown, and
// the row of the title says which.
//
// With OnChoose one bar is chosen. The arrow keys along the labels move it, Home and End go to the
// ends, Enter chooses.
type Bars struct {
	Title    string
	Bars     []Bar
	Names    []string // of the values of a bar, for the legend
	Styles   []string // the names of their styles in the theme; "" or none: that of the place
	Upright  bool     // the bars stand beside one another
	Stacked  bool     // the values of a bar are one bar
	Min, Max float64  // the range; both 0: that of the values and 0
	Format   func(v float64) string
	Height   int  // the most rows; 0: all that the space has
	Bare     bool // no numbers behind the bars, no axis
	Marks    Marks
	Mouse    bool // a click chooses a bar
	Chosen   int  // the chosen bar
	OnChoose func(i int)

	frame  frame
	scale  scale
	styles []tui.Style
	first  int // the first bar in sight
	shown  int // the bars in sight
	thick  int // columns or rows of the bar of one value
	slot   int // those of a bar, with the blanks behind it
}

// parts returns how many bars stand beside one another for each of Bars.
func (b *Bars) parts() int {
	if b.Stacked {
		return 1
	}
	return b.series()
}

// series returns the most values that a bar has.
func (b *Bars) series() (n int) {
	n = 1
	for _, bar := range b.Bars {
		n = max(n, len(bar.Values))
	}
	return n
}

// format returns v as it is shown.
func (b *Bars) format(v float64) string {
	if b.Format != nil {
		return b.Format(v)
	}
	return shortNumber(v, 0)
}

// ends yields the values at which bars end: stacked ones are added up, on both sides of 0.
func (b *Bars) ends(yield func(float64) bool) {
	for _, bar := range b.Bars {
		up, down := 0.0, 0.0
		for _, v := range bar.Values {
			if !b.Stacked {
				if !yield(v) {
					return
				}
				continue
			}
			if v > 0 {
				up = addFinite(up, v)
			} else if v < 0 {
				down = addFinite(down, v)
			}
		}
		if b.Stacked && !(yield(up) && yield(down)) {
			return
		}
	}
}

// addFinite returns a+b, or the largest number there is.
func addFinite(a, b float64) float64 {
	return min(max(a+b, -math.MaxFloat64), math.MaxFloat64)
}

// View returns the drawing, or the numbers in a space without a height.
func (b *Bars) View(s tui.Space) tui.View {
	rows := placeRows(s, b.Height)
	switch {
	case rows == 0:
		return tui.View{Lines: b.textView(s)}
	case s.Width < 1:
		return tui.View{}
	}
	th := s.Look()
	b.Chosen = max(min(b.Chosen, len(b.Bars)-1), 0)
	b.scale = scaleOf(b.Min, b.Max, true, b.ends)
	b.styles = b.styles[:0]
	for i := range b.series() {
		name := ""
		if i < len(b.Styles) {
			name = b.Styles[i]
		}
		b.styles = append(b.styles, seriesStyle(th, name, i))
	}
	v := tui.View{Mouse: b.Mouse && b.OnChoose != nil}
	if b.Upright {
		v.Lines = b.uprightView(s, rows)
	} else {
		v.Lines = b.lyingView(s, rows)
	}
	return v
}

// fitBars finds the bars in sight among size columns or rows, and how thick they are. gap is the
// blanks between two.
func (b *Bars) fitBars(size, gap, maxThick int) {
	n, parts := len(b.Bars), b.parts()
	b.thick, b.slot = 1, parts+gap
	if n > 0 && size/n >= b.slot {
		b.thick = min((size/n-gap)/parts, maxThick)
		b.slot = b.thick*parts + gap
	} else if gap > 0 && (n == 0 || size < n*b.slot-gap) {
		b.slot, gap = parts, 0
	}
	b.shown = min(max((size+gap)/b.slot, 1), n)
	b.first = max(min(b.first, b.Chosen, n-b.shown), b.Chosen-b.shown+1, 0)
}

// head returns the row of title and legend, and which bars are in sight if not all are.
func (b *Bars) head(s tui.Space) tui.Line {
	th := s.Look()
	var legend []tui.Span
	for i, name := range b.Names {
		if i < len(b.styles) {
			legend = append(legend, tui.Span{Text: "  "},
				tui.Span{Text: b.fill(s, i), Style: b.styles[i]}, tui.Span{Text: " " + name})
		}
	}
	if n := len(b.Bars); n > b.shown {
		legend = append(legend, tui.Span{Text: "  " + plainNumber(float64(b.first+1)) + "-" +
			plainNumber(float64(b.first+b.shown)) + " of " + plainNumber(float64(n)), Style: th.Dim})
	}
	if b.Upright && b.OnChoose != nil && b.Chosen < len(b.Bars) {
		text := "  " + b.Bars[b.Chosen].Label
		for part := range b.parts() {
			text += " " + b.valueText(b.Bars[b.Chosen], part)
		}
		legend = append(legend, tui.Span{Text: text, Style: th.Strong})
	}
	return headRow(s, b.Title, legend)
}

// fill returns a full cell of series i.
func (b *Bars) fill(s tui.Space, i int) string {
	g := glyphsFor(s, b.Marks)
	if s.Look().Colors > 0 && g.right != nil {
		i = 0
	}
	return g.shades[i%len(g.shades)]
}

// ruler is one bar along its length: the owner of each eighth of a cell, 0 for none, else the index
// of its series plus 1.
type ruler struct {
	eighths []uint8
	sc      scale
}

// place returns the eighth at which v lies.
func (r ruler) place(v float64) int {
	f := r.sc.fraction(v)
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Round(f * float64(len(r.eighths))))
}

// mark gives the eighths between two values to a series: one at least, if the values differ.
func (r ruler) mark(from, to float64, owner uint8) {
	if math.IsNaN(from) || math.IsNaN(to) || from == to || len(r.eighths) == 0 {
		return
	}
	a, b := r.place(from), r.place(to)
	switch {
	case a == b && to > from && b < len(r.eighths), a == b && a == 0:
		b = a + 1
	case a == b:
		a--
	}
	for i := min(a, b); i < max(a, b); i++ {
		r.eighths[i] = owner
	}
}

// barRuler returns the ruler of a bar of cells cells: of value part, or of all values if they are
// stacked. It takes the storage of eighths, if that is enough.
func (b *Bars) barRuler(bar Bar, part, cells int, eighths []uint8) ruler {
	n := 8 * max(cells, 0)
	r := ruler{slices.Grow(eighths[:0], n)[:n], b.scale}
	clear(r.eighths)
	if !b.Stacked {
		if part < len(bar.Values) {
			r.mark(0, bar.Values[part], uint8(part+1))
		}
		return r
	}
	up, down := 0.0, 0.0
	for i, v := range bar.Values {
		switch {
		case v > 0:
			to := addFinite(up, v)
			r.mark(up, to, uint8(i+1))
			up = to
		case v < 0:
			to := addFinite(down, v)
			r.mark(down, to, uint8(i+1))
			down = to
		}
	}
	return r
}

// cell returns cell i of a ruler. partial are the glyphs of a cell that is filled by so many
// eighths from the beginning of the ruler; nil: only full cells can be drawn.
func (b *Bars) cell(s tui.Space, r ruler, i int, partial []string) (string, tui.Style) {
	eighths := r.eighths[8*i : 8*i+8]
	low, high := eighths[0], eighths[7]
	if s.Look().Colors == 0 && b.series() > 1 || partial == nil {
		owner := largestOwner(eighths)
		if owner == 0 {
			return " ", tui.Style{}
		}
		return b.fill(s, int(owner-1)), b.styles[owner-1]
	}
	n := 0
	for _, o := range eighths {
		if o == low {
			n++
		}
	}
	switch {
	case low == high && low == 0:
		return " ", tui.Style{}
	case low == high || high == 0:
		if low == high {
			n = 8
		}
		return partial[n], b.styles[low-1]
	case low == 0:
		st := b.styles[high-1]
		st.Attr |= tui.Inverse
		return partial[n], st
	}
	st := b.styles[low-1]
	st.Bg = b.styles[high-1].Fg
	return partial[n], st
}

// largestOwner returns the series that has the most of a cell, 0 if less than half of it is filled.
func largestOwner(eighths []uint8) (owner uint8) {
	filled, most := 0, 0
	for _, o := range eighths {
		n := 0
		for _, p := range eighths {
			if p == o {
				n++
			}
		}
		if o == 0 {
			continue
		}
		if filled++; n > most {
			owner, most = o, n
		}
	}
	if filled < 4 {
		return 0
	}
	return owner
}

// textView returns the numbers of each bar.
func (b *Bars) textView(s tui.Space) []tui.Line {
	format := orNumber(b.Format)
	rows := make([]string, 0, len(b.Bars))
	for i, bar := range b.Bars {
		text := ""
		for k, v := range bar.Values {
			if k > 0 {
				text += ", "
			}
			if k < len(b.Names) {
				text += b.Names[k] + " "
			}
			text += format(v)
		}
		label := bar.Label
		if b.OnChoose != nil {
			label = plainNumber(float64(i+1)) + " " + label
		}
		rows = append(rows, labelled(label, text))
	}
	if len(rows) == 0 {
		rows = append(rows, "no values")
	}
	return textRows(s, b.Title, rows)
}

// At returns the bar at a column and row of the last View. ok: there is one.
func (b *Bars) At(col, row int) (i int, ok bool) {
	x, y, ok := b.frame.inside(col, row)
	if b.Upright {
		y = x
		ok = ok || x >= 0 && x < b.frame.cols && row >= b.frame.headRows()+b.frame.rows // its label
	} else {
		ok = row >= b.frame.headRows() && y < b.frame.rows && col >= 0
	}
	if b.slot < 1 {
		return 0, false
	}
	i = b.first + y/b.slot
	return i, ok && y >= 0 && i < b.first+b.shown
}

// HandleEvent moves to another bar and chooses, if there is an OnChoose.
func (b *Bars) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if b.OnChoose == nil {
		return false
	}
	switch ev := ev.(type) {
	case tui.Mouse:
		i, ok := b.At(ev.Col, ev.Row)
		if ok = ok && b.Mouse && ev.Press && ev.Button == 0; ok {
			b.Chosen = i
			b.OnChoose(i)
		}
		return ok
	case tui.Key:
		back, forth := rune(terminal.KeyUp), rune(terminal.KeyDown)
		if b.Upright {
			back, forth = terminal.KeyLeft, terminal.KeyRight
		}
		return moveMark(ev, &b.Chosen, len(b.Bars), back, forth, b.OnChoose)
	}
	return false
}

// Focusable reports whether the chart takes keys: it has an OnChoose.
func (b *Bars) Focusable() bool { return b.OnChoose != nil }

// EnterFocus reports whether the chart takes keys.
func (b *Bars) EnterFocus(int) bool { return b.OnChoose != nil }

// MoveFocus returns false: nothing inside has a focus of its own.
func (b *Bars) MoveFocus(int) bool { return false }
