package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// maxThick is the maximum width of a vertical bar in columns.
const maxThick = 12

// isChosen reports whether entry i must be highlighted.
func (b *Bars) isChosen(i int) bool { return b.OnChoose != nil && i == b.Chosen }

// lyingView returns the rows of horizontal bars, each behind its label.
func (b *Bars) lyingView(s tui.Space, rows int) []tui.Line {
	wantsHead := b.Title != "" || len(b.Names) > 0 || len(b.Bars)*b.barsPerLabel() > rows
	b.frame = frame{cols: s.Width, rows: rows}
	if wantsHead && rows > minPlotRows {
		b.frame.hasHead, b.frame.rows = true, rows-1
	}
	b.fitBars(b.frame.rows, 0, 1)
	labelCols, valueCols := b.lyingColumns(s)
	b.frame.sideCols, b.frame.cols = labelCols, s.Width-labelCols-valueCols
	partial := glyphsFor(s, b.Marks).right
	lines := make([]tui.Line, 0, rows)
	if b.frame.hasHead {
		lines = append(lines, b.head(s))
	}
	var (
		w rowWriter
		r ruler
	)
	for i := b.firstVisible; i < b.firstVisible+b.visibleBars; i++ {
		for part := range min(b.barsPerLabel(), b.frame.rows) {
			if labelCols > 0 {
				b.writeLabel(&w, s, i, part, labelCols)
			}
			r = b.barRuler(b.Bars[i], part, b.frame.cols, r.eighths)
			for c := range b.frame.cols {
				w.add(b.cell(s, r, c, partial))
			}
			if valueCols > 0 {
				w.addPadded(s, b.valueText(b.Bars[i], part), valueCols, true, s.Look().Dim)
			}
			lines = append(lines, w.line())
		}
	}
	if len(b.Bars) == 0 {
		lines = append(lines, s.Cut(tui.Span{Text: "no values", Style: s.Look().Dim}))
	}
	return lines
}

// lyingColumns returns the number of columns for the labels and for the numbers of horizontal bars.
// A result of 0 means that there is no space for them.
func (b *Bars) lyingColumns(s tui.Space) (labelCols, valueCols int) {
	for i := b.firstVisible; i < b.firstVisible+b.visibleBars; i++ {
		labelCols = max(labelCols, shownColumns(s, b.Bars[i].Label, max(s.Width/3, 8))+1)
		for part := range b.barsPerLabel() {
			valueCols = max(valueCols, shownColumns(s, b.valueText(b.Bars[i], part), max(s.Width/3, 1))+1)
		}
	}
	if labelCols == 1 {
		labelCols = 0
	}
	if b.OnChoose != nil && labelCols > 0 {
		labelCols += 2
	}
	if b.Bare || s.Width-labelCols-valueCols < minPlotCols {
		valueCols = 0
	}
	if s.Width-labelCols < minPlotCols {
		labelCols = 0
	}
	return labelCols, valueCols
}

// writeLabel writes the label of entry i, and the mark of the highlighted entry, in cols columns.
// part is the index of the value whose row it is; only the first row shows the label.
func (b *Bars) writeLabel(w *rowWriter, s tui.Space, i, part, cols int) {
	th := s.Look()
	text, style := b.Bars[i].Label, tui.Style{}
	if part > 0 {
		text = ""
	}
	if b.OnChoose != nil {
		pointer := "  "
		if b.isChosen(i) && part == 0 {
			pointer, style = th.Glyphs.Prompt+" ", th.Strong
		}
		w.addPadded(s, pointer, 2, false, th.Accent)
		cols -= 2
	}
	w.addPadded(s, text, cols-1, false, style)
	w.add(" ", tui.Style{})
}

