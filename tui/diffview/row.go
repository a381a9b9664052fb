package diffview

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Kind is the kind of a row.
type Kind uint8

const (
	Context Kind = iota // stands in both files, or in a file that is shown completely
	Added
	Removed
	Hunk  // the header of a hunk: ] and [ go there
	File  // the header of a file: } and { go there
	Note  // said by us, not by the file: "no newline at the end"
	Prose // text without marker and numbers, broken at words
	Lead  // the subject of all other rows, a command: in bold
)

// Row is one line of the body. Text is untrusted and has no line end.
type Row struct {
	Kind     Kind
	Old, New int    // 1-based line numbers; 0: it has none
	Text     string // the line, or our words for Hunk, File and Note
	Mark     string // the end of the line, if it must be seen: "CR", "no newline at end"
	More     bool   // Text is not the beginning of its line
	Dim      bool   // it is drawn dim: it does not count
}

// maxRowBytes is the most bytes that are laid out as one row. A longer line is several rows, so
// that a file of one line scrolls as fast as any other.
const maxRowBytes = 16 << 10

// splitLong splits rows that are too long; it returns rows itself if there are none. A match across
// a split is not found.
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

// Range is the bytes [From, To) of a Row's Text.
type Range struct{ From, To int }

// Tint is a part of a Row's Text that has a class: a keyword, a comment. The program that embeds
// the body chooses the classes.
type Tint struct {
	Range
	Class uint8
}

// marker returns the sign of a row, which is printed at every width: colour alone says nothing.
func (k Kind) marker() string {
	switch k {
	case Added:
		return "+"
	case Removed:
		return "-"
	}
	return " "
}

// blankMarksFrom returns the byte from which on the spaces and tabs of rows[i] are drawn as marks.
// It is 0 for a line that differs from its counterpart in blanks alone, the start of the trailing
// blanks of other changed lines, and len(Text) for none.
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

// counterpart returns the line on the other side that stands at the same place in the run of
// removed and added lines around i.
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
		return j, j < len(rows) && allOf(rows[j-n:j+1], Added)
	}
	k := first
	for k > 0 && first-k < maxRun && rows[k-1].Kind == Removed {
		k--
	}
	return k + n, k+n < first
}

func allOf(rows []Row, k Kind) bool {
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
