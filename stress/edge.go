package stress

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// atEdge takes away the marks for which there is no room: those of a cluster that ends in the last
// of cols columns, where the terminal would wrap them.
func (r *row) atEdge(cols int, m width.Model) {
	if i := r.last(); cols > 0 && len(r.cells) == cols && m.AtEdge(r.cells[i].text) != r.cells[i].text {
		r.edge = r.cells[i].text
		r.put(i, m.AtEdge(r.edge), m)
	}
}

// whole is the cells with the marks that atEdge has taken away.
func (r *row) whole(m width.Model) *row {
	out := *r
	out.cells = slices.Clone(r.cells)
	if r.edge != "" {
		out.put(r.last(), r.edge, m)
	}
	return &out
}

// put makes text the cluster that begins in column i.
func (r *row) put(i int, text string, m width.Model) {
	for r.cells[i].text, r.cells[i].doubtful = text, m.Doubtful(text); i+1 < len(r.cells); i++ {
		r.cells[i+1].doubtful = r.cells[i].doubtful
	}
	r.doubtful = r.holds()
}

// last is the column of the last cluster, 0 if there is none.
func (r *row) last() int {
	i := max(0, len(r.cells)-1)
	for i > 0 && r.cells[i].text == "" {
		i--
	}
	return i
}
