package hashline

import (
	"fmt"
	"slices"
	"strings"
)

// StaleWarning is about a patch whose tag stands for an older text. It does not say who changed the
// file: that is not known for certain, and the model does the same whoever it was.
const StaleWarning = "The tag stands for an older text of the file. The edit was made in the text as it is now, " +
	"because the lines it names are unchanged. Line numbers differ from those you read; go on with the new tag."

// Move makes hunks that Apply has resolved for one text those for a later one. moved tells by how
// many lines the lines from to to (from 1) are further down there, with to = from-1 for the place
// before line from. !ok: some of the lines are not there any more as they were.
func Move(text string, resolved []Hunk, moved func(from, to int) (by int, ok bool)) (hunks []Hunk, ok bool) {
	lines := len(split(text))
	hunks = slices.Clone(resolved)
	for i := range hunks {
		h := &hunks[i]
		from, to := h.From, h.To
		if !h.ranged() {
			to = h.gap(lines)
			from = to + 1
		}
		by, ok := moved(from, to)
		if !ok {
			return nil, false
		}
		if h.Verb != Head && h.Verb != Tail {
			h.From, h.To, h.Block = h.From+by, h.To+by, false
		}
	}
	return hunks, true
}

// Mismatch returns the error of a patch whose tag does not stand for the text that the file has
// now, and whose hunks cannot be made in that. known: the tag was given in this session.
func Mismatch(s Section, now, text string, known bool) error {
	why := fmt.Sprintf("the file has changed since ¶%s#%s was given", s.Path, s.Tag)
	if !known {
		why = fmt.Sprintf("#%s was not given for this file in this session", s.Tag)
	}
	lines := split(text)
	var anchors []int
	for _, h := range s.Hunks {
		switch h.Verb {
		case Head:
			anchors = append(anchors, 1)
		case Tail:
			anchors = append(anchors, len(lines))
		default:
			anchors = append(anchors, h.From, h.To)
		}
	}
	slices.Sort(anchors)
	var b strings.Builder
	shown, missing := 0, 0 // the last line that is shown
	for i, n := range anchors {
		switch {
		case i > 0 && n == anchors[i-1]:
			continue
		case n > len(lines) || n < 1:
			missing = n
			continue
		}
		for k := max(1, n-around); k <= min(len(lines), n+around); k++ {
			if k <= shown {
				continue
			}
			if shown > 0 && k > shown+1 {
				b.WriteString("...\n")
			}
			mark := " "
			if _, is := slices.BinarySearch(anchors, k); is {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s%d:%s\n", mark, k, lines[k-1].text)
			shown = k
		}
	}
	if missing > 0 {
		fmt.Fprintf(&b, "(the file has %d lines; there is no line %d)\n", len(lines), missing)
	}
	return problem("Edit of %s rejected: %s. Its tag is #%s now. Nothing was changed. The lines that the edit names, "+
		"as they are now (*):\n\n%s\nIf they are the ones you mean, send the edit again under %s; otherwise read the "+
		"file again.", s.Path, why, now, b.String(), Header(s.Path, now))
}
