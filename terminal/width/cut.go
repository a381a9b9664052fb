package width

import (
	"iter"
	"strings"

	"github.com/rivo/uniseg"
)

// Truncate returns the longest beginning of s that is at most cols columns wide and ends between
// clusters. Marks behind its last cluster belong to it.
func (m Model) Truncate(s string, cols int) string {
	if len(s) <= cols && asciiRun(s) == len(s) {
		return s
	}
	n, at := 0, 0
	for remaining := s; remaining != ""; {
		c, r, w := m.Next(remaining)
		if n+w > cols {
			break
		}
		n, at, remaining = n+w, at+len(c), r
	}
	return s[:at]
}

// Cut returns the clusters of s that lie completely within the columns [from, to), counted from 0.
// lead is the number of columns at the start of this range that stay empty because a cluster begins
// before it. The part may be narrower than the range.
func (m Model) Cut(s string, from, to int) (part string, lead int) {
	from = max(from, 0)
	col, remaining := 0, s
	for remaining != "" && col < from {
		_, r, w := m.Next(remaining)
		col, remaining = col+w, r
	}
	for from > 0 && remaining != "" { // marks alone belong to the cluster that was cut away
		_, r, w := m.Next(remaining)
		if w > 0 {
			break
		}
		remaining = r
	}
	lead = max(col-from, 0)
	if col >= to || remaining == "" {
		return "", min(lead, max(to-from, 0))
	}
	return m.Truncate(remaining, to-col), lead
}

// Wrap yields s in rows of at most cols columns. It breaks where Unicode's line breaking allows it
// (behind spaces and hyphens, between ideographs). A word that is longer than a row is broken
// between clusters. Rows are substrings of s. The spaces at a break are in no row; everything else
// is in exactly one. LF and CR LF end a row. An empty s is one empty row. A cluster that is wider
// than cols gets a row of its own, which is too wide.
func (m Model) Wrap(s string, cols int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			line, remaining, more := strings.Cut(s, "\n")
			if more {
				line = strings.TrimSuffix(line, "\r")
			}
			if !m.wrapLine(line, max(cols, 1), yield) || !more {
				return
			}
			s = remaining
		}
	}
}

// wrapLine yields the rows of one line without LF. It returns false if the caller of Wrap has
// stopped.
func (m Model) wrapLine(s string, cols int, yield func(string) bool) bool {
	for !m.fits(s, cols) {
		end, next := m.firstBreak(s, cols)
		if !yield(s[:end]) {
			return false
		}
		if s = s[next:]; s == "" {
			return true
		}
	}
	return yield(s)
}

// fits reports whether s is at most cols columns wide. It does not measure all of a long s.
func (m Model) fits(s string, cols int) bool {
	if len(s) <= cols && asciiRun(s) == len(s) {
		return true
	}
	return len(m.Truncate(s, cols)) == len(s)
}

// firstBreak finds the first row of s, which is too wide for one row. The row is s[:end], and the
// next one begins at s[next].
func (m Model) firstBreak(s string, cols int) (end, next int) {
	var (
		col, at    int  // columns and bytes before the cluster
		brk, after int  // the last place to break: text up to brk, next row from after
		found      bool // brk is one
		text       int  // end of the last cluster that is no space
		state      = -1
		rest       = s
	)
	for rest != "" {
		c, r, boundaries, st := uniseg.StepString(rest, state)
		w, space := m.Cluster(c), c == " "
		if col+w > cols && !space { // spaces may hang over the edge
			break
		}
		col, at, rest, state = col+w, at+len(c), r, st
		if !space {
			text = at
		}
		if boundaries&uniseg.MaskLine != uniseg.LineDontBreak && rest != "" {
			brk, after, found = text, at, true
		}
	}
	switch {
	case rest == "": // only spaces hang over
		return text, len(s)
	case found && brk > 0:
		return brk, after
	case text > 0: // within a word, or where spaces allow no break (before an exclamation mark)
		return text, at
	case at > 0: // an indent as wide as the row: keep what fits of it
		return len(m.Truncate(s, cols)), at
	}
	c, _, _ := m.Next(s)
	return len(c), len(c)
}
