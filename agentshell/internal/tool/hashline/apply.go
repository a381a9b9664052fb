package hashline

import (
	"cmp"
	"slices"
	"strings"
)

// Blocks finds code blocks, such as functions: it returns the last line of the block that begins on
// a line of text. Lines count from 1. ok is false if no block begins there.
type Blocks func(text string, line int) (last int, ok bool)

// textLine is a line of a text without its line end. end is "\n", "\r\n", or "" for the last line.
// added says that a hunk has inserted it.
type textLine struct {
	text, end string
	added     bool
}

func splitLines(text string) (lines []textLine) {
	for row := range strings.Lines(text) {
		l := textLine{text: row}
		for _, end := range []string{"\r\n", "\n"} {
			if body, ok := strings.CutSuffix(row, end); ok {
				l = textLine{text: body, end: end}
				break
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// Apply returns text with the changes of hunks. blocks may be nil. resolved holds the hunks with
// the line numbers of their blocks filled in. Unchanged lines keep their line ends, and new lines
// get those of their neighbours. A new last line has no line end if the old one had none. After an
// error nothing must be written.
func Apply(text string, hunks []Hunk, blocks Blocks) (after string, resolved []Hunk, err error) {
	lines := splitLines(text)
	resolved = slices.Clone(hunks)
	for i := range resolved {
		h := &resolved[i]
		if h.Verb == Head || h.Verb == Tail {
			continue
		}
		for _, n := range []int{h.From, h.To} {
			if n > len(lines) {
				return "", nil, noLineError(n, len(lines))
			}
		}
		if !h.Block {
			continue
		}
		last, ok := 0, false
		if blocks != nil {
			last, ok = blocks(text, h.From)
		}
		if !ok || last < h.From || last > len(lines) {
			return "", nil, noBlockError(*h, lines)
		}
		h.To = last
	}
	if err := checkOverlap(resolved, len(lines)); err != nil {
		return "", nil, err
	}
	return joinLines(lines, applyHunks(lines, resolved)), resolved, nil
}

// insertionPoint returns the number of lines before an insertion. lines is the number of lines of
// the text.
func (h Hunk) insertionPoint(lines int) int {
	switch h.Verb {
	case Before:
		return h.From - 1
	case After:
		return h.To // the last line of a block
	case Tail:
		return lines
	}
	return 0
}

// checkOverlap returns an error if two hunks change the same lines. Insertions directly before or
// after a range do not overlap it.
func checkOverlap(hunks []Hunk, lines int) error {
	for i, h := range hunks {
		for _, other := range hunks[:i] {
			a, b := h, other
			if !a.takesLines() {
				a, b = b, a
			}
			switch {
			case !a.takesLines():
			case b.takesLines() && a.From <= b.To && b.From <= a.To:
				return overlapError(h, max(a.From, b.From), other)
			case !b.takesLines() && a.From <= b.insertionPoint(lines) && b.insertionPoint(lines) < a.To:
				return overlapError(h, max(b.From, a.From), other)
			}
		}
	}
	return nil
}

// takesLines reports whether the hunk removes or replaces lines.
func (h Hunk) takesLines() bool { return h.Verb == Replace || h.Verb == Delete }

// applyHunks returns the lines after the changes. Hunks at the same position keep their order.
func applyHunks(lines []textLine, hunks []Hunk) (after []textLine) {
	end := "\n"
	if len(lines) > 0 && lines[0].end != "" {
		end = lines[0].end
	}
	addBody := func(body []string, like int) {
		e := end
		if like >= 0 && like < len(lines) && lines[like].end != "" {
			e = lines[like].end
		}
		for _, text := range body {
			after = append(after, textLine{text, e, true})
		}
	}
	sortKey := func(h Hunk) int { // twice the lines before it; odd: it takes the line itself
		if h.takesLines() {
			return 2*(h.From-1) + 1
		}
		return 2 * h.insertionPoint(len(lines))
	}
	order := slices.Clone(hunks)
	slices.SortStableFunc(order, func(a, b Hunk) int { return cmp.Compare(sortKey(a), sortKey(b)) })
	next := 0
	for _, h := range order {
		begin := sortKey(h) / 2
		after = append(after, lines[min(next, begin):begin]...)
		next = max(next, begin)
		addBody(h.Body, begin)
		if h.takesLines() {
			next = h.To
		}
	}
	return append(after, lines[next:]...)
}

// joinLines returns lines as a text. If the last line of old had no line end, an inserted last line
// loses its own, unless that line is empty.
func joinLines(old, lines []textLine) string {
	endsOpen := len(old) > 0 && old[len(old)-1].end == "" // the last line of the old text had no end
	var b strings.Builder
	for i, l := range lines {
		b.WriteString(l.text)
		switch last := i == len(lines)-1; {
		case !last && l.end == "":
			b.WriteString(cmp.Or(lines[max(0, i-1)].end, "\n"))
		case !last || !endsOpen || !l.added || l.text == "":
			b.WriteString(l.end)
		}
	}
	return b.String()
}
