package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Screen is the alternate screen: a full grid that is not in history, painted by the same emitter
// as the transcript. Here, and only here, rows may be deleted and the cursor sent home. The caller
// owns going there and back (DEC mode 1049), so that one mode table restores it. Not safe for
// concurrent use.
type Screen struct {
	c       Config
	l       ledger
	e       emitter
	want    []row
	costs   costs
	steps   []step
	started bool
}

// NewScreen returns a Screen for a cleared alternate screen. Nothing is written before the first
// Render.
func NewScreen(c Config) *Screen {
	s := &Screen{c: c, costs: costs{dl: DeleteClean, roll: c.AltScroll}}
	s.e.ledger, s.e.skips, s.e.links = &s.l, true, c.Links
	s.l.visible, s.l.model = true, c.Model
	s.Resize(c.Cols, c.Rows)
	return s
}

// Resize says that the terminal has a new size, in columns and rows; the next Render paints every
// row.
func (s *Screen) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	s.l.cols, s.l.rows = cols, rows
	s.l.rebase(rows, 0, 0)
	s.l.dirty = false // no rows stand below
	s.started = false
}

// Render shows lines from the top, rows beyond the last blank, with at most one Write; none if
// nothing changed. The caret is hidden if cursor is nil. Lines are borrowed until it returns.
func (s *Screen) Render(lines []Line, cursor *Pos) error {
	n := s.l.rows
	s.want = resizeRows(s.want, n)
	for i := range s.want {
		if i < len(lines) {
			l := lines[i]
			l.Wrapped = false
			s.want[i].set(l, s.l.cols, s.c.Model)
		} else {
			s.want[i].reset()
		}
	}
	s.e.begin()
	if !s.started {
		s.e.buf = append(s.e.buf, ansi.Home...)
		s.l.cur = Pos{}
		s.started = true
	}
	s.steps = plan(&s.l, s.want, 0, false, &s.costs, s.steps[:0])
	s.e.run(s.steps, s.want)
	pos := s.l.cur
	if pos.Col < 0 || pos.Col >= s.l.cols {
		pos.Col = 0
	}
	if cursor != nil {
		pos = Pos{min(max(cursor.Col, 0), s.l.cols-1), min(max(cursor.Row, 0), n-1)}
	}
	s.e.rest(pos, cursor != nil)
	return s.e.flush(s.c.Out, s.c.Sync)
}
