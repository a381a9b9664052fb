package diffview

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Kind is the kind of a row.
type Kind uint8

const (
	Context Kind = iota // in both files, or in a file that is shown completely
	// only in the new file
	Added
	// only in the old file
	Removed
	Hunk  // the header of a hunk; ] and [ jump to it
	File  // the header of a file; } and { jump to it
	Note  // a remark that is not part of the file: "no newline at the end"
	Prose // text without marker and line numbers, wrapped between words
	Lead  // the subject of all other rows, such as a command; in bold
)

// Row is one line of the body. Its Text is untrusted and contains no line end.
type Row struct {
	Kind     Kind
	Old, New int    // line numbers from 1; 0: none
	Text     string // the line, or the program's own words for Hunk, File and Note
	Mark     string // a note on the line's end if it matters: "CR", "no newline at end"
	More     bool   // Text continues the line of the previous row
	Dim      bool   // drawn dim, because it does not count
}

// maxRowBytes is the maximum length of a row in bytes. A longer line is split into several rows, so
// that a file with a single line scrolls as fast as any other.
const maxRowBytes = 16 << 10

// splitLong splits rows that are longer than maxRowBytes. It returns rows itself if there are none.
// The search does not find a match across a split.
func splitLong(rows []Row) []Row {
	if !slices.ContainsFunc(rows, func(r Row) bool { return len(r.Text) > maxRowBytes }) {
		return rows
	}
	var out []Row
	for _, r := range rows {
		for len(r.Text) > maxRowBytes {
			n := len(width.Head(r.Text, maxRowBytes))
			head := r
			head.Text, head.Mark = r.Text[:n], ""
			out = append(out, head)
			r.Text, r.Old, r.New, r.More = r.Text[n:], 0, 0, true
		}
		out = append(out, r)
	}
	return out
}

// Range is the half-open range [From, To) of byte offsets in a Row's Text.
type Range struct{ From, To int }

// Tint is a part of a Row's Text with a syntax class, such as keyword or comment. The embedding
// program defines the classes.
type Tint struct {
	Range
	Class uint8
}

// marker returns the marker of a row. It is shown at every width, because colours alone must not
// carry meaning.
func (k Kind) marker() string {
	switch k {
	case Added:
		return "+"
	case Removed:
		return "-"
	}
	return " "
}

// blankMarksFrom returns the offset in rows[i] from which on spaces and tabs are drawn as marks.
// For a line that differs from its counterpart only in blanks it is 0, for other changed lines the
// start of the trailing blanks, and for all others len(Text).
func blankMarksFrom(rows []Row, i int) int {
	r := rows[i]
	if r.Kind != Added && r.Kind != Removed || i+1 < len(rows) && rows[i+1].More {
		return len(r.Text)
	}
	if j, ok := counterpart(rows, i); ok && rows[j].Text != r.Text &&
		withoutBlanks(rows[j].Text) == withoutBlanks(r.Text) {
		return 0
	}
	return len(strings.TrimRight(r.Text, " \t"))
}

// counterpart returns the index of the line on the other side that corresponds to rows[i]: the one
// at the same position in the adjacent run of removed or added lines. It returns false if there is
// none.
func counterpart(rows []Row, i int) (int, bool) {
	const maxRun = 200 // a longer run is a rewrite, in which lines have no partner
	first := i
	for first > 0 && i-first < maxRun && rows[first-1].Kind == rows[i].Kind {
		first--
	}
	n := i - first
	if rows[i].Kind == Removed {
		j := i
		for j < len(rows) && j-i < maxRun && rows[j].Kind == Removed {
			j++
		}
		j += n
		return j, j < len(rows) && allHaveKind(rows[j-n:j+1], Added)
	}
	k := first
	for k > 0 && first-k < maxRun && rows[k-1].Kind == Removed {
		k--
	}
	return k + n, k+n < first
}

func allHaveKind(rows []Row, k Kind) bool {
	for _, r := range rows {
		if r.Kind != k {
			return false
		}
	}
	return true
}

// withoutBlanks returns s without spaces and tabs.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, s)
}
