package diff

// Apply returns before with some hunks of d applied: those for whose index keep returns true. With
// all of them it is the text that d was made to, with none of them it is before.
func (d Diff) Apply(before []byte, keep func(hunk int) bool) []byte {
	var (
		lines = split(before)
		out   = make([]byte, 0, len(before))
		next  int // the first line of before that is not in out
	)
	for i, h := range d.Hunks {
		for ; next < h.start(); next++ {
			out = append(out, lines[next]...)
		}
		take := Insert
		if !keep(i) {
			take = Delete
		}
		for _, l := range h.Lines {
			if l.Op == Equal || l.Op == take {
				out = append(append(out, l.Text...), l.End...)
			}
			if l.Op != Insert {
				next++
			}
		}
	}
	for ; next < len(lines); next++ {
		out = append(out, lines[next]...)
	}
	return out
}
