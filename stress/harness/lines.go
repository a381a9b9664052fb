package harness

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A want is what should stand in one logical line, or in one row of a terminal that cuts.
type want struct {
	text             string
	optional         bool
	mayJoin          bool // may have been joined with the one before
	cols             int  // cut off behind, not before, this column; 0: not cut
	full             string
	continuesResidue bool
	free             bool // a blank row: a terminal may take it for the end of residue above
	open             bool // went on in a live row: what a terminal has made of that is residue
}

// leftByCut returns what a terminal has left of r that cuts the line that the cursor is on.
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

// uncut returns rows as they are where a terminal has cut none.
func uncut(rows []*row) []*row {
	out := make([]*row, len(rows))
	for i, r := range rows {
		whole := *r
		whole.cutTo = len(r.cells)
		out[i] = &whole
	}
	return out
}

// wantedLines lists rows as logical lines; with cut, row by row.
func wantedLines(rows []*row, cut bool, m width.Model) []want {
	var out []want
	for i, r := range rows {
		s := Squeeze(r.leftByCut(m))
		if i > 0 {
			out[len(out)-1].open = rows[i-1].wraps && rows[i-1].wrapUnsure
		}
		if i > 0 && rows[i-1].wraps && !rows[i-1].wrapUnsure && !cut && !r.blank() {
			out[len(out)-1].text += s
			out[len(out)-1].optional = out[len(out)-1].optional && r.optional
			continue
		}
		w := want{text: s, optional: r.optional, free: r.blank() && r.continuesResidue && !cut, mayJoin: i > 0 &&
			rows[i-1].wrapUnsure, continuesResidue: r.continuesResidue}
		if cut {
			w.cols, w.full = r.cols, r.text
		}
		out = append(out, w)
	}
	if n := len(rows); n > 0 {
		out[len(out)-1].open = rows[n-1].wraps
	}
	// of several blank rows it cannot be told which one is missing: the first are looked for last
	for i, first := 0, 0; i < len(out); i++ {
		switch w := &out[i]; {
		case w.text != "":
			first = i + 1
		case w.free || w.optional:
			o := &out[first]
			w.free, o.free = o.free, w.free
			w.optional, o.optional = o.optional, w.optional
			first++
		}
	}
	return out
}

// shownBy reports whether a tape line shows w. What a terminal has cut off is gone.
func (w *want) shownBy(line string, m width.Model) bool {
	if line == w.text {
		return true
	}
	if c, _, _ := m.Next(w.full); w.cols == 1 && line == oneColumnText(c) {
		return true // one column shows no marks
	}
	if w.cols == 0 || surelyShown(w.full, w.cols, m) == w.full {
		return false
	}
	// a wide character at the edge may be gone as a whole
	short := Squeeze(surelyShown(w.full, w.cols-1, m))
	return strings.HasPrefix(line, short) && strings.HasPrefix(w.text, line)
}

// surelyShown returns what stands of a text in so many columns, however wide the clusters in doubt
// are: a terminal that knows of no clusters gives two columns to each character of one.
func surelyShown(text string, cols int, m width.Model) string {
	kept := ""
	for rest := text; rest != ""; {
		c, next, w := m.Next(rest)
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
		kept, rest = kept+c, next
	}
	return kept
}

// matchLines compares logical lines from the bottom up: every want once and in order. It returns
// which lines are none of them, and how many optional ones were found. missing is the want that is
// not there, nil if all are. With apart, the terminal takes lines apart where its history began at
// a resize, so that a want may be several lines in a row. A text may also end a line that begins
// with residue; it is first looked for where it stands by itself.
func matchLines(lines []string, ws []want, apart bool, m width.Model) (extra []string, optional int, missing *want) {
	extra, optional, missing = alignLines(lines, ws, apart, true, m)
	if e, o, miss := alignLines(lines, ws, apart, false, m); missing != nil || miss == nil &&
		len(e)+o < len(extra)+optional {
		return e, o, miss
	}
	return extra, optional, missing
}

// alignLines does what matchLines does; with alone, a text that also stands by itself does not end
// a line that begins with residue.
func alignLines(lines []string, ws []want, apart, alone bool, m width.Model) (extra []string, optional int,
	missing *want) {
	i := len(ws) - 1
	for j := len(lines) - 1; j >= 0; j-- {
		k, n, used, whole := findWants(lines[:j+1], ws[:i+1], apart, m)
		if k >= 0 && !whole && alone && slices.Contains(lines[:j], ws[k].text) {
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
			if ws[k].optional {
				optional++
			}
			k--
		}
		i = k
	}
	for ; i >= 0; i-- {
		if !ws[i].optional && !ws[i].free {
			return extra, optional, &ws[i]
		}
	}
	slices.Reverse(extra)
	return extra, optional, nil
}

// findWants looks for the last n wants up to k that the last lines show, used of them; k is -1 if
// they show none that may come next.
func findWants(lines []string, ws []want, apart bool, m width.Model) (k, n, used int, whole bool) {
	for k = len(ws) - 1; k >= 0; k-- {
		line, few, part := "", 0, 0
		for used = 1; used <= len(lines); used++ {
			line = lines[len(lines)-used] + line
			if n, whole = takeWants(ws[:k+1], line, m); n > 0 && (whole || !apart) {
				return k, n, used, whole
			} else if n > 0 && few == 0 {
				few, part = used, n // unless more of the lines are a whole
			}
			if !apart || len(line) > longestLine(ws[:k+1]) && !ws[k].open {
				break
			}
		}
		if few > 0 {
			return k, part, few, false
		}
		if !ws[k].optional && !ws[k].free {
			break
		}
	}
	return -1, 0, 0, false
}

// longestLine returns the length of the longest line that the last wants may be one line of.
func longestLine(ws []want) int {
	k := len(ws) - 1
	n := len(ws[k].text)
	for ; k > 0 && ws[k].mayJoin; k-- {
		n += len(ws[k-1].text)
	}
	return n
}

// takeWants returns how many of the last wants line shows: one, several that the terminal took for
// one line, or none. It is not whole if residue stands before the first of them, which only the
// first row after a resize can have, behind the last, which only a row can that went on in a live
// one, or between two such rows.
func takeWants(ws []want, line string, m width.Model) (n int, whole bool) {
	last := len(ws) - 1
	if ws[last].shownBy(line, m) {
		return 1, true
	}
	for k, all := last, ""; ; k-- {
		rest := all
		all = ws[k].text + all
		switch splice, open := ws[k].continuesResidue, ws[last].open; {
		case ws[k].text == "": // it may as well stand by itself
		case all == line:
			return len(ws) - k, true
		case splice && strings.HasSuffix(line, all), open && strings.HasPrefix(line, all), splice && open &&
			strings.Contains(line, all):
			n = len(ws) - k
		case k < last && ws[k].open && ws[k+1].continuesResidue && len(line) > len(all) &&
			strings.HasPrefix(line, ws[k].text) && strings.HasSuffix(line, rest):
			// what was live of the line stands between its final part and the rest, which was
			// written once more
			n = len(ws) - k
		}
		if k == 0 || !ws[k].mayJoin || len(all) >= len(line) {
			return n, false
		}
	}
}
