package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Screen is the alternate screen: a full grid that is not in history, painted by the same emitter as the transcript. Here, and only here,
// rows may be deleted and the cursor sent home. The caller owns going there and back (DEC mode 1049), so that one mode table restores it.
// Not safe for concurrent use.
type Screen struct {
	c       Config
	l       ledger
	e       emitter
	want    []row
	started bool
}

// NewScreen returns a Screen for a cleared alternate screen. Nothing is written before the first Render.
func NewScreen(c Config) *Screen {
	s := &Screen{c: c}
	s.e.ledger = &s.l
	s.l.visible = true
	s.Resize(c.Cols, c.Rows)
	return s
}

// Resize says that the terminal has a new size, in columns and rows; the next Render paints every row.
func (s *Screen) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	s.l.cols, s.l.rows = cols, rows
	s.l.rebase(rows, 0, 0)
	s.started = false
}

// Render shows lines from the top, rows beyond the last blank, with at most one Write; none if nothing changed. The caret is hidden if cursor
// is nil. Lines are borrowed until it returns.
func (s *Screen) Render(lines []Line, cursor *Pos) error {
	n := s.l.rows
	s.want = resizeRows(s.want, n)
	for i := range s.want {
		if i < len(lines) {
			s.want[i].set(lines[i], s.l.cols, s.c.Model)
		} else {
			s.want[i].reset()
		}
	}
	soundWraps(s.want, s.l.cols)
	s.e.begin()
	if !s.started {
		s.e.buf = append(s.e.buf, ansi.Home...)
		s.l.cur = Pos{}
		s.started = true
	}
	s.scroll()
	for i := range s.want {
		s.e.row(i, s.want)
	}
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

// scroll moves the longest run of rows that stand in both pictures at different heights, if that is cheaper than writing them anew.
func (s *Screen) scroll() {
	n := s.l.rows
	changed := 0
	for i := range s.want {
		if !s.l.shown[i].same(&s.want[i]) {
			changed++
		}
	}
	if changed < 3 {
		return
	}
	best, at, by := 0, 0, 0
	for k := -(n - 1); k < n; k++ {
		if k == 0 {
			continue
		}
		run, gain := 0, 0
		for i := max(0, -k); i < min(n, n-k); i++ {
			if !s.l.shown[i+k].same(&s.want[i]) {
				run, gain = 0, 0
				continue
			}
			run++
			gain += rowCost(&s.l.shown[i], &s.want[i])
			if gain > best {
				best, at, by = gain, i-run+1, k
			}
		}
	}
	const price = 24 // two moves, DL and IL
	if best <= price {
		return
	}
	end := at
	for end < min(n, n-by) && s.l.shown[end+by].same(&s.want[end]) {
		end++
	}
	switch {
	case by > 0 && by <= 8 && at == 0 && end == n-by && s.c.AltScroll: // all goes up
		s.feed(by)
	case by > 0: // up: rows [at, at+by) go, blank ones come in at end
		s.delete(at, by)
		s.insert(end, by)
	default: // down: the rows that are run over go first, so that those below stay
		if end < n {
			s.delete(end+by, -by)
		}
		s.push(at+by, -by)
	}
}

// feed makes line feeds on the last row: n rows go over the upper edge.
func (s *Screen) feed(n int) {
	s.e.setPen(Style{}, "")
	s.e.to(s.l.rows - 1)
	if s.l.cur.Col >= s.l.cols {
		s.e.col(0)
	}
	for range n {
		s.e.buf = append(s.e.buf, ansi.LF...)
	}
	s.l.delete(0, n)
}

// push makes n blank rows at row i; the last ones go over the lower edge.
func (s *Screen) push(i, n int) {
	s.e.to(i)
	s.e.col(0)
	s.e.setPen(Style{}, "")
	s.e.buf = ansi.AppendIL(s.e.buf, n)
	s.l.insert(i, n)
}

func (s *Screen) insert(i, n int) {
	if i >= s.l.rows-n {
		return // the blank rows are there already
	}
	s.push(i, n)
}

func (s *Screen) delete(i, n int) {
	s.e.to(i)
	s.e.col(0)
	s.e.setPen(Style{}, "")
	s.e.buf = ansi.AppendDL(s.e.buf, n)
	s.l.delete(i, n)
}
