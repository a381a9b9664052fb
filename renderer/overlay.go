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
		right := append([]cell(nil), w.cells[min(end, len(w.cells)):]...)
		left := w.cells[:o.Col]
		for col := len(left) - 1; col >= 0 && cutsCluster(left, col); col-- {
			left[col] = blank
		}
		// A cell of a picture continues the one before it, which is covered.
		for col := 0; col < len(right) && (right[col].width == 0 || right[col].text == pictureCell); col++ {
			right[col] = blank
		}
		w.cells = append(append(left, overlayRow.cells...), right...)
		for n := len(w.cells); n > 0 && w.cells[n-1] == blank; n-- {
			w.cells = w.cells[:n-1]
		}
		w.wrapped = false
		w.doubtfulCount, w.reach = 0, 0 // what is covered reaches nowhere
		w.countDoubtful(0, len(w.cells))
	}
}

// cutsCluster reports whether the cluster in column col of cells reaches beyond the end of cells.
func cutsCluster(cells []cell, col int) bool {
	start := col
	for start > 0 && cells[start].width == 0 {
		start--
	}
	return start+int(cells[start].width) > len(cells)
}
