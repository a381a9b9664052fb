// Package diff compares two texts line by line, as structure for a screen and as unified text that
// patch applies.
//
// Lines are compared as bytes with their endings, so a change of CRLF to LF, a byte order mark or a
// missing final newline is a changed line. Matching first cuts away common ends and cuts the rest
// at lines that occur once on both sides. What is between is compared with go-difflib if it is
// small, else by Myers' search for the middle from both ends. The work is bounded: a search that
// becomes long settles for a cut that is not the best one, and what is left when all work is used
// up is shown as removed and added whole, and [Diff.Coarse] says so. The result depends on the
// texts alone, never on a clock.
package diff

import "strings"

// Op tells what happened to a line.
type Op byte

const (
	Equal  Op = ' '
	Delete Op = '-'
	Insert Op = '+'
)

// Line is one line of a hunk.
type Line struct {
	Op Op
	// Old and New are its line numbers in the old and the new text, from 1; 0: the line is not in
	// that text.
	Old, New int
	Text     string // Text is the line without its line end.
	End      string // End is "\n", "\r\n", or "" for a last line without a newline.
}

// Hunk is a group of changes with unchanged lines around it. OldStart and NewStart are the numbers
// of its first lines in both texts. If it has no lines in one of them, it is the number of the line
// before, as in a unified diff.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Stats counts the lines and hunks of a diff.
type Stats struct{ Added, Removed, Hunks int }

// Diff is the complete difference between two texts.
type Diff struct {
	Hunks              []Hunk
	Stats              Stats
	OldLines, NewLines int // OldLines and NewLines are the numbers of lines of the two texts.
	// Coarse says that a part was too expensive to compare, and is shown as removed and added.
	Coarse bool
}

// Identical reports whether the two texts are equal.
func (d Diff) Identical() bool { return len(d.Hunks) == 0 }

// Context is the usual number of unchanged lines around a change.
const Context = 3

// Make compares two texts. context is the number of unchanged lines around a change, at least 0.
func Make(before, after []byte, context int) Diff {
	a, b := splitLines(before), splitLines(after)
	blocks, coarse := matchLines(a, b)
	d := Diff{OldLines: len(a), NewLines: len(b), Coarse: coarse}
	changes := changesBetween(blocks, len(a), len(b))
	for i := 0; i < len(changes); {
		// Changes whose contexts touch share a hunk.
		j := i + 1
		for j < len(changes) && changes[j].a-changes[j-1].aEnd <= 2*context {
			j++
		}
		h := makeHunk(a, b, changes[i:j], context)
		for _, l := range h.Lines {
			switch l.Op {
			case Insert:
				d.Stats.Added++
			case Delete:
				d.Stats.Removed++
			}
		}
		d.Hunks = append(d.Hunks, h)
		i = j
	}
	d.Stats.Hunks = len(d.Hunks)
	return d
}

// lineChange says that the lines a[a:aEnd] of the old text became b[b:bEnd].
type lineChange struct{ a, aEnd, b, bEnd int }

// changesBetween returns the changes between matching blocks. na and nb are the numbers of lines of
// the two texts.
func changesBetween(blocks []matchingBlock, na, nb int) []lineChange {
	var cs []lineChange
	i, j := 0, 0
	for _, m := range append(blocks, matchingBlock{na, nb, 0}) {
		if i < m.a || j < m.b {
			cs = append(cs, lineChange{i, m.a, j, m.b})
		}
		i, j = m.a+m.n, m.b+m.n
	}
	return cs
}

func makeHunk(a, b []string, cs []lineChange, context int) Hunk {
	first, last := cs[0], cs[len(cs)-1]
	before := min(context, first.a)
	after := min(context, len(a)-last.aEnd)
	h := Hunk{
		OldStart: first.a - before + 1, OldLines: last.aEnd + after - (first.a - before),
		NewStart: first.b - before + 1, NewLines: last.bEnd + after - (first.b - before),
	}
	if h.OldLines == 0 {
		h.OldStart--
	}
	if h.NewLines == 0 {
		h.NewStart--
	}
	h.Lines = make([]Line, 0, h.OldLines+h.NewLines)
	i, j := first.a-before, first.b-before
	equal := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			h.Lines = append(h.Lines, makeLine(Equal, i+1, j+1, a[i]))
		}
	}
	for _, c := range cs {
		equal(c.a)
		for ; i < c.aEnd; i++ {
			h.Lines = append(h.Lines, makeLine(Delete, i+1, 0, a[i]))
		}
		for ; j < c.bEnd; j++ {
			h.Lines = append(h.Lines, makeLine(Insert, 0, j+1, b[j]))
		}
	}
	equal(last.aEnd + after)
	return h
}

func makeLine(op Op, before, after int, s string) Line {
	text, end := s, ""
	if t, ok := strings.CutSuffix(s, "\n"); ok {
		text, end = t, "\n"
		if t, ok := strings.CutSuffix(t, "\r"); ok {
			text, end = t, "\r\n"
		}
	}
	return Line{Op: op, Old: before, New: after, Text: text, End: end}
}

// splitLines splits a text after each newline.
func splitLines(text []byte) []string {
	var lines []string
	for l := range strings.Lines(string(text)) {
		lines = append(lines, l)
	}
	return lines
}
