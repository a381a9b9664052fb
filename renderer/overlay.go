package renderer

// compose draws o over the last rows of want.
func (r *Renderer) compose(o *Overlay, want []row) {
	var over row
	for i := range o.Lines {
		at := len(want) - o.Up - len(o.Lines) + i
		if at < 0 || at >= len(want) {
			continue
		}
		width := max(r.l.cols-o.Col, 0)
		if o.Width > 0 {
			width = min(width, o.Width)
		}
		over.set(o.Lines[i], width, r.c.Model)
		over.alter() // by blanks
		for len(over.cells) < width {
			over.cells = append(over.cells, blank)
		}
		w := &want[at]
		w.alter()
		for len(w.cells) < o.Col {
			w.cells = append(w.cells, blank)
		}
		end := o.Col + len(over.cells)
		tail := append([]cell(nil), w.cells[min(end, len(w.cells)):]...)
		head := w.cells[:o.Col]
		for j := len(head) - 1; j >= 0 && cutsCluster(head, j); j-- {
			head[j] = blank
		}
		// A cell of a picture goes on where the one before it ends, and that one is covered.
		for j := 0; j < len(tail) && (tail[j].w == 0 || tail[j].text == pictureCell); j++ {
			tail[j] = blank
		}
		w.cells = append(append(head, over.cells...), tail...)
		for n := len(w.cells); n > 0 && w.cells[n-1] == blank; n-- {
			w.cells = w.cells[:n-1]
		}
		w.wrapped = false
		w.doubt, w.reach = 0, 0 // what is covered reaches nowhere
		w.count(0, len(w.cells))
	}
}

// cutsCluster reports whether the cluster that covers column j of head reaches beyond its end.
func cutsCluster(head []cell, j int) bool {
	i := j
	for i > 0 && head[i].w == 0 {
		i--
	}
	return i+int(head[i].w) > len(head)
}
