package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// maxThick is the most columns of an upright bar.
const maxThick = 12

// isChosen reports whether bar i is to be marked.
func (b *Bars) isChosen(i int) bool { return b.OnChoose != nil && i == b.Chosen }

// lyingView returns bars one below the other, each behind its label.
func (b *Bars) lyingView(s tui.Space, rows int) []tui.Line {
	wantsHead := b.Title != "" || len(b.Names) > 0 || len(b.Bars)*b.parts() > rows
	b.frame = frame{cols: s.Width, rows: rows}
	if wantsHead && rows > minPlotRows {
		b.frame.head, b.frame.rows = true, rows-1
	}
	b.fitBars(b.frame.rows, 0, 1)
	labelCols, valueCols := b.lyingColumns(s)
	b.frame.side, b.frame.cols = labelCols, s.Width-labelCols-valueCols
	partial := glyphsFor(s, b.Marks).right
	lines := make([]tui.Line, 0, rows)
	if b.frame.head {
		lines = append(lines, b.head(s))
	}
	var (
		w rowWriter
		r ruler
	)
	for i := b.first; i < b.first+b.shown; i++ {
		for part := range min(b.parts(), b.frame.rows) {
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

// lyingColumns returns the columns of the labels and of the numbers: 0 where the bars would have
// too few.
func (b *Bars) lyingColumns(s tui.Space) (labelCols, valueCols int) {
	for i := b.first; i < b.first+b.shown; i++ {
		labelCols = max(labelCols, shownColumns(s, b.Bars[i].Label, max(s.Width/3, 8))+1)
		for part := range b.parts() {
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

// writeLabel adds the label of bar i, at the row of its first value, and the mark of the chosen
// one.
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

// valueText returns the number behind the bar of a value: the sum if they are stacked.
func (b *Bars) valueText(bar Bar, part int) string {
	switch {
	case !b.Stacked && part < len(bar.Values):
		return b.format(bar.Values[part])
	case !b.Stacked || len(bar.Values) == 0:
		return ""
	}
	sum := 0.0
	for _, v := range bar.Values {
		if finite(v) {
			sum = addFinite(sum, v)
		}
	}
	return b.format(sum)
}

// uprightView returns bars beside one another, each above its label.
func (b *Bars) uprightView(s tui.Space, rows int) []tui.Line {
	labelled := false
	for _, bar := range b.Bars {
		labelled = labelled || bar.Label != ""
	}
	wantsHead := b.Title != "" || len(b.Names) > 0 || len(b.Bars)*b.parts() > s.Width || b.OnChoose != nil
	b.frame = newFrame(s.Width, rows, wantsHead, labelled)
	if b.Bare && b.frame.ground {
		b.frame.ground, b.frame.rows = false, b.frame.rows+1
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
	if b.frame.head {
		lines = append(lines, b.head(s))
	}
	lines = b.appendUpright(lines, s, side)
	g := glyphsFor(s, b.Marks)
	if b.frame.ground {
		lines = append(lines, b.frame.groundRow(s, g))
	}
	if b.frame.labels {
		lines = append(lines, b.frame.labelRow(s, b.uprightLabels(s)))
	}
	return lines
}

// appendUpright appends the rows of the upright bars.
func (b *Bars) appendUpright(lines []tui.Line, s tui.Space, side []string) []tui.Line {
	g, parts := glyphsFor(s, b.Marks), b.parts()
	partial := g.up
	if g.right == nil {
		partial = nil
	}
	rulers := make([]ruler, 0, b.shown*parts)
	for i := b.first; i < b.first+b.shown; i++ {
		for part := range parts {
			rulers = append(rulers, b.barRuler(b.Bars[i], part, b.frame.rows, nil))
		}
	}
	var w rowWriter
	for row := range b.frame.rows {
		b.frame.writeSide(&w, s, g, side[row])
		for x := range min(b.shown*b.slot, b.frame.cols) {
			part := x % b.slot / b.thick
			if part >= parts {
				w.add(" ", tui.Style{})
				continue
			}
			w.add(b.cell(s, rulers[x/b.slot*parts+part], b.frame.rows-1-row, partial))
		}
		lines = append(lines, w.line())
	}
	return lines
}

// uprightLabels returns the labels below the bars: each, or every second, third, ... one where they
// are too wide.
func (b *Bars) uprightLabels(s tui.Space) (all []label) {
	th := s.Look()
	bar, every, wide := b.thick*b.parts(), 1, 0
	for i := range b.shown {
		wide = max(wide, shownColumns(s, b.Bars[b.first+i].Label, maxThick))
	}
	if wide >= b.slot {
		every = (wide + b.slot) / b.slot
	}
	for i := 0; i < b.shown; i += every {
		text, style := b.Bars[b.first+i].Label, th.Dim
		if b.isChosen(b.first + i) {
			style = th.Strong.With(tui.Inverse)
		}
		at, cols := i*b.slot, max(every*b.slot-1, 1)
		if w := shownColumns(s, text, cols); w < bar {
			at, cols = at+(bar-w)/2, w
		}
		all = append(all, label{text: text, col: at, cols: cols, style: style})
	}
	return all
}
