package renderer

// composeOverlay draws o over the last rows of want.
func (r *Renderer) composeOverlay(o *Overlay, want []row) {
	var overlayRow row
	for i := range o.Lines {
		at := len(want) - o.Up - len(o.Lines) + i
		if at < 0 || at >= len(want) {
			continue
		}
		width := max(r.ledger.cols-o.Col, 0)
		if o.Width > 0 {
			width = min(width, o.Width)
		}
		overlayRow.setLine(o.Lines[i], width, r.config.Model)
		overlayRow.detachSource() // by blanks
		for len(overlayRow.cells) < width {
			overlayRow.cells = append(overlayRow.cells, blank)
		}
		w := &want[at]
		w.detachSource()
		for len(w.cells) < o.Col {
			w.cells = append(w.cells, blank)
		}
		end := o.Col + len(overlayRow.cells)
		tail := append([]cell(nil), w.cells[min(end, len(w.cells)):]...)
		head := w.cells[:o.Col]
		for j := len(head) - 1; j >= 0 && cutsCluster(head, j); j-- {
			head[j] = blank
		}
		// A cell of a picture continues the one before it, which is covered.
		for j := 0; j < len(tail) && (tail[j].width == 0 || tail[j].text == pictureCell); j++ {
			tail[j] = blank
		}
		w.cells = append(append(head, overlayRow.cells...), tail...)
		for n := len(w.cells); n > 0 && w.cells[n-1] == blank; n-- {
			w.cells = w.cells[:n-1]
		}
		w.wrapped = false
		w.doubtfulCount, w.reach = 0, 0 // what is covered reaches nowhere
		w.countDoubtful(0, len(w.cells))
	}
}

// cutsCluster reports whether the cluster in column j of head reaches beyond the end of head.
func cutsCluster(head []cell, j int) bool {
	i := j
	for i > 0 && head[i].width == 0 {
		i--
	}
	return i+int(head[i].width) > len(head)
}
