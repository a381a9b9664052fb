package diff

// Overlapping returns the number of hunks in other that change the same or adjacent lines as d.
// Both are diffs of the same old text.
func (d Diff) Overlapping(other Diff) (n int) {
	mine := d.changedLines()
	for _, h := range other.Hunks {
		if hasOverlap(mine, (Diff{Hunks: []Hunk{h}}).changedLines()) {
			n++
		}
	}
	return n
}

// lineRange is a range of lines in the old text: the index of the first line, and of the line after
// the last one. It is empty for an insertion.
type lineRange struct{ first, after int }

// changedLines returns the ranges of lines in the old text that d changes, without context.
func (d Diff) changedLines() (all []lineRange) {
	for _, h := range d.Hunks {
		at, open := h.firstLine(), false
		for _, l := range h.Lines {
			switch {
			case l.Op == Equal:
				at, open = at+1, false
				continue
			case !open:
				all, open = append(all, lineRange{at, at}), true
			}
			if l.Op == Delete {
				at++
				all[len(all)-1].after = at
			}
		}
	}
	return all
}

// hasOverlap reports whether a range in a and one in b overlap or are adjacent.
func hasOverlap(a, b []lineRange) bool {
	for _, x := range a {
		for _, y := range b {
			if x.first <= y.after && y.first <= x.after {
				return true
			}
		}
	}
	return false
}
