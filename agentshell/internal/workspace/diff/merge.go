package diff

import "slices"

// Merge makes the changes of two texts to the same base in one text. clean is false, and the text
// nil, if they change the same lines or lines that touch; the same change made by both is made
// once.
func Merge(base, mine, theirs []byte) (text []byte, clean bool) {
	ours, others := Make(base, mine, 0).Hunks, Make(base, theirs, 0).Hunks
	var all Diff
	for len(ours) > 0 || len(others) > 0 {
		switch {
		case len(others) == 0 || len(ours) > 0 && ours[0].end() < others[0].start():
			all.Hunks, ours = append(all.Hunks, ours[0]), ours[1:]
		case len(ours) == 0 || others[0].end() < ours[0].start():
			all.Hunks, others = append(all.Hunks, others[0]), others[1:]
		case ours[0].changes(others[0]):
			all.Hunks, ours, others = append(all.Hunks, ours[0]), ours[1:], others[1:]
		default:
			return nil, false
		}
	}
	return all.Apply(base, func(int) bool { return true }), true
}

// start returns the number of lines of the old text before the hunk, end those up to its end.
func (h Hunk) start() int {
	if h.OldLines == 0 {
		return h.OldStart
	}
	return h.OldStart - 1
}

func (h Hunk) end() int { return h.start() + h.OldLines }

// changes reports whether two hunks without context make the same of the same lines.
func (h Hunk) changes(g Hunk) bool {
	return h.start() == g.start() && h.OldLines == g.OldLines &&
		slices.EqualFunc(h.Lines, g.Lines, func(x, y Line) bool {
			return x.Op == y.Op && x.Text == y.Text && x.End == y.End
		})
}
