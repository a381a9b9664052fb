package harness

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// want holds the expected text of one logical line above the live region. On a terminal that cuts
// rows at a narrower width it holds the text of one row.
type want struct {
	text     string
	optional bool
	mayJoin  bool // the terminal may have joined this line with the one before
	cols     int  // the terminal may have cut the row after this column, but not before it; 0: not cut
	// the row's text before the terminal cut it
	fullText         string
	continuesResidue bool
	mayBeMissing     bool // a blank row, which the terminal may take for the end of the rows above it
	// the line continues in a live row; text that the terminal shows of that row is unexpected
	mayContinue bool
}

// leftByCut returns the text of r that remains after the terminal has cut the line of the cursor.
func (r *row) leftByCut(m width.Model) string {
	if r.cutTo >= len(r.cells) {
		return r.text
	}
	s := ""
	for _, p := range program.Cut([]renderer.Span{{Text: r.text}}, r.cutTo, m) {
		s += p.Text
	}
	return s
}

// uncut returns copies of rows that have their full text, as if the terminal had not cut any of
// them.
func uncut(rows []*row) []*row {
	out := make([]*row, len(rows))
	for i, r := range rows {
		whole := *r
		whole.cutTo = len(r.cells)
		out[i] = &whole
	}
	return out
}

// wantedLines returns the expected lines for final rows: rows that wrap into each other make one
// line. If cut is true, each row is a line of its own.
func wantedLines(rows []*row, cut bool, m width.Model) []want {
	var out []want
	for i, r := range rows {
		s := Squeeze(r.leftByCut(m))
		if i > 0 {
			out[len(out)-1].mayContinue = rows[i-1].wraps && rows[i-1].wrapUnsure
		}
		if i > 0 && rows[i-1].wraps && !rows[i-1].wrapUnsure && !cut && !r.blank() {
			out[len(out)-1].text += s
			out[len(out)-1].optional = out[len(out)-1].optional && r.optional
			continue
		}
		w := want{text: s, optional: r.optional, mayBeMissing: r.blank() && r.continuesResidue && !cut,
			mayJoin: i > 0 &&
				rows[i-1].wrapUnsure, continuesResidue: r.continuesResidue}
		if cut {
			w.cols, w.fullText = r.cols, r.text
		}
		out = append(out, w)
	}
	if n := len(rows); n > 0 {
		out[len(out)-1].mayContinue = rows[n-1].wraps
	}
	// of several blank rows it cannot be told which one is missing: the first are looked for last
	for i, first := 0, 0; i < len(out); i++ {
		switch w := &out[i]; {
		case w.text != "":
			first = i + 1
		case w.mayBeMissing || w.optional:
			o := &out[first]
			w.mayBeMissing, o.mayBeMissing = o.mayBeMissing, w.mayBeMissing
			w.optional, o.optional = o.optional, w.optional
			first++
		}
	}
	return out
}

// shownBy reports whether line, a line on the tape (history plus grid), shows w. Text that the
// terminal may have cut off is not required.
func (w *want) shownBy(line string, m width.Model) bool {
	if line == w.text {
		return true
	}
	if c, _, _ := m.Next(w.fullText); w.cols == 1 && line == oneColumnText(c) {
		return true // one column shows no marks
	}
	if w.cols == 0 || surelyShown(w.fullText, w.cols, m) == w.fullText {
		return false
	}
	// a wide character at the edge may be gone as a whole
	short := Squeeze(surelyShown(w.fullText, w.cols-1, m))
	return strings.HasPrefix(line, short) && strings.HasPrefix(w.text, line)
}

// surelyShown returns the longest beginning of text that fits into cols columns, even if each
// cluster of doubtful width is as wide as it can be. For such a cluster it counts two columns for
// each character, as a terminal without grapheme clusters does.
func surelyShown(text string, cols int, m width.Model) string {
	kept := ""
	for remaining := text; remaining != ""; {
		c, next, w := m.Next(remaining)
		if m.Doubtful(c) {
			n := 0
			for _, r := range c {
				if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
					n += 2
				}
			}
			w = max(w, n)
		}
		if cols -= w; cols < 0 {
			break
		}
		kept, remaining = kept+c, next
	}
	return kept
}

