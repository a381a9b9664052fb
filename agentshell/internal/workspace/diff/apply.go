package diff

// Apply returns before with those hunks applied for which keep, called with the index of the hunk,
// returns true.
func (d Diff) Apply(before []byte, keep func(hunk int) bool) []byte {
	var (
		lines    = splitLines(before)
		out      = make([]byte, 0, len(before))
		nextLine int // the first line of before that is not in out
	)
	for i, h := range d.Hunks {
		for ; nextLine < h.firstLine(); nextLine++ {
			out = append(out, lines[nextLine]...)
		}
		wanted := Insert
		if !keep(i) {
			wanted = Delete
		}
		for _, l := range h.Lines {
			if l.Op == Equal || l.Op == wanted {
				out = append(append(out, l.Text...), l.End...)
			}
			if l.Op != Insert {
				nextLine++
			}
		}
	}
	for ; nextLine < len(lines); nextLine++ {
		out = append(out, lines[nextLine]...)
	}
	return out
}
