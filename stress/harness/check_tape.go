package harness

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// checkTape compares the rows in history and on the grid with the ledger of expected rows. top is
// the row of the tape at which the live region begins, and window holds the rows expected from
// there on. If whole is true, all rows above the live region are compared, otherwise only the last
// ones.
func (h *harness) checkTape(top int, window []*row, whole bool) error {
	t := Tape{h.term.Terminal}
	if err := h.checkLive(t, top, window); err != nil {
		return err
	}
	firstChecked := 0
	if !whole {
		firstChecked = max(h.ledger.epoch, len(h.ledger.rows)-2*h.window.rows-8)
	}
	tapeRow, optional := top-1, 0
	i := len(h.ledger.rows) - 1
	for ; i >= max(firstChecked, h.ledger.epoch) && tapeRow >= 0; i-- {
		r := h.ledger.rows[i]
		got := t.RowAt(tapeRow)
		if !h.rowReads(r, got) {
			if r.optional {
				continue
			}
			return fmt.Errorf("final row %d of %d reads %q, want %q\n%s", i, len(h.ledger.rows), got.Text(), r.text,
				h.dump())
		}
		join := got.Wrapped()
		if next := h.rowAfter(i, window); next != nil && !r.wrapUnsure && !r.foreign && !next.blank() &&
			join != r.joins(next, h.window.cols) {
			return fmt.Errorf("final row %d, %q: soft-wrapped is %v, want %v\n%s", i, r.text, join, !join, h.dump())
		}
		if err := r.compare(got, h.window.cols); err != nil && (whole || tapeRow >= h.term.ScrollbackLen()) {
			return fmt.Errorf("final row %d, %q: %w\n%s", i, r.text, err, h.dump())
		}
		if err := h.checkPlacement(r, tapeRow); err != nil {
			return fmt.Errorf("final row %d: %w\n%s", i, err, h.dump())
		}
		if r.optional {
			optional++
		}
		tapeRow--
	}
	if !whole {
		return nil
	}
	for ; i >= h.ledger.epoch; i-- {
		if !h.ledger.rows[i].optional && h.term.Scrolled() == h.term.ScrollbackLen() {
			return fmt.Errorf("final row %d, %q, is not on the tape\n%s", i, h.ledger.rows[i].text, h.dump())
		}
	}
	return h.checkAbove(t, tapeRow+1, optional)
}

// checkLive compares the rows of the tape (history plus grid) from row top on with window, the
// expected rows of the live region. It also requires that nothing stands below them.
func (h *harness) checkLive(t Tape, top int, window []*row) error {
	for i := top + len(window); i < t.Len(); i++ {
		if s := t.RowAt(i).Text(); s != "" {
			return fmt.Errorf("row %d below the live region reads %q", i-top-len(window), s)
		}
	}
	for i := len(window) - 1; i >= 0; i-- {
		r := window[i]
		if r == nil {
			continue
		}
		if err := h.checkLiveRow(r, t.RowAt(top+i), i == len(window)-1 || window[i+1] == nil, window, i,
			h.shown.overlay != nil); err != nil {
			return fmt.Errorf("live row %d: %w\n%s", i, err, h.dump())
		}
	}
	return nil
}

