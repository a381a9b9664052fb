package diff

import "slices"

// Shift tells where the lines of a text are in a later version of it.
type Shift struct {
	runs         []unchangedRun
	reversedRuns []unchangedRun // reversedRuns are the runs of both texts when they are compared from their ends.
	oldLineCount int            // oldLineCount is the number of lines of the old text.
	lineGrowth   int            // lineGrowth is the number of lines of the new text minus that of the old one.
}

// unchangedRun is a range of unchanged lines of the old text, from (included) to to (excluded),
// counted from 0, that cannot be confused with another range. In the new text the lines are shift
// lines further down. The imaginary lines before the first and after the last line of a text count
// as unchanged.
type unchangedRun struct{ from, to, shift int }

// MakeShift compares two texts. A change that could be shown at several places, such as the removal
// of one of three equal lines, makes all these places changed. A range that occurs twice in a text
// is no run. For lines that have moved it is not clear which have stayed, so the texts are also
// compared from their ends, and only lines that stay in both comparisons count.
func MakeShift(before, after []byte) Shift {
	a, b := splitLines(before), splitLines(after)
	s := makeShift(a, b)
	slices.Reverse(a)
	slices.Reverse(b)
	s.reversedRuns = makeShift(a, b).runs
	s.lineGrowth = len(b) - len(a)
	return s
}

// makeShift returns the runs of two texts that are compared from their beginning.
func makeShift(a, b []string) Shift {
	s := Shift{oldLineCount: len(a)}
	blocks, coarse := matchLines(a, b)
	if coarse {
		return s
	}
	from, shift := -1, 0 // the imaginary line before the first one
	add := func(to, shift int) {
		if from < to && isUnique(a, max(from, 0), min(to, len(a)), from < 0 || to > len(a)) &&
			isUnique(b, max(from, 0)+shift, min(to, len(a))+shift, from < 0 || to > len(a)) {
			s.runs = append(s.runs, unchangedRun{from, to, shift})
		}
	}
	for _, g := range changesBetween(blocks, len(a), len(b)) {
		first, last := slideRange(a, b, g)
		add(first, shift)
		from, shift = max(from, last), g.bEnd-g.aEnd
	}
	add(len(a)+1, shift)
	return s
}

// slideRange returns the range of old lines at which a change g, that only removes or only adds
// lines, could be shown: from first to last, last excluded.
func slideRange(a, b []string, g lineChange) (first, last int) {
	first, last = g.a, g.aEnd
	switch {
	case g.b == g.bEnd: // lines are removed
		for first > 0 && a[first-1] == a[first+g.aEnd-g.a-1] {
			first--
		}
		for last < len(a) && a[last] == a[last-(g.aEnd-g.a)] {
			last++
		}
	case g.a == g.aEnd: // lines are added
		from, to := g.b, g.bEnd
		for ; first > 0 && from > 0 && b[from-1] == b[to-1]; first-- {
			from, to = from-1, to-1
		}
		for from, to = g.b, g.bEnd; last < len(a) && to < len(b) && b[from] == b[to]; last++ {
			from, to = from+1, to+1
		}
	}
	return first, last
}

// isUnique reports whether the lines text[from:to] occur nowhere else in the text. atEnd says that
// they touch an end of the text, which makes them unique.
func isUnique(text []string, from, to int, atEnd bool) bool {
	if atEnd {
		return true
	}
	part := text[from:to]
	for i := range text[:len(text)-len(part)+1] {
		if i != from && text[i] == part[0] && slices.Equal(text[i:i+len(part)], part) {
			return false
		}
	}
	return true
}

// Offset returns by how many lines a range of lines has moved down in the new text. Both line
// numbers count from 1 and are included; to = from-1 means the position before line from. ok is
// false if a line of the range or next to it has changed, or if the lines cannot be told from
// others.
func (s Shift) Offset(from, to int) (by int, ok bool) {
	by, ok = offsetIn(s.runs, from, to)
	if !ok {
		return 0, false
	}
	// Line n of the old text is line lines+1-n counted from its end.
	back, ok := offsetIn(s.reversedRuns, s.oldLineCount+1-to, s.oldLineCount+1-from)
	if !ok || by != s.lineGrowth-back {
		return 0, false
	}
	return by, true
}

// offsetIn returns the shift of the run that contains the lines from from to to, and the lines next
// to them. ok is false if there is none.
func offsetIn(runs []unchangedRun, from, to int) (by int, ok bool) {
	for _, r := range runs {
		if r.from <= from-2 && to+1 <= r.to {
			return r.shift, true
		}
	}
	return 0, false
}
