package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// canvas is a grid of terminal cells with dots in them. A cell has the colour of the series that
// was drawn in it last.
type canvas struct {
	marks           Marks
	cols, rows      int
	dotsAcross      int     // number of dots in the width of a cell
	dotsDown        int     // number of dots in the height of a cell
	dots            []uint8 // for each cell, row by row: the dots that are set, one bit each
	styleIndexPlus1 []uint8 // for each cell: the index of its style, plus 1; 0: the cell is blank
}

// reset clears the canvas and sets its marks and its size in cells.
func (c *canvas) reset(marks Marks, cols, rows int) {
	c.marks, c.cols, c.rows = marks, max(cols, 0), max(rows, 0)
	c.dotsAcross, c.dotsDown = marks.dots()
	n := c.cols * c.rows
	if cap(c.dots) < n {
		c.dots, c.styleIndexPlus1 = make([]uint8, n), make([]uint8, n)
	}
	c.dots, c.styleIndexPlus1 = c.dots[:n], c.styleIndexPlus1[:n]
	clear(c.dots)
	clear(c.styleIndexPlus1)
}

// width returns the number of dots in a row.
func (c *canvas) width() int { return c.cols * c.dotsAcross }

// height returns the number of dots in a column.
func (c *canvas) height() int { return c.rows * c.dotsDown }

// set sets the dot at x and y, counted from the upper left, with the style of index ink. Positions
// outside the canvas are ignored.
func (c *canvas) set(x, y int, ink uint8) {
	if x < 0 || y < 0 || x >= c.width() || y >= c.height() {
		return
	}
	i := y/c.dotsDown*c.cols + x/c.dotsAcross
	c.dots[i] |= 1 << (y%c.dotsDown*c.dotsAcross + x%c.dotsAcross)
	c.styleIndexPlus1[i] = ink + 1
}

// dashes holds the dash patterns of the first, second, ... series. A pattern says which of eight
// consecutive dots of a line are set.
var dashes = [...]uint8{0xff, 0x33, 0x11, 0x77}

// line draws a line between two dots. dash is the index of its dash pattern.
func (c *canvas) line(x0, y0, x1, y1 int, ink uint8, dash int) {
	dx, dy := x1-x0, y1-y0
	n := max(dx, -dx, dy, -dy)
	for i := range n + 1 {
		x, y := x0, y0
		if n > 0 {
			x, y = x0+(2*i*dx+sign(dx)*n)/(2*n), y0+(2*i*dy+sign(dy)*n)/(2*n)
		}
		along := x
		if dx == 0 {
			along = y
		}
		if dashes[dash%len(dashes)]&(1<<(along&7)) != 0 {
			c.set(x, y, ink)
		}
	}
}

// sign returns -1, 0 or 1, the sign of n.
func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// writeRow writes the cells of a row to w. rule is the column of a vertical line that is drawn in
// blank cells, or -1.
func (c *canvas) writeRow(w *rowWriter, row int, styles []tui.Style, rule int, ruleSpan tui.Span) {
	for i := row * c.cols; i < (row+1)*c.cols; i++ {
		switch ink := c.styleIndexPlus1[i]; {
		case i-row*c.cols == rule && ink == 0:
			w.add(ruleSpan.Text, ruleSpan.Style)
		case ink == 0:
			w.addBlank()
		default:
			w.text = c.marks.appendGlyph(w.text, c.dots[i])
			w.applyStyle(styles[int(ink-1)%len(styles)])
		}
	}
}
