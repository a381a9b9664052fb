// Package diff compares two texts line by line, as structure for a screen and as unified text that patch applies.
package diff

// Op says what became of a line.
type Op byte

const (
	Equal  Op = ' '
	Delete Op = '-'
	Insert Op = '+'
)

// Line is one line of a hunk.
type Line struct {
	Op       Op
	Old, New int    // line numbers from 1 in the old and the new text; 0 where the line is not in it
	Text     string // without its ending
	End      string // "\n", "\r\n", or "" for a last line without a newline
}

// Hunk is a run of changes with the unchanged lines around it. OldStart and NewStart are the numbers of the first lines, or of the line
// before where a side has none (0 at the top), as unified diffs count.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Stats are totals over a whole diff, in lines.
type Stats struct{ Added, Removed, Hunks int }

// Diff is the whole difference between two texts, never cut.
type Diff struct {
	Hunks              []Hunk
	Stats              Stats
	OldLines, NewLines int  // lines of the two texts
	Coarse             bool // some stretch was too costly to compare and is shown as removed and added whole
}

// Identical reports whether the texts are byte-equal.
func (d Diff) Identical() bool { return len(d.Hunks) == 0 }
