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
	m := conflictWriter{base: splitLines(base)}
	mineHunks, theirHunks := Make(base, mine, 0).Hunks, Make(base, theirs, 0).Hunks
	for len(mineHunks) > 0 || len(theirHunks) > 0 {
		mineRegion, theirRegion := takeRegion(&mineHunks, &theirHunks)
		first, after := changedExtent(mineRegion, theirRegion)
		m.copyTo(first)
		ours, others := m.sideText(mineRegion, first, after), m.sideText(theirRegion, first, after)
		switch {
		case len(theirRegion) == 0, ours == others:
			m.write(ours)
		case len(mineRegion) == 0:
			m.write(others)
		default:
			begin := m.lineCount + 1
			m.write("<<<<<<< " + mineName + "\n" + withNewline(ours) + "||||||| before\n" +
				withNewline(strings.Join(m.base[first:after], "")) + "=======\n" + withNewline(others) +
				">>>>>>> " + theirsName + "\n")
			conflicts = append(conflicts, Conflict{begin, m.lineCount})
		}
		m.nextLine = after
	}
	m.copyTo(len(m.base))
	return []byte(m.out.String()), conflicts
}

// takeRegion removes the first hunk from mine or theirs, with all hunks of both sides that overlap
// it or are adjacent, and returns them.
func takeRegion(mine, theirs *[]Hunk) (mineRegion, theirRegion []Hunk) {
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

// changedExtent returns the range of lines in the old text that the hunks change: the first line,
// and the line after the last one.
func changedExtent(a, b []Hunk) (first, after int) {
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

// conflictWriter writes a merged text with conflict markers.
type conflictWriter struct {
	base      []string
	nextLine  int // nextLine is the first line of base that is not written yet.
	out       strings.Builder
	lineCount int // lineCount is the number of lines written.
}

func (m *conflictWriter) write(text string) {
	m.out.WriteString(text)
	m.lineCount += strings.Count(text, "\n")
}

// copyTo writes the lines of base before line.
func (m *conflictWriter) copyTo(line int) {
	for ; m.nextLine < line; m.nextLine++ {
		m.write(m.base[m.nextLine])
	}
}

// sideText returns the version of one side for the lines base[first:after].
func (m *conflictWriter) sideText(hunks []Hunk, first, after int) string {
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

// withNewline returns text with a newline at its end, unless it is empty.
func withNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
