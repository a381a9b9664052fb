package diffview

import "github.com/scrollkeep/scrollkeep/tui"

// seen holds which rows of a body were in sight.
type seen struct {
	rows  []bool // by row: all of it was in sight
	begun int    // a row of which only the first lines were in sight
	lines int    // how many of them
	width int    // the width of these lines
	count int    // rows that were in sight
}

// NoteSeen records that the rows of the last [Body.View] in s were in sight. A row that is cut at
// its end is not, and a wrapped one is when all of its lines were, from the first to the last.
func (b *Body) NoteSeen(s tui.Space) {
	if b.seen.rows == nil {
		b.seen.rows = make([]bool, len(b.rows))
	}
	if b.cutLong || s.Height <= 0 {
		return
	}
	free := s.Height
	for i, skip := b.topPlace.Item, b.topPlace.Row; i < len(b.rows) && free > 0; i, skip = i+1, 0 {
		all := len(b.layOutRow(i, s))
		end := min(all, skip+free)
		free -= end - skip
		if b.seen.rows[i] {
			continue
		}
		from := 0
		if b.seen.begun == i && b.seen.width == s.Width {
			from = b.seen.lines
		}
		switch {
		case skip > from:
		case end == all:
			b.seen.rows[i], b.seen.count = true, b.seen.count+1
		case end > from:
			b.seen.begun, b.seen.lines, b.seen.width = i, end, s.Width
		}
	}
}

// Unseen returns how many rows were not all in sight since [New] or [Body.Replace], as far as
// [Body.NoteSeen] has recorded it.
func (b *Body) Unseen() int { return len(b.rows) - b.seen.count }
