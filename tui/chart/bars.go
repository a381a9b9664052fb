package chart

import (
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Bar is one labelled entry of [Bars]: one bar, or several bars side by side, one for each value.
type Bar struct {
	Label  string
	Values []float64
}

// Bars draws a bar chart, horizontally or upright. The bars begin at a ground line at 0. Entries
// with several values are grouped, or stacked. If not all entries fit, those around the chosen one
// are shown, and the title row says which.
//
// If OnChoose is set one entry is highlighted. The arrow keys along the labels move the highlight,
// Home and End go to the ends, and Enter chooses the entry.
type Bars struct {
	Title    string
	Bars     []Bar
	Names    []string               // names of the values, for the legend
	Styles   []string               // names of theme styles for the values; "" or missing: chart1, chart2 and so on
	Upright  bool                   // draws vertical bars
	Stacked  bool                   // stacks the values of an entry instead of grouping them
	Min, Max float64                // the range of the axis; both 0: the range of the values and 0
	Format   func(v float64) string // formats a value; nil: a short number
	Height   int                    // the maximum number of rows; 0: the height of the Space
	Bare     bool                   // omits the numbers behind the bars and the axis
	Marks    Marks                  // the characters to draw with
	Mouse    bool                   // a click chooses an entry
	Chosen   int                    // index of the highlighted entry
	OnChoose func(i int)            // called on Enter or a click with the index of the entry

	frame        frame
	scale        scale
	styles       []tui.Style
	firstVisible int // index of the first visible entry
	visibleBars  int // number of visible entries
	thickness    int // columns or rows of the bar of a single value
	slotSize     int // columns or rows of an entry, with the blanks behind it
}

// barsPerLabel returns the number of bars that are side by side for one label.
func (b *Bars) barsPerLabel() int {
	if b.Stacked {
		return 1
	}
	return b.maxValues()
}

// maxValues returns the largest number of values in an entry, at least 1.
func (b *Bars) maxValues() (n int) {
	n = 1
	for _, bar := range b.Bars {
		n = max(n, len(bar.Values))
	}
	return n
}

// format formats a value for display.
func (b *Bars) format(v float64) string {
	if b.Format != nil {
		return b.Format(v)
	}
	return shortNumber(v, 0)
}

// endValues yields the values at which bars end. Stacked values are added up, separately on both
// sides of 0.
func (b *Bars) endValues(yield func(float64) bool) {
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

// addFinite returns a+b, limited to finite numbers.
func addFinite(a, b float64) float64 {
	return min(max(a+b, -math.MaxFloat64), math.MaxFloat64)
}

// View returns the chart, or the numbers as text if the Space has no height.
func (b *Bars) View(s tui.Space) tui.View {
	rows := chartRows(s, b.Height)
	switch {
	case rows == 0:
		return tui.View{Lines: b.textView(s)}
	case s.Width < 1:
		return tui.View{}
	}
	th := s.Look()
	b.Chosen = max(min(b.Chosen, len(b.Bars)-1), 0)
	b.scale = scaleOf(b.Min, b.Max, true, b.endValues)
	b.styles = b.styles[:0]
	for i := range b.maxValues() {
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

// fitBars determines which entries are visible and how thick their bars are. size is the available
// number of columns or rows, gap the number of blanks between two entries.
func (b *Bars) fitBars(size, gap, maxThick int) {
	n, parts := len(b.Bars), b.barsPerLabel()
	b.thickness, b.slotSize = 1, parts+gap
	if n > 0 && size/n >= b.slotSize {
		b.thickness = min((size/n-gap)/parts, maxThick)
		b.slotSize = b.thickness*parts + gap
	} else if gap > 0 && (n == 0 || size < n*b.slotSize-gap) {
		b.slotSize, gap = parts, 0
	}
	b.visibleBars = min(max((size+gap)/b.slotSize, 1), n)
	b.firstVisible = max(min(b.firstVisible, b.Chosen, n-b.visibleBars), b.Chosen-b.visibleBars+1, 0)
}

// head returns the row with the title and the legend. It also says which entries are visible if not
// all are.
func (b *Bars) head(s tui.Space) tui.Line {
	th := s.Look()
	var legend []tui.Span
	for i, name := range b.Names {
		if i < len(b.styles) {
			legend = append(legend, tui.Span{Text: "  "},
				tui.Span{Text: b.fill(s, i), Style: b.styles[i]}, tui.Span{Text: " " + name})
		}
	}
	if n := len(b.Bars); n > b.visibleBars {
		legend = append(legend, tui.Span{Text: "  " + plainNumber(float64(b.firstVisible+1)) + "-" +
			plainNumber(float64(b.firstVisible+b.visibleBars)) + " of " + plainNumber(float64(n)), Style: th.Dim})
	}
	if b.Upright && b.OnChoose != nil && b.Chosen < len(b.Bars) {
		text := "  " + b.Bars[b.Chosen].Label
		for part := range b.barsPerLabel() {
			text += " " + b.valueText(b.Bars[b.Chosen], part)
		}
		legend = append(legend, tui.Span{Text: text, Style: th.Strong})
	}
	return headRow(s, b.Title, legend)
}

// fill returns the character of a full cell for the value with index i. Without colours the values
// differ by their shade.
func (b *Bars) fill(s tui.Space, i int) string {
	g := glyphsFor(s, b.Marks)
	if s.Look().Colors > 0 && g.right != nil {
		i = 0
	}
	return g.shades[i%len(g.shades)]
}

// ruler represents one bar along its length, in eighths of a cell. Each eighth holds the index plus
// 1 of the value that covers it, or 0.
type ruler struct {
	eighths []uint8
	sc      scale // the range of the axis
}

// eighthAt returns the index of the eighth at which v lies.
func (r ruler) eighthAt(v float64) int {
	f := r.sc.fraction(v)
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Round(f * float64(len(r.eighths))))
}

// fill marks the eighths between two values as covered by owner: at least one eighth if the values
// differ.
func (r ruler) fill(from, to float64, owner uint8) {
	if math.IsNaN(from) || math.IsNaN(to) || from == to || len(r.eighths) == 0 {
		return
	}
	a, b := r.eighthAt(from), r.eighthAt(to)
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

// barRuler returns the ruler for a bar that is the given number of cells long: the bar of the value
// with index part, or of all values if they are stacked. It reuses the storage of eighths.
func (b *Bars) barRuler(bar Bar, part, cells int, eighths []uint8) ruler {
	n := 8 * max(cells, 0)
	r := ruler{slices.Grow(eighths[:0], n)[:n], b.scale}
	clear(r.eighths)
	if !b.Stacked {
		if part < len(bar.Values) {
			r.fill(0, bar.Values[part], uint8(part+1))
		}
		return r
	}
	up, down := 0.0, 0.0
	for i, v := range bar.Values {
		switch {
		case v > 0:
			to := addFinite(up, v)
			r.fill(up, to, uint8(i+1))
			up = to
		case v < 0:
			to := addFinite(down, v)
			r.fill(down, to, uint8(i+1))
			down = to
		}
	}
	return r
}

// cell returns cell i of a ruler. partial holds the characters of a cell of which n eighths are
// filled, by n. If it is nil only full cells can be drawn.
func (b *Bars) cell(s tui.Space, r ruler, i int, partial []string) (string, tui.Style) {
	eighths := r.eighths[8*i : 8*i+8]
	low, high := eighths[0], eighths[7]
	if s.Look().Colors == 0 && b.maxValues() > 1 || partial == nil {
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

// largestOwner returns the value that covers most of a cell. It returns 0 if less than half of the
// cell is covered.
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

// textView returns the numbers of each entry as text.
func (b *Bars) textView(s tui.Space) []tui.Line {
	format := orPlainNumber(b.Format)
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
		rows = append(rows, withLabel(label, text))
	}
	if len(rows) == 0 {
		rows = append(rows, "no values")
	}
	return textRows(s, b.Title, rows)
}

// At returns the index of the entry at a column and row of the last View. ok is false if there is
// none.
func (b *Bars) At(col, row int) (i int, ok bool) {
	x, y, ok := b.frame.inside(col, row)
	if b.Upright {
		y = x
		ok = ok || x >= 0 && x < b.frame.cols && row >= b.frame.headRows()+b.frame.rows // its label
	} else {
		ok = row >= b.frame.headRows() && y < b.frame.rows && col >= 0
	}
	if b.slotSize < 1 {
		return 0, false
	}
	i = b.firstVisible + y/b.slotSize
	return i, ok && y >= 0 && i < b.firstVisible+b.visibleBars
}

// HandleEvent moves the highlight and chooses an entry if OnChoose is set.
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

// Focusable reports whether the chart takes keys, that is, whether OnChoose is set.
func (b *Bars) Focusable() bool { return b.OnChoose != nil }

// EnterFocus reports whether the chart accepts the focus, that is, whether OnChoose is set.
func (b *Bars) EnterFocus(int) bool { return b.OnChoose != nil }

// MoveFocus returns false: the chart contains no components that could have the focus.
func (b *Bars) MoveFocus(int) bool { return false }
