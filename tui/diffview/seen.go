package diffview

import "github.com/scrollkeep/scrollkeep/tui"

// seen records which rows of a body have been visible to the user.
type seen struct {
	rows  []bool // for each row: it was visible completely
	begun int    // index of a row of which only the first terminal rows were visible
	lines int    // number of visible terminal rows of the row begun
	width int    // width at which the row begun was laid out
	count int    // number of rows that were visible completely
}

// NoteSeen records that the user has seen the rows of the last [Body.View] in s. A row that is cut
// does not count. A wrapped row counts once all of its terminal rows were visible, from the first
// to the last.
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

// Unseen returns the number of rows that were not completely visible since [New] or [Body.Replace],
// as recorded by [Body.NoteSeen].
func (b *Body) Unseen() int { return len(b.rows) - b.seen.count }
