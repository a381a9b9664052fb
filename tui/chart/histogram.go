package chart

import (
	"math"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Histogram divides a range into bins of equal width, and draws how many values of a series lie in
// each bin.
type Histogram struct {
	Title    string
	Series   *Series
	Bins     int                    // number of bins; below 1: chosen by the number of values
	Min, Max float64                // the range, outside which values are not counted; both 0: the range of the values
	Format   func(v float64) string // formats the ends of the bins; nil: short numbers
	Lying    bool                   // draws horizontal bars
	Height   int                    // the maximum number of rows; 0: the height of the Space
	Marks    Marks
	Mouse    bool        // a click chooses a bin
	Chosen   int         // index of the highlighted bin
	OnChoose func(i int) // called on Enter or a click with the index of the bin

	bars Bars
}

// Counts returns the lower ends of all bins followed by the upper end of the last bin, and the
// number of values in each bin. A value on a border belongs to the bin above it.
func (h *Histogram) Counts() (ends []float64, counts []int) {
	sc := scaleOf(h.Min, h.Max, false, h.Series.valuesFrom(0))
	n := h.Bins
	if n < 1 { // Sturges' rule
		n = 1 + int(math.Ceil(math.Log2(float64(max(h.Series.Len(), 1)))))
	}
	counts = make([]int, n)
	for v := range h.Series.valuesFrom(0) {
		if !isFinite(v) || v < sc.min || v > sc.max {
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

// View returns the chart, or the numbers as text if the Space has no height.
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

// wholeNumber formats a count. It returns "" for a number that is not whole.
func wholeNumber(v float64) string {
	if v != math.Trunc(v) {
		return ""
	}
	return shortNumber(v, 0)
}

// At returns the index of the bin at a column and row of the last View. ok is false if there is
// none.
func (h *Histogram) At(col, row int) (i int, ok bool) { return h.bars.At(col, row) }

// HandleEvent moves the highlight and chooses a bin if OnChoose is set.
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

// Focusable reports whether the chart takes keys, that is, whether OnChoose is set.
func (h *Histogram) Focusable() bool { return h.OnChoose != nil }

// EnterFocus reports whether the chart accepts the focus, that is, whether OnChoose is set.
func (h *Histogram) EnterFocus(int) bool { return h.OnChoose != nil }

// MoveFocus returns false: the chart contains no components that could have the focus.
func (h *Histogram) MoveFocus(int) bool { return false }
