package diff

// Overlapping returns how many hunks of other change lines that d changes, or adjacent ones. Both
// are differences of the same old text.
func (d Diff) Overlapping(other Diff) (n int) {
	mine := d.changedLines()
	for _, h := range other.Hunks {
		if overlap(mine, (Diff{Hunks: []Hunk{h}}).changedLines()) {
			n++
		}
	}
	return n
}

// lineRange is lines of the old text: the index of the first one, and that after the last one. It
// is empty where lines are only inserted.
type lineRange struct{ first, after int }

// changedLines returns the lines of the old text that d changes, without the context of its hunks.
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

// overlap reports whether two of the ranges have a line in common or are adjacent.
func overlap(a, b []lineRange) bool {
	for _, x := range a {
		for _, y := range b {
			if x.first <= y.after && y.first <= x.after {
				return true
			}
		}
	}
	return false
}
