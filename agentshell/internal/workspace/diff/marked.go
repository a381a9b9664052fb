package diff

import "strings"

// Conflict is a place in a merged text where both sides have changed the same lines.
type Conflict struct {
	// First and Last are line numbers in the merged text, from 1. They include the conflict
	// markers.
	First, Last int
}

// MergeMarked applies the changes that mine and theirs made to base, like [Merge]. Where both
// changed the same or adjacent lines, it writes both versions between conflict markers with the
// names of the sides, as git does.
func MergeMarked(base, mine, theirs []byte, mineName, theirsName string) (text []byte, conflicts []Conflict) {
	m := marker{base: split(base)}
	mineHunks, theirHunks := Make(base, mine, 0).Hunks, Make(base, theirs, 0).Hunks
	for len(mineHunks) > 0 || len(theirHunks) > 0 {
		mineRegion, theirRegion := region(&mineHunks, &theirHunks)
		first, after := extent(mineRegion, theirRegion)
		m.copyTo(first)
		ours, others := m.side(mineRegion, first, after), m.side(theirRegion, first, after)
		switch {
		case len(theirRegion) == 0, ours == others:
			m.add(ours)
		case len(mineRegion) == 0:
			m.add(others)
		default:
			begin := m.lines + 1
			m.add("<<<<<<< " + mineName + "\n" + closed(ours) + "||||||| before\n" +
				closed(strings.Join(m.base[first:after], "")) + "=======\n" + closed(others) +
				">>>>>>> " + theirsName + "\n")
			conflicts = append(conflicts, Conflict{begin, m.lines})
		}
		m.next = after
	}
	m.copyTo(len(m.base))
	return []byte(m.out.String()), conflicts
}

// region removes the first hunk from mine or theirs, with all hunks of both sides that overlap it
// or are adjacent, and returns them.
func region(mine, theirs *[]Hunk) (mineRegion, theirRegion []Hunk) {
	take := func(from *[]Hunk, to *[]Hunk) (after int) {
		h := (*from)[0]
		*from, *to = (*from)[1:], append(*to, h)
		return h.lineAfter()
	}
	var after int
	if len(*theirs) == 0 || len(*mine) > 0 && (*mine)[0].firstLine() <= (*theirs)[0].firstLine() {
		after = take(mine, &mineRegion)
	} else {
		after = take(theirs, &theirRegion)
	}
	for {
		switch {
		case len(*mine) > 0 && (*mine)[0].firstLine() <= after && len(theirRegion) > 0:
			after = max(after, take(mine, &mineRegion))
		case len(*theirs) > 0 && (*theirs)[0].firstLine() <= after && len(mineRegion) > 0:
			after = max(after, take(theirs, &theirRegion))
		default:
			return mineRegion, theirRegion
		}
	}
}

// extent returns the range of lines in the old text that the hunks change: the first line, and the
// line after the last one.
func extent(a, b []Hunk) (first, after int) {
	first = -1
	for _, list := range [][]Hunk{a, b} {
		for _, h := range list {
			if first < 0 || h.firstLine() < first {
				first = h.firstLine()
			}
			after = max(after, h.lineAfter())
		}
	}
	return first, after
}

// marker writes a merged text with conflict markers.
type marker struct {
	base  []string
	next  int // next is the first line of base that is not written yet.
	out   strings.Builder
	lines int // lines is the number of lines written.
}

func (m *marker) add(text string) {
	m.out.WriteString(text)
	m.lines += strings.Count(text, "\n")
}

// copyTo writes the lines of base before line.
func (m *marker) copyTo(line int) {
	for ; m.next < line; m.next++ {
		m.add(m.base[m.next])
	}
}

// side returns the version of one side for the lines base[first:after].
func (m *marker) side(hunks []Hunk, first, after int) string {
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(strings.Join(m.base[first:h.firstLine()], ""))
		for _, l := range h.Lines {
			if l.Op == Insert {
				b.WriteString(l.Text + l.End)
			}
		}
		first = h.lineAfter()
	}
	b.WriteString(strings.Join(m.base[first:after], ""))
	return b.String()
}

// closed returns text with a newline at its end, unless it is empty.
func closed(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