// valueText returns the number behind the bar of the value with index part, or the sum if the
// values are stacked.
func (b *Bars) valueText(bar Bar, part int) string {
	switch {
	case !b.Stacked && part < len(bar.Values):
		return b.format(bar.Values[part])
	case !b.Stacked || len(bar.Values) == 0:
		return ""
	}
	sum := 0.0
	for _, v := range bar.Values {
		if isFinite(v) {
			sum = addFinite(sum, v)
		}
	}
	return b.format(sum)
}

// uprightView returns the rows of vertical bars, each above its label.
func (b *Bars) uprightView(s tui.Space, rows int) []tui.Line {
	labelled := false
	for _, bar := range b.Bars {
		labelled = labelled || bar.Label != ""
	}
	wantsHead := b.Title != "" || len(b.Names) > 0 || len(b.Bars)*b.barsPerLabel() > s.Width || b.OnChoose != nil
	b.frame = newFrame(s.Width, rows, wantsHead, labelled)
	if b.Bare && b.frame.hasGround {
		b.frame.hasGround, b.frame.rows = false, b.frame.rows+1
	}
	if b.Min >= b.Max {
		b.scale = b.scale.rounded(roundSteps)
	}
	side := sideLabels(b.scale, b.frame.rows, b.Format)
	if !b.Bare {
		b.frame.addSide(widest(s, side, s.Width/2))
	}
	b.fitBars(b.frame.cols, 1, maxThick)
	lines := make([]tui.Line, 0, rows)
	if b.frame.hasHead {
		lines = append(lines, b.head(s))
	}
	lines = b.appendUpright(lines, s, side)
	g := glyphsFor(s, b.Marks)
	if b.frame.hasGround {
		lines = append(lines, b.frame.groundRow(s, g))
	}
	if b.frame.hasLabels {
		lines = append(lines, b.frame.labelRow(s, b.uprightLabels(s)))
	}
	return lines
}

// appendUpright appends the rows of the vertical bars. side holds the label of the axis for each
// row.
func (b *Bars) appendUpright(lines []tui.Line, s tui.Space, side []string) []tui.Line {
	g, parts := glyphsFor(s, b.Marks), b.barsPerLabel()
	partial := g.up
	if g.right == nil {
		partial = nil
	}
	rulers := make([]ruler, 0, b.visibleBars*parts)
	for i := b.firstVisible; i < b.firstVisible+b.visibleBars; i++ {
		for part := range parts {
			rulers = append(rulers, b.barRuler(b.Bars[i], part, b.frame.rows, nil))
		}
	}
	var w rowWriter
	for row := range b.frame.rows {
		b.frame.writeSide(&w, s, g, side[row])
		for x := range min(b.visibleBars*b.slotSize, b.frame.cols) {
			part := x % b.slotSize / b.thickness
			if part >= parts {
				w.add(" ", tui.Style{})
				continue
			}
			w.add(b.cell(s, rulers[x/b.slotSize*parts+part], b.frame.rows-1-row, partial))
		}
		lines = append(lines, w.line())
	}
	return lines
}

// uprightLabels returns the labels below vertical bars. If they are too wide it returns only every
// second label, every third, and so on.
func (b *Bars) uprightLabels(s tui.Space) (all []label) {
	th := s.Look()
	bar, every, wide := b.thickness*b.barsPerLabel(), 1, 0
	for i := range b.visibleBars {
		wide = max(wide, shownColumns(s, b.Bars[b.firstVisible+i].Label, maxThick))
	}
	if wide >= b.slotSize {
		every = (wide + b.slotSize) / b.slotSize
	}
	for i := 0; i < b.visibleBars; i += every {
		text, style := b.Bars[b.firstVisible+i].Label, th.Dim
		if b.isChosen(b.firstVisible + i) {
			style = th.Strong.With(tui.Inverse)
		}
		at, cols := i*b.slotSize, max(every*b.slotSize-1, 1)
		if w := shownColumns(s, text, cols); w < bar {
			at, cols = at+(bar-w)/2, w
		}
		all = append(all, label{text: text, col: at, cols: cols, style: style})
	}
	return all
}
