package diff

import "slices"

// Merge applies the changes that mine and theirs made to base. If they change the same or adjacent
// lines, clean is false and text is nil. A change that both made is applied once.
func Merge(base, mine, theirs []byte) (text []byte, clean bool) {
	mineHunks, theirHunks := Make(base, mine, 0).Hunks, Make(base, theirs, 0).Hunks
	var merged Diff
	for len(mineHunks) > 0 || len(theirHunks) > 0 {
		switch {
		case len(theirHunks) == 0 || len(mineHunks) > 0 && mineHunks[0].lineAfter() < theirHunks[0].firstLine():
			merged.Hunks, mineHunks = append(merged.Hunks, mineHunks[0]), mineHunks[1:]
		case len(mineHunks) == 0 || theirHunks[0].lineAfter() < mineHunks[0].firstLine():
			merged.Hunks, theirHunks = append(merged.Hunks, theirHunks[0]), theirHunks[1:]
		case mineHunks[0].isSameChange(theirHunks[0]):
			merged.Hunks, mineHunks, theirHunks = append(merged.Hunks, mineHunks[0]), mineHunks[1:], theirHunks[1:]
		default:
			return nil, false
		}
	}
	return merged.Apply(base, func(int) bool { return true }), true
}

// firstLine returns the index of the hunk's first line in the old text, from 0.
func (h Hunk) firstLine() int {
	if h.OldLines == 0 {
		return h.OldStart
	}
	return h.OldStart - 1
}

func (h Hunk) lineAfter() int { return h.firstLine() + h.OldLines }

// isSameChange reports whether two hunks without context replace the same lines by the same text.
func (h Hunk) isSameChange(g Hunk) bool {
	return h.firstLine() == g.firstLine() && h.OldLines == g.OldLines &&
		slices.EqualFunc(h.Lines, g.Lines, func(x, y Line) bool {
			return x.Op == y.Op && x.Text == y.Text && x.End == y.End
		})
}
