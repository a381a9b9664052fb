package harness

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// want is the expected text of one logical line, or of one row of a terminal that cuts rows.
type want struct {
	text     string
	optional bool
	mayJoin  bool // may have been joined with the previous one
	cols     int  // cut after, not before, this column; 0: not cut
	// the text before it was cut
	fullText         string
	continuesResidue bool
	mayBeMissing     bool // a blank row, which the terminal may take for the end of rows above
	mayContinue      bool // continued in a live row: what the terminal has made of that row is unexpected
}

// leftByCut returns the text of r that stays when a terminal cuts the line of the cursor.
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

// uncut returns rows as they are on a terminal that has cut none.
func uncut(rows []*row) []*row {
	out := make([]*row, len(rows))
	for i, r := range rows {
		whole := *r
		whole.cutTo = len(r.cells)
		out[i] = &whole
	}
	return out
}

// wantedLines returns rows as expected lines. With cut each row is a line.
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

// shownBy reports whether a line of the tape shows w. Text that the terminal has cut off is not
// required.
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

// surelyShown returns the beginning of text that fits into cols columns, even if clusters of
// doubtful width are as wide as possible. A terminal without clusters gives two columns to each of
// their characters.
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

// matchLines compares lines from the bottom up with wants: each want must be there once and in
// order. It returns extra lines, and how many optional wants were found. missing is a want that was
// not found, or nil. With splits, the terminal splits lines where its history began at a resize, so
// several lines may make one want. A text may also be the end of a line that begins with other
// text; first it is looked for as a line of its own.
func matchLines(lines []string, wants []want, splits bool, m width.Model) (extra []string, optional int,
	missing *want) {
	extra, optional, missing = alignLines(lines, wants, splits, true, m)
	if e, o, miss := alignLines(lines, wants, splits, false, m); missing != nil || miss == nil &&
		len(e)+o < len(extra)+optional {
		return e, o, miss
	}
	return extra, optional, missing
}

// alignLines does the work of matchLines. With alone, a text that is also a line of its own does
// not match the end of another line.
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

// findWants looks for n wants, up to index k, that the last used lines show. k is -1 if they show
// none that may come next. whole reports that nothing else is in these lines.
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

// longestLine returns the length of the longest line that the last wants may form together.
func longestLine(wants []want) int {
	k := len(wants) - 1
	n := len(wants[k].text)
	for ; k > 0 && wants[k].mayJoin; k-- {
		n += len(wants[k-1].text)
	}
	return n
}

// takeWants returns how many of the last wants line shows: one, several that the terminal has
// joined, or none. It is not whole if line has other text: before the first want, if that is the
// first row after a resize; after the last want, if that continued in a live row; or between two
// such rows.
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
