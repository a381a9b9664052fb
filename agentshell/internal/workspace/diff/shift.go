package diff

import "slices"

// Shift tells where lines of a text are in a later one.
type Shift struct {
	runs  []run
	again []run // of both texts from their end
	lines int   // of the old text
	more  int   // lines that the new text has more
}

// run is a stretch of unchanged lines that cannot be mistaken for another one: lines from to to of
// the old text, counted from 0, to excluded, by lines further down in the new one. The lines before
// the first and behind the last line of a text count as lines of it, that do not change.
type run struct{ from, to, by int }

// MakeShift compares two texts. Changes that could be told in another place as well (one of three
// equal lines was removed) make all these places changed ones, and a stretch that is in one of the
// texts twice is none. Where lines have changed places, either of them may be said to have stayed:
// both texts are compared from their end, too, and what counts is what stays both times.
func MakeShift(before, after []byte) Shift {
	a, b := split(before), split(after)
	s := makeShift(a, b)
	slices.Reverse(a)
	slices.Reverse(b)
	s.again = makeShift(a, b).runs
	s.more = len(b) - len(a)
	return s
}

// makeShift returns the half of MakeShift that reads the lines from their beginning.
func makeShift(a, b []string) Shift {
	s := Shift{lines: len(a)}
	blocks, coarse := match(a, b)
	if coarse {
		return s
	}
	from, by := -1, 0 // the line before the first one
	add := func(to, by int) {
		if from < to && unique(a, max(from, 0), min(to, len(a)), from < 0 || to > len(a)) &&
			unique(b, max(from, 0)+by, min(to, len(a))+by, from < 0 || to > len(a)) {
			s.runs = append(s.runs, run{from, to, by})
		}
	}
	for _, g := range gaps(blocks, len(a), len(b)) {
		first, last := slide(a, b, g)
		add(first, by)
		from, by = max(from, last), g.bEnd-g.aEnd
	}
	add(len(a)+1, by)
	return s
}

// slide returns how far a change reaches that removes lines only, or adds lines only, wherever it
// could be told: lines first to last of the old text, last excluded.
func slide(a, b []string, g change) (first, last int) {
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

// unique reports whether lines from to to are nowhere else in a text. end: they are at one of its
// ends, which is a place that there is once.
func unique(text []string, from, to int, end bool) bool {
	if end {
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

// Of is by how many lines the lines from to to (from 1, both included) are further down in the new
// text. !ok: they were changed, or a line beside them was, or they cannot be told from others. With
// to = from-1 it is about the place before line from.
func (s Shift) Of(from, to int) (by int, ok bool) {
	by, ok = within(s.runs, from, to)
	if !ok {
		return 0, false
	}
	// Line n of the old text is line lines+1-n from its end.
	back, ok := within(s.again, s.lines+1-to, s.lines+1-from)
	if !ok || by != s.more-back {
		return 0, false
	}
	return by, true
}

// within returns how far the stretch has moved that holds the lines from to to and those beside
// them.
func within(runs []run, from, to int) (by int, ok bool) {
	for _, r := range runs {
		if r.from <= from-2 && to+1 <= r.to {
			return r.by, true
		}
	}
	return 0, false
}
