package chart

import (
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Lines draws series as lines, with axes, labels and a legend. The newest values are at the right.
// If there are more values than dots in a row, several values share a column of dots, and the line
// covers the range from the lowest to the highest of them.
//
// If OnChoose is set one position is marked, and the legend shows the values there. Left and Right
// move the mark, Home and End go to the ends, and Enter chooses the position.
type Lines struct {
	Title  string
	Series []*Series
	// X returns the label of value i, counted from the oldest one; nil: there are no labels.
	X        func(i int) string
	Y        func(v float64) string // formats a value; nil: a short number
	Min, Max float64                // the range of the axis; both 0: the range of the values, rounded
	Window   int                    // the number of newest values to show; 0: the length of the longest series
	Height   int                    // the maximum number of rows; 0: the height of the Space
	Marks    Marks
	Mouse    bool        // a click moves the mark and chooses that position
	Chosen   int         // index of the marked value
	OnChoose func(i int) // called on Enter or a click with the index of the value

	canvas canvas
	frame  frame
	scale  scale
	first  int // index of the value at the left edge; negative: there is none
	count  int // number of values between the edges
	styles []tui.Style
}

// valueCount returns the number of values in the longest series.
func (l *Lines) valueCount() (n int) {
	for _, sr := range l.Series {
		n = max(n, sr.Len())
	}
	return n
}

// value returns value i of a series. Shorter series are aligned to the end of the longest one.
func (l *Lines) value(sr *Series, i int) float64 { return sr.Value(i - l.valueCount() + sr.Len()) }

// View returns the chart, or the numbers as text if the Space has no height.
func (l *Lines) View(s tui.Space) tui.View {
	rows := chartRows(s, l.Height)
	if rows == 0 {
		return tui.View{Lines: l.textView(s)}
	}
	if s.Width < 1 {
		return tui.View{}
	}
	l.fit(s, rows)
	l.draw(s)
	return tui.View{Lines: l.rows(s), Mouse: l.Mouse}
}

// fit computes the range of the values and the layout for a chart of the given number of rows.
func (l *Lines) fit(s tui.Space, rows int) {
	n := l.valueCount()
	l.count = n
	if l.Window > 0 {
		l.count = l.Window
	}
	l.first = n - l.count
	l.Chosen = max(min(l.Chosen, n-1), 0)
	l.scale = scaleOf(l.Min, l.Max, false, func(yield func(float64) bool) {
		for _, sr := range l.Series {
			for v := range sr.valuesFrom(max(sr.Len()-l.count, 0)) {
				if !yield(v) {
					return
				}
			}
		}
	})
	l.frame = newFrame(s.Width, rows, l.Title != "" || l.hasLegend(), l.X != nil)
	if l.Min >= l.Max {
		l.scale = l.scale.rounded(roundSteps)
	}
	labels := sideLabels(l.scale, l.frame.rows, l.Y)
	l.frame.addSide(widest(s, labels, s.Width/2))
}

// hasLegend reports whether a legend is shown.
func (l *Lines) hasLegend() bool {
	for _, sr := range l.Series {
		if sr != nil && sr.Name != "" {
			return true
		}
	}
	return l.OnChoose != nil
}

// dotColumn returns the column of value i, counted in dots.
func (l *Lines) dotColumn(i int) int {
	w := l.canvas.width()
	if l.count < 2 {
		return w - 1
	}
	return int(math.Round(float64(i-l.first) * float64(w-1) / float64(l.count-1)))
}

// draw draws all series on the canvas.
func (l *Lines) draw(s tui.Space) {
	th := s.Look()
	l.canvas.reset(l.Marks.forSpace(s), l.frame.cols, l.frame.rows)
	l.styles = l.styles[:0]
	for i, sr := range l.Series {
		if sr == nil {
			sr = &Series{}
		}
		l.styles = append(l.styles, seriesStyle(th, sr.Style, i))
		dash := 0
		if th.Colors == 0 {
			dash = i
		}
		l.drawSeries(sr, uint8(i), dash)
	}
}

// drawSeries draws one series with the style of index ink and the dash pattern of index dash. If
// several values share a column of dots, the line covers all of them.
func (l *Lines) drawSeries(sr *Series, ink uint8, dash int) {
	h, n := l.canvas.height(), l.valueCount()
	missing := n - sr.Len()
	lastX, lastY, joined := 0, 0, false
	for i := max(missing, l.first, 0); i < n; i++ {
		dot, ok := l.scale.dot(sr.Value(i-missing), h)
		x, y := l.dotColumn(i), h-1-dot
		if ok && !joined {
			l.canvas.line(x, y, x, y, ink, 0)
		} else if ok {
			l.canvas.line(lastX, lastY, x, y, ink, dash)
		}
		lastX, lastY, joined = x, y, ok
	}
}

// rows returns the rows of the chart.
func (l *Lines) rows(s tui.Space) []tui.Line {
	g := glyphsFor(s, l.Marks)
	lines := make([]tui.Line, 0, l.frame.rows+3)
	if l.frame.hasHead {
		lines = append(lines, headRow(s, l.Title, l.legend(s)))
	}
	rule := -1
	if l.OnChoose != nil && l.valueCount() > 0 && l.Chosen >= l.first {
		rule = l.dotColumn(l.Chosen) / l.canvas.dotsAcross
	}
	labels := sideLabels(l.scale, l.frame.rows, l.Y)
	var w rowWriter
	for row := range l.frame.rows {
		l.frame.writeSide(&w, s, g, labels[row])
		l.canvas.writeRow(&w, row, l.styles, rule, tui.Span{Text: g.side, Style: s.Look().Dim})
		lines = append(lines, w.line())
	}
	if l.frame.hasGround {
		lines = append(lines, l.frame.groundRow(s, g))
	}
	if l.frame.hasLabels {
		lines = append(lines, l.frame.labelRow(s, l.labels(s)))
	}
	return lines
}

// legend returns the names of the series, each with a sample of its line, and the values at the
// mark.
func (l *Lines) legend(s tui.Space) []tui.Span {
	th := s.Look()
	var spans []tui.Span
	for i, sr := range l.Series {
		if sr == nil || sr.Name == "" && l.OnChoose == nil {
			continue
		}
		sample, cells := canvas{}, 2
		if l.canvas.marks == ASCII {
			cells = 4 // two dots are no line
		}
		sample.reset(l.canvas.marks, cells, 1)
		dash := 0
		if th.Colors == 0 {
			dash = i
		}
		sample.line(0, sample.height()/2, sample.width()-1, sample.height()/2, 0, dash)
		spans = append(spans, tui.Span{Text: "  "})
		var line []byte
		for _, dots := range sample.dots {
			line = sample.marks.appendGlyph(line, dots)
		}
		spans = append(spans, tui.Span{Text: string(line), Style: l.styles[i]})
		text := " " + sr.Name
		if l.OnChoose != nil {
			text += " " + l.format(l.value(sr, l.Chosen))
		}
		spans = append(spans, tui.Span{Text: text})
	}
	return spans
}

// format formats a value for display.
func (l *Lines) format(v float64) string {
	if l.Y != nil {
		return l.Y(v)
	}
	return shortNumber(v, 0)
}

// labels returns the labels below the ground line, as many as fit.
func (l *Lines) labels(s tui.Space) (all []label) {
	cols := l.frame.cols
	n := l.valueCount()
	from := max(l.first, 0)
	if n == 0 {
		return nil
	}
	ends := []string{l.X(from), l.X(n - 1)}
	slot := widest(s, ends, cols) + 3
	count := max(min(cols/slot, n-from), 1)
	every := max((n-from+count-1)/count, 1)
	for i := n - 1; i >= from; i -= every { // the newest one first, so that labels of a stream stand still
		text := l.X(i)
		w := shownColumns(s, text, cols)
		col := max(min(l.dotColumn(i)/l.canvas.dotsAcross-w/2, cols-w), 0)
		all = append(all, label{text: text, col: col, cols: w, style: s.Look().Dim})
	}
	slices.Reverse(all)
	return all
}

// textView returns the numbers of each series as text.
func (l *Lines) textView(s tui.Space) []tui.Line {
	rows := make([]string, 0, len(l.Series))
	for _, sr := range l.Series {
		if sr != nil {
			rows = append(rows, withLabel(sr.Name, numbersText(sr, orPlainNumber(l.Y))))
		}
	}
	return textRows(s, l.Title, rows)
}

// At returns the index of the value at a column and row of the last View, counted from the oldest
// one. ok is false if there is none.
func (l *Lines) At(col, row int) (i int, ok bool) {
	x, _, ok := l.frame.inside(col, row)
	n := l.valueCount()
	if !ok || n == 0 {
		return 0, false
	}
	w := l.canvas.width()
	i = n - 1
	if w > 1 && l.count > 1 {
		mid := float64(x*l.canvas.dotsAcross) + float64(l.canvas.dotsAcross-1)/2
		i = l.first + int(math.Round(mid*float64(l.count-1)/float64(w-1)))
	}
	return min(i, n-1), i >= 0
}

// HandleEvent moves the mark and chooses a position if OnChoose is set.
func (l *Lines) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if l.OnChoose == nil {
		return false
	}
	switch ev := ev.(type) {
	case tui.Mouse:
		i, ok := l.At(ev.Col, ev.Row)
		if ok = ok && l.Mouse && ev.Press && ev.Button == 0; ok {
			l.Chosen = i
			l.OnChoose(i)
		}
		return ok
	case tui.Key:
		return moveMark(ev, &l.Chosen, l.valueCount(), terminal.KeyLeft, terminal.KeyRight, l.OnChoose)
	}
	return false
}

// Focusable reports whether the chart takes keys, that is, whether OnChoose is set.
func (l *Lines) Focusable() bool { return l.OnChoose != nil }

// EnterFocus reports whether the chart accepts the focus, that is, whether OnChoose is set.
func (l *Lines) EnterFocus(int) bool { return l.OnChoose != nil }

// MoveFocus returns false: the chart contains no components that could have the focus.
func (l *Lines) MoveFocus(int) bool { return false }

// moveMark handles the keys that move a highlight among n elements, whose index is *at, or choose
// the element. It returns false for other keys.
func moveMark(k tui.Key, at *int, n int, back, forth rune, choose func(int)) bool {
	to := *at
	switch {
	case k.Mods != 0 || n == 0:
		return false
	case k.Code == back:
		to--
	case k.Code == forth:
		to++
	case k.Code == terminal.KeyHome:
		to = 0
	case k.Code == terminal.KeyEnd:
		to = n - 1
	case k.Code == terminal.KeyEnter:
		choose(min(*at, n-1))
	default:
		return false
	}
	*at = max(min(to, n-1), 0)
	return true
}
