package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Screen draws on the alternate screen, which has no history. Rows may be deleted here, and the
// cursor may be moved home. The caller switches the terminal to the alternate screen and back (DEC
// mode 1049), so that one table restores all modes. A Screen is not safe for concurrent use.
type Screen struct {
	config  Config
	ledger  ledger
	emit    emitter
	want    []row
	costs   costs
	steps   []step
	started bool

	overlayRow row    // Kept for its slice of cells.
	lastStamp  uint64 // The newest stamp, see row.stamp.
}

// NewScreen returns a Screen for an alternate screen that has been erased. It writes nothing before
// the first Render.
func NewScreen(c Config) *Screen {
	s := &Screen{config: c, costs: costs{deleteRule: DeleteClean, dropsScrolled: c.AltScroll}}
	s.emit.ledger, s.emit.altScreen, s.emit.linksKnown = &s.ledger, true, c.Links
	s.ledger.caretVisible, s.ledger.model = true, c.Model
	s.Resize(c.Cols, c.Rows)
	return s
}

// Enter tells s whether the terminal shows the cursor. A Screen assumes that it does.
func (s *Screen) Enter(caretShown bool) { s.ledger.caretVisible = caretShown }

// Leave shows or hides the cursor. The normal and the alternate screen share it, so that it has to
// be as [Renderer.CaretShown] says before the caller switches back.
func (s *Screen) Leave(caretShown bool) error {
	s.emit.beginFrame()
	s.emit.placeCursor(s.ledger.cursor, caretShown)
	return s.emit.flush(s.config.Out, false)
}

// Resize tells s the new size of the terminal, in columns and rows. The next Render paints every
// row.
func (s *Screen) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	s.ledger.cols, s.ledger.rows = cols, rows
	s.ledger.rebase(rows, 0, 0)
	s.ledger.dirtyBelow = false // no rows stand below
	s.started = false
}

// Render shows lines from the first row on, and blank rows below the last one. It makes at most one
// Write, and none if nothing has changed. If cursor is nil the cursor is hidden. Lines may be used
// again when it returns.
func (s *Screen) Render(lines []Line, cursor *Pos) error { return s.RenderLayers(lines, nil, cursor) }

// RenderLayers shows lines as Render does, with the overlay over, and all overlays over it, on top.
// An overlay with Up 0 ends in the last row of the screen. The position of the cursor is cursor;
// those in the overlays are ignored.
func (s *Screen) RenderLayers(lines []Line, over *Overlay, cursor *Pos) error {
	n := s.ledger.rows
	s.want = resizeRows(s.want, n)
	for i := range s.want {
		if i < len(lines) {
			l := lines[i]
			l.Wrapped = false
			s.layOutRow(&s.want[i], &l)
		} else {
			s.want[i].reset()
		}
	}
	for o := over; o != nil; o = o.Over {
		composeOverlay(o, s.want, &s.overlayRow, s.ledger.cols, s.config.Model)
	}
	s.emit.beginFrame()
	if !s.started {
		s.emit.buf = append(s.emit.buf, ansi.Home...)
		s.ledger.cursor = Pos{}
		s.started = true
	}
	s.steps = plan(&s.ledger, s.want, 0, false, &s.costs, s.steps[:0])
	s.emit.runSteps(s.steps, s.want)
	pos := s.ledger.cursor
	if pos.Col < 0 || pos.Col >= s.ledger.cols {
		pos.Col = 0
	}
	if cursor != nil {
		pos = Pos{min(max(cursor.Col, 0), s.ledger.cols-1), min(max(cursor.Row, 0), n-1)}
	}
	s.emit.placeCursor(pos, cursor != nil)
	return s.emit.flush(s.config.Out, s.config.Sync)
}

// layOutRow fills w with the cells of l, unless w was made from the same line before.
func (s *Screen) layOutRow(w *row, l *Line) {
	if w.source.matches(l, s.ledger.cols, s.config.Model) {
		w.reuse()
		return
	}
	w.setLine(*l, s.ledger.cols, s.config.Model)
	s.lastStamp++
	w.stamp = s.lastStamp
}