// matchLines compares lines of the tape with wants, from the last one up. Each want must be there
// once and in order. extra holds the lines that show none of them, and optional is the number of
// optional wants found. missing is a want that was not found, or nil.
//
// If splits is true, the terminal may have split a line where its history began at a resize, so
// that several lines may make one want. A want may also be the end of a line that begins with other
// text, but first it is looked for as a line of its own.
func matchLines(lines []string, wants []want, splits bool, m width.Model) (extra []string, optional int,
	missing *want) {
	extra, optional, missing = alignLines(lines, wants, splits, true, m)
	if e, o, miss := alignLines(lines, wants, splits, false, m); missing != nil || miss == nil &&
		len(e)+o < len(extra)+optional {
		return e, o, miss
	}
	return extra, optional, missing
}

// alignLines does the work of matchLines for one rule. If alone is true, a text that is also a line
// of its own does not match the end of another line.
func alignLines(lines []string, wants []want, splits, alone bool, m width.Model) (extra []string, optional int,
	missing *want) {
	i := len(wants) - 1
	for j := len(lines) - 1; j >= 0; j-- {
		k, n, used, whole := findWants(lines[:j+1], wants[:i+1], splits, m)
		if k >= 0 && !whole && alone && slices.Contains(lines[:j], wants[k].text) {
			k = -1
		}
		if k < 0 {
			extra = append(extra, lines[j])
			continue
		}
		if !whole {
			extra = append(extra, lines[j])
		}
		j -= used - 1
		for ; n > 0; n-- {
			if wants[k].optional {
				optional++
			}
			k--
		}
		i = k
	}
	for ; i >= 0; i-- {
		if !wants[i].optional && !wants[i].mayBeMissing {
			return extra, optional, &wants[i]
		}
	}
	slices.Reverse(extra)
	return extra, optional, nil
}

// findWants looks for wants that the last lines show. It returns n, the number of wants found, k,
// the index of the last of them, and used, the number of lines that show them. whole reports
// whether these lines have no other text. If the lines show no want that may come next, k is -1.
func findWants(lines []string, wants []want, splits bool, m width.Model) (k, n, used int, whole bool) {
	for k = len(wants) - 1; k >= 0; k-- {
		line, fewest, partCount := "", 0, 0
		for used = 1; used <= len(lines); used++ {
			line = lines[len(lines)-used] + line
			if n, whole = takeWants(wants[:k+1], line, m); n > 0 && (whole || !splits) {
				return k, n, used, whole
			} else if n > 0 && fewest == 0 {
				fewest, partCount = used, n // unless more of the lines are a whole
			}
			if !splits || len(line) > longestLine(wants[:k+1]) && !wants[k].mayContinue {
				break
			}
		}
		if fewest > 0 {
			return k, partCount, fewest, false
		}
		if !wants[k].optional && !wants[k].mayBeMissing {
			break
		}
	}
	return -1, 0, 0, false
}

// longestLine returns the number of bytes of the longest line that the terminal may have made of
// the last wants by joining them.
func longestLine(wants []want) int {
	k := len(wants) - 1
	n := len(wants[k].text)
	for ; k > 0 && wants[k].mayJoin; k-- {
		n += len(wants[k-1].text)
	}
	return n
}

// takeWants returns how many of the last wants line shows: one, several that the terminal has
// joined, or none. whole is false if line has other text, too. Other text may stand in three
// places: before the first want, if that is the first row after a resize; after the last want, if
// that continued in a live row; or between two such rows.
func takeWants(wants []want, line string, m width.Model) (n int, whole bool) {
	last := len(wants) - 1
	if wants[last].shownBy(line, m) {
		return 1, true
	}
	for k, all := last, ""; ; k-- {
		afterwards := all
		all = wants[k].text + all
		switch splice, open := wants[k].continuesResidue, wants[last].mayContinue; {
		case wants[k].text == "": // it may as well stand by itself
		case all == line:
			return len(wants) - k, true
		case splice && strings.HasSuffix(line, all), open && strings.HasPrefix(line, all), splice && open &&
			strings.Contains(line, all):
			n = len(wants) - k
		case k < last && wants[k].mayContinue && wants[k+1].continuesResidue && len(line) > len(all) &&
			strings.HasPrefix(line, wants[k].text) && strings.HasSuffix(line, afterwards):
			// what was live of the line stands between its final part and the rest, which was
			// written once more
			n = len(wants) - k
		}
		if k == 0 || !wants[k].mayJoin || len(all) >= len(line) {
			return n, false
		}
	}
}