// checkAbove checks the rows of the tape (history plus grid) before row end, which a resize may
// have wrapped or cut: all final lines must be there, in order, with no more other rows than the
// renderer's Seam.Doubt admits.
func (h *harness) checkAbove(t Tape, end, optional int) error {
	cuts := h.cutsRows()
	if h.residue.raced && !h.window.oneColumn {
		return h.checkPieces(t, end)
	}
	lines := t.logicalLines(end)
	if cuts {
		lines = t.rowTexts(end)
		for i := range lines {
			lines[i] = Squeeze(lines[i])
		}
	}
	wants := wantedLines(h.ledger.rows[:h.ledger.epoch], cuts, h.model)
	if h.joinsCursorLine() {
		return nil // it has joined the cursor's line with final ones, and has cut that
	}
	if h.window.oneColumn && !cuts {
		return checkOrder(lines, wants)
	}
	mayBeSplit := h.mayBeApart()
	extra, foundOptional, missing := matchLines(lines, wants, mayBeSplit, h.model)
	// the lines below may have taken the cursor off the line that it would have cut
	if missing != nil && h.cursorDrifts() {
		wants = wantedLines(uncut(h.ledger.rows[:h.ledger.epoch]), cuts, h.model)
		extra, foundOptional, missing = matchLines(lines, wants, mayBeSplit, h.model)
	}
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place; besides there are %d more rows: %.40q\n%s",
			missing.text, len(extra), extra, h.dump())
	}
	if h.keepsBlankRows() {
		extra = slices.DeleteFunc(extra, func(s string) bool { return s == "" })
	}
	for h.keepsRowsFromEnd() && len(extra) > 0 && extra[0] == "" {
		extra = extra[1:] // a higher window shows rows from before there were any
	}
	h.residue.found, h.residue.mostFound = len(extra), max(h.residue.mostFound, len(extra))
	if admitted := h.admitted(); len(extra)+optional+foundOptional > admitted {
		return fmt.Errorf("%d rows too many and %d doubled, Seam.Doubt admits %d: %.40q\n%s", len(extra),
			optional+foundOptional, admitted, extra, h.dump())
	}
	if n := h.ledger.doubled; !h.window.resized && h.ledger.doubt > n {
		return fmt.Errorf("Seam.Doubt is %d, %d rows were handed over again", h.ledger.doubt, n)
	}
	return nil
}

// admitted returns the largest number of unexpected rows that may stand above the live region.
func (h *harness) admitted() int {
	return h.ledger.oldDoubt + h.ledger.doubt + h.residue.unheard + h.residue.splitLines + h.residue.padded
}

// rowAfter returns the row that must follow final row i on the tape (history plus grid): the next
// final row, or the first row of window, the live region. It returns nil if that row is not known.
func (h *harness) rowAfter(i int, window []*row) *row {
	switch {
	case i+1 < len(h.ledger.rows):
		return h.ledger.rows[i+1]
	case len(window) > 0 && h.allShown():
		return window[0]
	}
	return nil
}

// rowReads reports whether got, a row of the terminal, has the text of the expected row r. In a
// window of one column, combining marks and wide characters are ignored.
func (h *harness) rowReads(r *row, got vt.Row) bool {
	return r.mayRead(got.Text()) || h.window.cols == 1 && oneColumnText(r.text) == got.Text()
}

// checkLiveRow compares r, row i of the expected live region, with got, the terminal's row: text,
// cells, and whether it is soft-wrapped. last says that r is the last row. With an overlay only the
// cells are compared, see checkOverlaid.
func (h *harness) checkLiveRow(r *row, got vt.Row, last bool, window []*row, i int, overlay bool) error {
	if overlay {
		return checkOverlaid(r, got, h.window.cols)
	}
	if !h.rowReads(r, got) {
		return fmt.Errorf("%q, want %q", got.Text(), r.text)
	}
	// nothing is erased within a line then, so that a wrap from before may stay
	inDoubt := h.shown.careful && h.window.cols == 1
	if got.Wrapped() && !last && !r.wraps && !window[i+1].blank() && !inDoubt {
		return fmt.Errorf("%q is soft-wrapped by mistake", r.text)
	}
	return r.compare(got, h.window.cols)
}

// checkOverlaid compares the cells of a live row that an overlay may cover. It leaves out wide
// characters that the overlay may have cut in half.
func checkOverlaid(r *row, got vt.Row, cols int) error {
	if r.doubtful {
		return nil
	}
	for c := range min(cols, len(r.cells)) {
		want, g := r.cells[c], got.Cell(c)
		if cols == 1 {
			want.text, g.Text = oneColumnText(want.text), oneColumnText(g.Text)
		}
		if want.text == "" || c+1 < len(r.cells) && r.cells[c+1].text == "" || r.foreign && want == (glyph{text: " "}) {
			continue
		}
		if err := sameCell(g, want); err != nil {
			return fmt.Errorf("under an overlay, column %d: %w", c, err)
		}
	}
	return nil
}
