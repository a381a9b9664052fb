package workspace

import "slices"

// maxHeld is how many directories a walk keeps open.
const maxHeld = 64

// held are the levels of a walk whose directories are open, outermost first; the root is always one
// of them. When they are too many, the one goes whose neighbours are nearest to each other for its
// distance from the innermost level: they stand close where the walk is, and ever wider apart
// above. A chain of 3,000 levels to each of which the walk returns is opened 2.5 times in all, one
// of 100,000 levels 3.8 times.
type held []int

// add notes that level i, below all others, is open, and says which one goes.
func (h *held) add(i int) (out int, ok bool) {
	*h = append(*h, i)
	if len(*h) <= maxHeld {
		return 0, false
	}
	s := *h
	best := 1
	for k := 2; k < len(s)-1; k++ {
		// gap(k)/distance(k) < gap(best)/distance(best), without a division
		if (s[k+1]-s[k-1])*(i-s[best]) < (s[best+1]-s[best-1])*(i-s[k]) {
			best = k
		}
	}
	out = s[best]
	*h = slices.Delete(s, best, best+1)
	return out, true
}

// drop notes that the innermost level, i, is closed.
func (h *held) drop(i int) {
	if n := len(*h); n > 0 && (*h)[n-1] == i {
		*h = (*h)[:n-1]
	}
}
