package renderer

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// uppermost returns the overlay that is drawn over all others, or nil if o is nil.
func (o *Overlay) uppermost() *Overlay {
	for o != nil && o.Over != nil {
		o = o.Over
	}
	return o
}

// composeOverlay draws o over the last rows of want, which have at most cols columns. It uses
// scratch for the rows of o.
func composeOverlay(o *Overlay, want []row, scratch *row, cols int, m width.Model) {
	if o.Shade {
		for i := range want {
			want[i].shade()
		}
	}
	covered := max(cols-o.Col, 0)
	if o.Width > 0 {
		covered = min(covered, o.Width)
	}
	for i := range o.Lines {
		at := len(want) - o.Up - len(o.Lines) + i
		if at < 0 || at >= len(want) {
			continue
		}
		scratch.setLine(o.Lines[i], covered, m)
		scratch.detachSource() // by blanks
		for len(scratch.cells) < covered {
			scratch.cells = append(scratch.cells, blank)
		}
		want[at].cover(o.Col, scratch.cells)
	}
}

// cover replaces the cells of r from column col on by cells.
func (r *row) cover(col int, cells []cell) {
	r.detachSource()
	end := col + len(cells)
	for len(r.cells) < end {
		r.cells = append(r.cells, blank)
	}
	// A cell of a picture continues the one before it, which is covered.
	for i := end; i < len(r.cells) && (r.cells[i].width == 0 || r.cells[i].text == pictureCell); i++ {
		r.cells[i] = blank
	}
	left := r.cells[:col]
	for i := col - 1; i >= 0 && cutsCluster(left, i); i-- {
		left[i] = blank
	}
	copy(r.cells[col:], cells)
	for n := len(r.cells); n > 0 && r.cells[n-1] == blank; n-- {
		r.cells = r.cells[:n-1]
	}
	r.wrapped = false
	r.doubtfulCount, r.reach = 0, 0 // what is covered reaches nowhere
	r.countDoubtful(0, len(r.cells))
}

// shade makes the text of r faint. Cells of a picture stay as they are, since their colour is the
// picture's id.
func (r *row) shade() {
	if len(r.cells) == 0 {
		return
	}
	r.detachSource()
	for i := range r.cells {
		c := &r.cells[i]
		if *c != blank && !strings.HasPrefix(c.text, pictureCell) {
			c.style.Attr = c.style.Attr&^ansi.Bold | ansi.Faint
		}
	}
}

// cutsCluster reports whether the cluster in column col of cells needs more columns than cells has.
func cutsCluster(cells []cell, col int) bool {
	start := col
	for start > 0 && cells[start].width == 0 {
		start--
	}
	return start+int(cells[start].width) > len(cells)
}
