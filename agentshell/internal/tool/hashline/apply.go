package hashline

import (
	"cmp"
	"slices"
	"strings"
)

// Blocks finds the block of a language that begins on a line of a text, both counted from 1: its
// last line. !ok: there is none.
type Blocks func(text string, line int) (last int, ok bool)

// line is a line of a text and its end: "\n", "\r\n", or "" for the last one. fresh: it is of a
// body.
type line struct {
	text, end string
	fresh     bool
}

func split(text string) (lines []line) {
	for row := range strings.Lines(text) {
		l := line{text: row}
		for _, end := range []string{"\r\n", "\n"} {
			if body, ok := strings.CutSuffix(row, end); ok {
				l = line{text: body, end: end}
				break
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// Apply makes the changes of hunks in a text; blocks may be nil. resolved are the hunks as they
// were applied: those of blocks have the lines that were found. Lines that stay keep their ends,
// new ones end as those beside them do, and a new last line has no end if the old one had none.
// After an error nothing is to be written.
func Apply(text string, hunks []Hunk, blocks Blocks) (after string, resolved []Hunk, err error) {
	lines := split(text)
	resolved = slices.Clone(hunks)
	for i := range resolved {
		h := &resolved[i]
		if h.Verb == Head || h.Verb == Tail {
			continue
		}
		for _, n := range []int{h.From, h.To} {
			if n > len(lines) {
				return "", nil, noLine(n, len(lines))
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
			return "", nil, noBlock(*h, lines)
		}
		h.To = last
	}
	if err := apart(resolved, len(lines)); err != nil {
		return "", nil, err
	}
	return join(lines, edit(lines, resolved)), resolved, nil
}

// gap returns the place where the body of an insertion goes: behind so many lines.
func (h Hunk) gap(lines int) int {
	switch h.Verb {
	case Before:
		return h.From - 1
	case After:
		return h.To // of a block, the last line
	case Tail:
		return lines
	}
	return 0
}

// apart refuses hunks that are about the same lines. What is put in before the first or behind the
// last line of a range stands beside it.
func apart(hunks []Hunk, lines int) error {
	for i, h := range hunks {
		for _, other := range hunks[:i] {
			a, b := h, other
			if !a.ranged() {
				a, b = b, a
			}
			switch {
			case !a.ranged():
			case b.ranged() && a.From <= b.To && b.From <= a.To:
				return twice(h, max(a.From, b.From), other)
			case !b.ranged() && a.From <= b.gap(lines) && b.gap(lines) < a.To:
				return twice(h, max(b.From, a.From), other)
			}
		}
	}
	return nil
}

// ranged reports whether the hunk takes lines away.
func (h Hunk) ranged() bool { return h.Verb == Replace || h.Verb == Delete }

// edit gives the lines that there are afterwards. Hunks at one place stay in their order.
func edit(lines []line, hunks []Hunk) (after []line) {
	end := "\n"
	if len(lines) > 0 && lines[0].end != "" {
		end = lines[0].end
	}
	put := func(body []string, like int) {
		e := end
		if like >= 0 && like < len(lines) && lines[like].end != "" {
			e = lines[like].end
		}
		for _, text := range body {
			after = append(after, line{text, e, true})
		}
	}
	place := func(h Hunk) int { // twice the lines before it; odd: it takes the line itself
		if h.ranged() {
			return 2*(h.From-1) + 1
		}
		return 2 * h.gap(len(lines))
	}
	order := slices.Clone(hunks)
	slices.SortStableFunc(order, func(a, b Hunk) int { return cmp.Compare(place(a), place(b)) })
	at := 0
	for _, h := range order {
		begin := place(h) / 2
		after = append(after, lines[min(at, begin):begin]...)
		at = max(at, begin)
		put(h.Body, begin)
		if h.ranged() {
			at = h.To
		}
	}
	return append(after, lines[at:]...)
}

// join makes a text of lines again. A blank line without an end would be none.
func join(old, lines []line) string {
	open := len(old) > 0 && old[len(old)-1].end == "" // the old text ended within its last line
	var b strings.Builder
	for i, l := range lines {
		b.WriteString(l.text)
		switch last := i == len(lines)-1; {
		case !last && l.end == "":
			b.WriteString(cmp.Or(lines[max(0, i-1)].end, "\n"))
		case !last || !open || !l.fresh || l.text == "":
			b.WriteString(l.end)
		}
	}
	return b.String()
}
