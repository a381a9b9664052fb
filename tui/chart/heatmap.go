package chart

import (
	"math"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// HeatMap draws a table of values as colours, or as shades if the terminal has fewer than 256
// colours. If there are more values than cells, a cell shows the highest of several values. The
// colours are the theme's styles "heat1" (low) to "heat9" (high), or built-in ones if the theme has
// none.
//
// If OnChoose is set one value is highlighted. The arrow keys move the highlight, and Enter chooses
// the value.
type HeatMap struct {
	Title    string
	Values   [][]float64            // the values by row and column
	Rows     []string               // labels of the rows, at the left
	Columns  []string               // labels of the columns, below
	Min, Max float64                // the range of the colours; both 0: the range of the values
	Format   func(v float64) string // formats a value; nil: a short number
	Height   int                    // the maximum number of screen rows; 0: the height of the Space
	Marks    Marks
	Mouse    bool // a click chooses a value
	// ChosenRow and ChosenColumn are the indexes of the highlighted value.
	ChosenRow, ChosenColumn int
	OnChoose                func(row, column int) // called on Enter or a click

	frame       frame
	columnCount int        // number of values in the longest row
	cellCols    int        // number of screen columns for one value; 0: several values share a column
	levels      []tui.Span // the cell of each colour, the lowest first
}

// allValues yields all values.
func (h *HeatMap) allValues(yield func(float64) bool) {
	for _, row := range h.Values {
		for _, v := range row {
			if !yield(v) {
				return
			}
		}
	}
}

// heatNames lists the names of a heat map's styles in a [tui.Sheet].
var heatNames = [...]string{"heat1", "heat2", "heat3", "heat4", "heat5", "heat6", "heat7", "heat8", "heat9"}

// heatColors lists the default colours, which rise evenly in brightness, also for users with
// impaired colour vision (viridis).
var heatColors = [...]tui.Color{tui.RGB(0x44, 0x01, 0x54), tui.RGB(0x47, 0x2d, 0x7b), tui.RGB(0x3b, 0x52, 0x8b),
	tui.RGB(0x2c, 0x72, 0x8e), tui.RGB(0x21, 0x91, 0x8c), tui.RGB(0x28, 0xae, 0x80), tui.RGB(0x5e, 0xc9, 0x62),
	tui.RGB(0xad, 0xdc, 0x30), tui.RGB(0xfd, 0xe7, 0x25)}

// levelSpans returns the cell for each colour or shade, the lowest first.
func (h *HeatMap) levelSpans(s tui.Space) (all []tui.Span) {
	th, g := s.Look(), glyphsFor(s, h.Marks)
	if th.Colors < 256 {
		for _, glyph := range g.levels[1:] {
			all = append(all, tui.Span{Text: glyph, Style: seriesStyle(th, "", 0)})
		}
		return all
	}
	for i, name := range heatNames {
		st, ok := th.Styles[name]
		if !ok {
			low, high := tui.Style{Fg: heatColors[i]}, tui.Style{Fg: heatColors[len(heatColors)-1-i]}
			st = tui.Adaptive{Dark: low, Light: high}.For(th)
		}
		all = append(all, tui.Span{Text: g.shades[0], Style: st})
	}
	return all
}

// View returns the chart, or the numbers as text if the Space has no height.
func (h *HeatMap) View(s tui.Space) tui.View {
	rows := chartRows(s, h.Height)
	switch {
	case rows == 0:
		return tui.View{Lines: h.textView(s)}
	case s.Width < 1:
		return tui.View{}
	}
	h.fit(s, rows)
	sc := scaleOf(h.Min, h.Max, false, h.allValues)
	lines := make([]tui.Line, 0, rows)
	if h.frame.hasHead {
		lines = append(lines, headRow(s, h.Title, h.legend(s, sc)))
	}
	var w rowWriter
	for row := range h.frame.rows {
		at := h.valueRow(row)
		if h.frame.sideCols > 0 {
			w.addPadded(s, h.rowLabel(row), h.frame.sideCols-1, false, s.Look().Dim)
			w.add(" ", tui.Style{})
		}
		for x := 0; x < h.frame.cols && at < len(h.Values); x++ {
			w.add(h.cell(s, sc, x, row))
		}
		lines = append(lines, w.line())
	}
	if h.frame.hasLabels {
		lines = append(lines, h.frame.labelRow(s, h.columnLabels(s)))
	}
	return tui.View{Lines: lines, Mouse: h.Mouse && h.OnChoose != nil}
}

// fit computes the layout for a chart of the given number of rows.
func (h *HeatMap) fit(s tui.Space, rows int) {
	h.columnCount = 0
	for _, row := range h.Values {
		h.columnCount = max(h.columnCount, len(row))
	}
	h.ChosenRow = max(min(h.ChosenRow, len(h.Values)-1), 0)
	h.ChosenColumn = max(min(h.ChosenColumn, h.columnCount-1), 0)
	h.levels = h.levelSpans(s)
	h.frame = newFrame(s.Width, rows, true, len(h.Columns) > 0)
	if h.frame.hasGround {
		h.frame.hasGround, h.frame.rows = false, h.frame.rows+1
	}
	if extra := h.frame.rows - len(h.Values); extra > 0 {
		h.frame.rows = max(len(h.Values), 1)
	}
	if w := widest(s, h.Rows, s.Width/3); w > 0 {
		h.frame.addSide(w)
	}
	h.cellCols = 0
	if h.columnCount > 0 {
		h.cellCols = min(h.frame.cols/h.columnCount, 8)
	}
	if h.cellCols > 0 {
		h.frame.cols = h.cellCols * h.columnCount
	}
}

// rowLabel returns the label for a screen row.
func (h *HeatMap) rowLabel(row int) string {
	if at := h.valueRow(row); at < len(h.Rows) {
		return h.Rows[at]
	}
	return ""
}

// valueRow returns the index of the first row of values that a screen row shows.
func (h *HeatMap) valueRow(row int) int { return row * max(len(h.Values), 1) / max(h.frame.rows, 1) }

// valueColumn returns the index of the first column of values that a screen column shows.
func (h *HeatMap) valueColumn(x int) int {
	if h.cellCols > 0 {
		return x / h.cellCols
	}
	return x * h.columnCount / max(h.frame.cols, 1)
}

// cell returns the screen cell at column x and the given row, both counted among the values.
func (h *HeatMap) cell(s tui.Space, sc scale, x, row int) (string, tui.Style) {
	highest := math.NaN()
	top, left := h.valueRow(row), h.valueColumn(x)
	bottom, right := max(h.valueRow(row+1), top+1), max(h.valueColumn(x+1), left+1)
	for r := top; r < min(bottom, len(h.Values)); r++ {
		for c := left; c < min(right, len(h.Values[r])); c++ {
			if v := h.Values[r][c]; !(v <= highest) && !math.IsNaN(v) {
				highest = v
			}
		}
	}
	glyph, st := " ", tui.Style{}
	if f := sc.fraction(highest); !math.IsNaN(f) {
		level := h.levels[min(int(f*float64(len(h.levels))), len(h.levels)-1)]
		glyph, st = level.Text, level.Style
	}
	if h.OnChoose != nil && h.ChosenRow >= top && h.ChosenRow < bottom && h.ChosenColumn >= left &&
		h.ChosenColumn < right {
		return "+", st.With(tui.Inverse)
	}
	return glyph, st
}

// legend returns the colours between the ends of the range, and the highlighted value.
func (h *HeatMap) legend(s tui.Space, sc scale) []tui.Span {
	format := func(v float64) string { return shortNumber(v, 0) }
	if h.Format != nil {
		format = h.Format
	}
	spans := append([]tui.Span{{Text: "  "}, {Text: format(sc.min) + " "}}, h.levels...)
	spans = append(spans, tui.Span{Text: " " + format(sc.max)})
	if h.OnChoose == nil || len(h.Values) == 0 || h.ChosenColumn >= len(h.Values[h.ChosenRow]) {
		return spans
	}
	text := format(h.Values[h.ChosenRow][h.ChosenColumn])
	for _, name := range []string{h.columnName(h.ChosenColumn), h.rowName(h.ChosenRow)} {
		if name != "" {
			text = name + " " + text
		}
	}
	return append(spans, tui.Span{Text: "  " + text, Style: s.Look().Strong})
}

func (h *HeatMap) rowName(row int) string {
	if row < len(h.Rows) {
		return h.Rows[row]
	}
	return ""
}

func (h *HeatMap) columnName(column int) string {
	if column < len(h.Columns) {
		return h.Columns[column]
	}
	return ""
}

// columnLabels returns the labels below the columns, as many as fit.
func (h *HeatMap) columnLabels(s tui.Space) (all []label) {
	end := 0
	for i, text := range h.Columns[:min(len(h.Columns), h.columnCount)] {
		at := i * h.cellCols
		if h.cellCols == 0 {
			at = i * h.frame.cols / h.columnCount
		}
		cols := shownColumns(s, text, h.frame.cols)
		if at < end || at+cols > h.frame.cols && i > 0 {
			continue
		}
		end = at + cols + 1
		all = append(all, label{text: text, col: at, cols: cols, style: s.Look().Dim})
	}
	return all
}

// textView returns the numbers as text, row by row.
func (h *HeatMap) textView(s tui.Space) []tui.Line {
	format := orPlainNumber(h.Format)
	var rows []string
	if len(h.Columns) > 0 {
		rows = append(rows, strings.Join(h.Columns, ", "))
	}
	for i, row := range h.Values {
		texts := make([]string, len(row))
		for k, v := range row {
			texts[k] = format(v)
		}
		rows = append(rows, withLabel(h.rowName(i), strings.Join(texts, ", ")))
	}
	if len(h.Values) == 0 {
		rows = append(rows, "no values")
	}
	return textRows(s, h.Title, rows)
}

// At returns the indexes of the value at a column and row of the last View. If several values share
// a cell it returns the first one. ok is false if there is none.
func (h *HeatMap) At(col, row int) (valueRow, valueColumn int, ok bool) {
	x, y, ok := h.frame.inside(col, row)
	if !ok {
		return 0, 0, false
	}
	valueRow, valueColumn = h.valueRow(y), h.valueColumn(x)
	return valueRow, valueColumn, valueRow < len(h.Values) && valueColumn < len(h.Values[valueRow])
}

// HandleEvent moves the highlight and chooses a value if OnChoose is set.
func (h *HeatMap) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if h.OnChoose == nil || len(h.Values) == 0 {
		return false
	}
	choose := func(int) { h.OnChoose(h.ChosenRow, h.ChosenColumn) }
	switch ev := ev.(type) {
	case tui.Mouse:
		row, column, ok := h.At(ev.Col, ev.Row)
		if ok = ok && h.Mouse && ev.Press && ev.Button == 0; ok {
			h.ChosenRow, h.ChosenColumn = row, column
			choose(0)
		}
		return ok
	case tui.Key:
		if ev.Code == terminal.KeyUp || ev.Code == terminal.KeyDown {
			return moveMark(ev, &h.ChosenRow, len(h.Values), terminal.KeyUp, terminal.KeyDown, choose)
		}
		return moveMark(ev, &h.ChosenColumn, h.columnCount, terminal.KeyLeft, terminal.KeyRight, choose)
	}
	return false
}

// Focusable reports whether the chart takes keys, that is, whether OnChoose is set.
func (h *HeatMap) Focusable() bool { return h.OnChoose != nil }

// EnterFocus reports whether the chart accepts the focus, that is, whether OnChoose is set.
func (h *HeatMap) EnterFocus(int) bool { return h.OnChoose != nil }

// MoveFocus returns false: the chart contains no components that could have the focus.
func (h *HeatMap) MoveFocus(int) bool { return false }
