package chart

import (
	"math"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Histogram draws how often the values of a series lie in each of several equal parts of a range.
type Histogram struct {
	Title    string
	Series   *Series
	Bins     int                    // the parts; below 1: by the number of values
	Min, Max float64                // the range; both 0: that of the values. What is outside is not counted
	Format   func(v float64) string // of the values; nil: short numbers
	Lying    bool                   // the bars lie one below the other
	Height   int                    // the most rows; 0: all that the space has
	Marks    Marks
	Mouse    bool // a click chooses a part
	Chosen   int  // the chosen part
	OnChoose func(i int)

	bars Bars
}

// Counts returns the lower ends of the parts, the upper end of the last one, and how many values
// each part holds. A value on a border belongs to the part above it.
func (h *Histogram) Counts() (ends []float64, counts []int) {
	sc := scaleOf(h.Min, h.Max, false, h.Series.from(0))
	n := h.Bins
	if n < 1 { // Sturges' rule
		n = 1 + int(math.Ceil(math.Log2(float64(max(h.Series.Len(), 1)))))
	}
	counts = make([]int, n)
	for v := range h.Series.from(0) {
		if !finite(v) || v < sc.min || v > sc.max {
			continue
		}
		counts[min(int(sc.fraction(v)*float64(n)), n-1)]++
	}
	for i := range n + 1 {
		f := float64(i) / float64(n)
		ends = append(ends, sc.min*(1-f)+sc.max*f)
	}
	return ends, counts
}

// View returns the drawing, or the numbers in a space without a height.
func (h *Histogram) View(s tui.Space) tui.View {
	ends, counts := h.Counts()
	step := ends[1]/2 - ends[0]/2
	format := func(v float64) string { return shortNumber(v, math.Pow(10, math.Floor(math.Log10(2*step)))) }
	if h.Format != nil {
		format = h.Format
	}
	b := &h.bars
	b.Title, b.Upright, b.Height, b.Marks = h.Title, !h.Lying, h.Height, h.Marks
	b.Mouse, b.Chosen, b.OnChoose, b.Format = h.Mouse, h.Chosen, h.OnChoose, wholeNumber
	style := ""
	if h.Series != nil {
		style = h.Series.Style
	}
	b.Styles = append(b.Styles[:0], style)
	b.Bars = b.Bars[:0]
	for i, n := range counts {
		label := format(ends[i])
		if h.Lying || s.Height <= 0 {
			label += " to " + format(ends[i+1])
		}
		b.Bars = append(b.Bars, Bar{Label: label, Values: []float64{float64(n)}})
	}
	v := b.View(s)
	h.Chosen = b.Chosen
	return v
}

// wholeNumber returns v as it is shown, "" if it is no count.
func wholeNumber(v float64) string {
	if v != math.Trunc(v) {
		return ""
	}
	return shortNumber(v, 0)
}

// At returns the part at a column and row of the last View. ok: there is one.
func (h *Histogram) At(col, row int) (i int, ok bool) { return h.bars.At(col, row) }

// HandleEvent moves to another part and chooses, if there is an OnChoose.
func (h *Histogram) HandleEvent(ev tui.Event, s tui.Space) bool {
	if h.OnChoose == nil {
		return false
	}
	h.bars.Chosen, h.bars.OnChoose = h.Chosen, func(i int) {
		h.Chosen = i
		h.OnChoose(i)
	}
	handled := h.bars.HandleEvent(ev, s)
	h.Chosen = h.bars.Chosen
	return handled
}

// Focusable reports whether the chart takes keys: it has an OnChoose.
func (h *Histogram) Focusable() bool { return h.OnChoose != nil }

// EnterFocus reports whether the chart takes keys.
func (h *Histogram) EnterFocus(int) bool { return h.OnChoose != nil }

// MoveFocus returns false: nothing inside has a focus of its own.
func (h *Histogram) MoveFocus(int) bool { return false }
