package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// canvas is a grid of cells with dots in them. The last series that sets a dot of a cell gives the
// cell its colour.
type canvas struct {
	marks      Marks
	cols, rows int
	across     int     // dots of a cell
	down       int     // dots of a cell
	dots       []uint8 // of each cell, a bit for each dot, row by row
	inks       []uint8 // of each cell: the index of its style, plus 1; 0: nothing is there
}

// reset makes the canvas blank, in a size in cells.
func (c *canvas) reset(marks Marks, cols, rows int) {
	c.marks, c.cols, c.rows = marks, max(cols, 0), max(rows, 0)
	c.across, c.down = marks.dots()
	n := c.cols * c.rows
	if cap(c.dots) < n {
		c.dots, c.inks = make([]uint8, n), make([]uint8, n)
	}
	c.dots, c.inks = c.dots[:n], c.inks[:n]
	clear(c.dots)
	clear(c.inks)
}

// width returns the dots of a row.
func (c *canvas) width() int { return c.cols * c.across }

// height returns the dots of a column.
func (c *canvas) height() int { return c.rows * c.down }

// set sets the dot at x and y, from the upper left.
func (c *canvas) set(x, y int, ink uint8) {
	if x < 0 || y < 0 || x >= c.width() || y >= c.height() {
		return
	}
	i := y/c.down*c.cols + x/c.across
	c.dots[i] |= 1 << (y%c.down*c.across + x%c.across)
	c.inks[i] = ink + 1
}

// dashes are the dots of a line that are set, of eight in a row: of the first, second, ... series.
var dashes = [...]uint8{0xff, 0x33, 0x11, 0x77}

// line sets the dots of a line. dash is the index of its dashes.
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

// sign returns -1, 0 or 1.
func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// writeRow adds the cells of a row to w. rule is a column with a line down the blank cells, -1 for
// none.
func (c *canvas) writeRow(w *rowWriter, row int, styles []tui.Style, rule int, ruleSpan tui.Span) {
	for i := row * c.cols; i < (row+1)*c.cols; i++ {
		switch ink := c.inks[i]; {
		case i-row*c.cols == rule && ink == 0:
			w.add(ruleSpan.Text, ruleSpan.Style)
		case ink == 0:
			w.addBlank()
		default:
			w.text = c.marks.appendGlyph(w.text, c.dots[i])
			w.end(styles[int(ink-1)%len(styles)])
		}
	}
}
