package hashline

import (
	"fmt"
	"slices"
	"strings"
)

// StaleWarning is the warning for a patch whose tag belongs to an older text of the file. It does
// not say who changed the file, because that is not known for certain.
const StaleWarning = "The tag stands for an older text of the file. The edit was made in the text as it is now, " +
	"because the lines it names are unchanged. Line numbers differ from those you read; go on with the new tag."

// Rebase converts hunks for text to the line numbers of a later text. resolved are hunks that Apply
// has returned. offset reports by how many lines a range of lines has moved in the later text; a
// range with to = from-1 is the position before line from. ok is false if some of the lines have
// changed.
func Rebase(text string, resolved []Hunk, offset func(from, to int) (by int, ok bool)) (hunks []Hunk, ok bool) {
	lines := len(splitLines(text))
	hunks = slices.Clone(resolved)
	for i := range hunks {
		h := &hunks[i]
		from, to := h.From, h.To
		if !h.takesLines() {
			to = h.insertionPoint(lines)
			from = to + 1
		}
		by, ok := offset(from, to)
		if !ok {
			return nil, false
		}
		if h.Verb != Head && h.Verb != Tail {
			h.From, h.To, h.Block = h.From+by, h.To+by, false
		}
	}
	return hunks, true
}

// MismatchError returns the error for a section whose tag belongs to another text than the present
// one, if its hunks cannot be applied to that. now is the tag of text, the present content of the
// file. known says that the section's tag was issued in this session.
func MismatchError(s Section, now, text string, known bool) error {
	why := fmt.Sprintf("the file has changed since ¶%s#%s was given", s.Path, s.Tag)
	if !known {
		why = fmt.Sprintf("#%s was not given for this file in this session", s.Tag)
	}
	lines := splitLines(text)
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
		for k := max(1, n-contextLines); k <= min(len(lines), n+contextLines); k++ {
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
	return patchError("Edit of %s rejected: %s. Its tag is #%s now. Nothing was changed. The lines that the edit "+
		"names, "+
		"as they are now (*):\n\n%s\nIf they are the ones you mean, send the edit again under %s; otherwise read the "+
		"file again.", s.Path, why, now, b.String(), Header(s.Path, now))
}
