package stress

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// stack is the part of the goroutine's stack that names the renderer and us.
func stack() string {
	var out []string
	for _, line := range strings.Split(string(debug.Stack()), "\n") {
		if i := max(strings.LastIndex(line, "/renderer/"), strings.LastIndex(line, "/stress/")); i >= 0 &&
			len(out) < 8 {
			out = append(out, strings.TrimSpace(line[i+1:]))
		}
	}
	return strings.Join(out, "\n")
}

// judge compares the terminal with the ledger after a frame.
func (w *world) judge(wrote bool) error {
	if w.fresh {
		if !wrote {
			if w.l.b > 0 || w.shown.overlay == nil &&
				(min(len(w.shown.live), w.rows) > 1 || len(w.shown.live) > 0 &&
					!newRow(w.shown.live[len(w.shown.live)-1], w.liveCols(), w.model).blank()) {
				return errors.New("the first frame was not shown")
			}
			return nil
		}
		w.fresh = false
		if w.begin.Col > 0 && w.cols > 1 { // a partial line is kept above
			top := min(w.begin.Row+1, w.rows-1)
			w.scrolls += w.begin.Row + 1 - top
			w.l.t, w.l.c = -top, -top
		}
	}
	if err := w.account(); err != nil {
		return err
	}
	return w.look()
}

// account moves t and judges the seam.
func (w *world) account() error {
	l := &w.l
	live := len(w.shown.live)
	if w.shown.overlay != nil {
		need := min(w.rows, len(w.shown.overlay.Lines)+w.shown.overlay.Up)
		if w.seam.Live < need {
			return fmt.Errorf("Seam.Live is %d with an overlay that needs %d rows", w.seam.Live, need)
		}
	}
	if l.known {
		hidden := w.seam.Hidden
		if w.shown.overlay != nil {
			hidden = 0
		}
		w.scrolls += l.frame(w.seam.Live, hidden, w.rows)
	}
	w.part()
	return l.seam(w.seam, live, w.rows, w.shown.overlay != nil)
}

// part notes that the last final row is in history before the next one is on the screen, or shows
// anything, so that nothing can lead from one to the other any more.
func (w *world) part() {
	n := len(w.l.rows)
	if n == 0 || w.l.t != w.l.b {
		return
	}
	if !w.allShown() || w.window()[0].blank() {
		w.l.rows[n-1].loose = true
	}
}

// look compares the terminal with the ledger, unless the terminal lags behind.
func (w *world) look() error {
	if w.wire.stall || w.fresh {
		return nil
	}
	c := w.term.Cursor()
	switch {
	case w.term.Mode(2026, true):
		return errors.New("DEC 2026 is on between frames")
	case !w.term.Mode(7, true):
		return errors.New("autowrap is off between frames")
	case w.term.Pen() != (vt.Style{}):
		return fmt.Errorf("the pen is %+v between frames", w.term.Pen())
	case c.PendingWrap:
		return errors.New("the cursor rests on a pending wrap")
	}
	at, show := w.rest()
	if w.shown.careful { // the row may be shown in part, and the caret stays within it
		if rows := w.window(); rows[at.Row] != nil && !rows[at.Row].foreign {
			at.Col = min(at.Col, len(rows[at.Row].cells))
		} else {
			at.Col = min(at.Col, c.Col)
		}
	}
	if !show && w.config.Lines && w.blankFrom(c.Col, c.Row) {
		at.Col = c.Col // the end of its row, as the terminal measures it
	}
	if c.Visible != show || c.Col != at.Col {
		return fmt.Errorf("the cursor is in column %d, visible %v; want %d, %v", c.Col, c.Visible, at.Col, show)
	}
	if !w.l.known {
		top := c.Row - at.Row
		if w.l.vague && top+w.seam.Live > w.rows {
			return nil // below a row that the terminal has wrapped, blank ones have no room yet and need none
		}
		if top < 0 || top+w.seam.Live > w.rows {
			return fmt.Errorf("the cursor is on grid row %d, row %d of a live region of %d, on %d", c.Row, at.Row,
				w.seam.Live, w.rows)
		}
		w.l.anchor(top)
		w.part()
		w.before()
	}
	top := w.l.b - w.l.t
	if c.Row != top+at.Row {
		return fmt.Errorf("the cursor is on grid row %d, want %d; the live region begins on %d", c.Row, top+at.Row, top)
	}
	if w.scrolls >= 0 {
		if n := w.term.Scrolled() - w.pushed; n != w.scrolls {
			return fmt.Errorf("%d rows went to the history, want %d (T is %d, B %d)", n, w.scrolls, w.l.t, w.l.b)
		}
	}
	w.before()
	if err := w.stillInView(); err != nil {
		return err
	}
	window := w.window()
	whole := w.full <= 0
	if w.full--; whole {
		w.full = 16
	}
	return w.tape(w.term.ScrollbackLen()+top, window, whole)
}

// before takes note of the rows in history; from now on they are counted.
func (w *world) before() { w.pushed, w.scrolls = w.term.Scrolled(), 0 }

// rest is where the cursor must stand: a row of the window and a column of the grid.
func (w *world) rest() (at renderer.Pos, show bool) {
	n := w.seam.Live
	switch o := w.shown.overlay; {
	case o != nil && o.Cursor != nil:
		at, show = renderer.Pos{Col: o.Col + o.Cursor.Col, Row: n - o.Up - len(o.Lines) + o.Cursor.Row}, true
	case o != nil:
	case w.shown.caret != nil:
		at, show = *w.shown.caret, true
		at.Row += n - len(w.shown.live)
	}
	at.Col = max(0, min(at.Col, w.cols-1))
	at.Row = max(0, min(at.Row, n-1))
	return at, show
}

// window lists the rows of the live region as they should stand on the grid. A nil row is not
// judged.
func (w *world) window() []*row {
	n := w.seam.Live
	out := make([]*row, n)
	cols := w.liveCols()
	for i := range n {
		if j := len(w.shown.live) - n + i; j >= 0 {
			out[i] = newRow(w.shown.live[j], cols, w.model)
		}
	}
	if len(w.shown.live) == 0 && w.shown.overlay == nil {
		out[n-1] = &row{cols: w.cols}
	}
	if o := w.shown.overlay; o != nil {
		for i, l := range o.Lines {
			if at := n - o.Up - len(o.Lines) + i; at >= 0 && at < n {
				width := max(0, w.cols-o.Col)
				if o.Width > 0 {
					width = min(width, o.Width)
				}
				over := newRow(l, width, w.model)
				for len(over.cells) < width {
					over.cells = append(over.cells, glyph{text: " "})
				}
				out[at] = covered(out[at], over, o.Col)
			}
		}
	}
	return out
}

// liveCols is the width to which live rows are shown.
func (w *world) liveCols() int {
	if w.shown.careful {
		return carefulCols(w.cols)
	}
	return w.cols
}

// covered is r with over on it from column col on; glyphs without text are not judged.
func covered(r, over *row, col int) *row {
	out := &row{foreign: r == nil} // of a row that nobody knows only the overlay's own columns are judged
	for c := range col {
		g := glyph{text: " "}
		if r != nil {
			g = r.at(c)
		}
		out.cells = append(out.cells, g)
	}
	for i := col - 1; r != nil && r.at(i+1).text == "" && i >= 0; i-- {
		out.cells[i] = glyph{text: " "} // half a character is none
	}
	out.cells = append(out.cells, over.cells...)
	if n := len(out.cells); r != nil && len(r.cells) > n {
		out.cells = append(out.cells, r.cells[n:]...)
		for i := n; i < len(r.cells) && r.cells[i].text == ""; i++ {
			out.cells[i] = glyph{text: " "}
		}
	}
	out.doubtful = r != nil && r.doubtful
	out.doubtful = out.doubtful || over.doubtful
	out.trim()
	return out
}

// tape compares history and grid. The window stands on the tape from row top on; with whole, all
// rows above it are compared.
func (w *world) tape(top int, window []*row, whole bool) error {
	t := tape{w.term.Terminal}
	for i := top + len(window); i < t.rows(); i++ {
		if s := t.row(i).Text(); s != "" {
			return fmt.Errorf("row %d below the live region reads %q", i-top-len(window), s)
		}
	}
	for i := len(window) - 1; i >= 0; i-- {
		r := window[i]
		if r == nil {
			continue
		}
		if err := w.oneRow(r, t.row(top+i), i == len(window)-1 || window[i+1] == nil, window, i,
			w.shown.overlay != nil); err != nil {
			return fmt.Errorf("live row %d: %w\n%s", i, err, w.show())
		}
	}
	least := 0
	if !whole {
		least = max(w.l.epoch, len(w.l.rows)-2*w.rows-8)
	}
	at, optional := top-1, 0
	i := len(w.l.rows) - 1
	for ; i >= max(least, w.l.epoch) && at >= 0; i-- {
		r := w.l.rows[i]
		got := t.row(at)
		if !w.reads(r, got) {
			if r.optional {
				continue
			}
			return fmt.Errorf("final row %d of %d reads %q, want %q\n%s", i, len(w.l.rows), got.Text(), r.text,
				w.show())
		}
		join := got.Wrapped()
		if next := w.next(i, window); next != nil && !r.loose && !r.foreign && !next.blank() &&
			join != r.joins(next, w.cols) {
			return fmt.Errorf("final row %d, %q: soft-wrapped is %v, want %v\n%s", i, r.text, join, !join, w.show())
		}
		if err := r.differs(got, w.cols); err != nil && (whole || at >= w.term.ScrollbackLen()) {
			return fmt.Errorf("final row %d, %q: %w\n%s", i, r.text, err, w.show())
		}
		if err := w.hangs(r, at); err != nil {
			return fmt.Errorf("final row %d: %w\n%s", i, err, w.show())
		}
		if r.optional {
			optional++
		}
		at--
	}
	if !whole {
		return nil
	}
	for ; i >= w.l.epoch; i-- {
		if !w.l.rows[i].optional && w.term.Scrolled() == w.term.ScrollbackLen() {
			return fmt.Errorf("final row %d, %q, is not on the tape\n%s", i, w.l.rows[i].text, w.show())
		}
	}
	return w.above(t, at+1, optional)
}

// above judges the part of the tape that a resize may have changed, rows below end: whole lines, in
// order, and no more of anything else than the renderer admits.
func (w *world) above(t tape, end, optional int) error {
	cut := w.profile.Differs.Reflow == profile.Cut
	if w.raced && !w.single {
		return w.inPieces(t, end)
	}
	lines := t.lines(end)
	if cut {
		lines = t.texts(end)
		for i := range lines {
			lines[i] = squeeze(lines[i])
		}
	}
	ws := wants(w.l.rows[:w.l.epoch], cut, w.model)
	if w.single && w.profile.Differs.Reflow == profile.RewrapButCursor {
		return nil // it has joined the cursor's line with final ones, and has cut that
	}
	if w.single && !cut {
		return inOrder(lines, ws)
	}
	apart := w.apart > 0 || w.profile.Differs.ReflowTears
	extra, more, missing := match(lines, ws, apart, w.model)
	// the lines below may have taken the cursor off the line that it would have cut
	if missing != nil && w.profile.Differs.ReflowDrifts {
		extra, more, missing = match(lines, wants(uncut(w.l.rows[:w.l.epoch]), cut, w.model), apart, w.model)
	}
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place; besides there are %d more rows: %.40q\n%s",
			missing.text, len(extra), extra, w.show())
	}
	// kitty since 0.40 leaves blank rows where a line that begins in history has gone there whole;
	// in foot and urxvt a row that was erased is still one.
	if w.saved || w.profile.Differs.Layout.In(profile.LayoutJoined, profile.LayoutByEnds, profile.LayoutTopLine) {
		extra = slices.DeleteFunc(extra, func(s string) bool { return s == "" })
	}
	for w.profile.Differs.Layout == profile.LayoutFromEnd && len(extra) > 0 && extra[0] == "" {
		extra = extra[1:] // a higher window shows rows from before there were any
	}
	w.extra, w.most = len(extra), max(w.most, len(extra))
	if admitted := w.l.before + w.l.doubt + w.unheard + w.apart + w.padded; len(extra)+optional+more > admitted {
		return fmt.Errorf("%d rows too many and %d doubled, Seam.Doubt admits %d: %.40q\n%s", len(extra),
			optional+more, admitted, extra, w.show())
	}
	if n := w.l.doubled; !w.resized && w.l.doubt > n {
		return fmt.Errorf("Seam.Doubt is %d, %d rows were handed over again", w.l.doubt, n)
	}
	return nil
}

// next is the row that must follow final row i, nil if nothing is known about it.
func (w *world) next(i int, window []*row) *row {
	switch {
	case i+1 < len(w.l.rows):
		return w.l.rows[i+1]
	case len(window) > 0 && w.allShown():
		return window[0]
	}
	return nil
}

// reads reports whether got reads as r should. In one column no marks are drawn.
func (w *world) reads(r *row, got vt.Row) bool {
	return r.shows(got.Text()) || w.cols == 1 && simple(r.text) == got.Text()
}

// oneRow compares a live row with the terminal's.
func (w *world) oneRow(r *row, got vt.Row, last bool, window []*row, i int, overlay bool) error {
	if overlay {
		return overlaid(r, got, w.cols)
	}
	if !w.reads(r, got) {
		return fmt.Errorf("%q, want %q", got.Text(), r.text)
	}
	// nothing is erased within a line then, so that a wrap from before may stay
	inDoubt := w.shown.careful && w.cols == 1
	if got.Wrapped() && !last && !r.join && !window[i+1].blank() && !inDoubt {
		return fmt.Errorf("%q is soft-wrapped by mistake", r.text)
	}
	return r.differs(got, w.cols)
}

// overlaid compares the cells of a row under an overlay, but for wide characters that the overlay
// may have cut.
func overlaid(r *row, got vt.Row, cols int) error {
	if r.doubtful {
		return nil
	}
	for c := range min(cols, len(r.cells)) {
		want, g := r.cells[c], got.Cell(c)
		if cols == 1 {
			want.text, g.Text = simple(want.text), simple(g.Text)
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

// repaint shows the same picture by a renderer that knows nothing yet in an empty terminal, and
// compares the live regions.
func (w *world) repaint() error {
	if w.fresh || w.shown.overlay != nil || len(w.l.waiting) > 0 {
		return nil
	}
	other := w.profile.New(w.cols, w.rows, 0)
	c := w.config
	c.Out, c.Cols, c.Rows = other, w.cols, w.rows
	r := renderer.New(c)
	final := slices.Clone(w.l.handed[max(0, len(w.l.handed)-w.rows):])
	for i := range final {
		final[i].Picture = nil // it would be drawn here, too
	}
	s, err := r.Render(renderer.Frame{Commit: final, Live: w.shown.live, Careful: w.shown.careful,
		Cursor: w.shown.caret})
	if err != nil || s.Live != w.seam.Live {
		return fmt.Errorf("a full repaint shows %d live rows, not %d, %v", s.Live, w.seam.Live, err)
	}
	a, b := w.term.Cursor().Row, other.Cursor().Row
	at, _ := w.rest()
	for i := range s.Live {
		x, y := w.term.Row(a-at.Row+i), other.Row(b-at.Row+i)
		for c := range w.cols {
			if c == w.cols-1 && x.Wrapped() && x.Cell(c).Text == "" && y.Cell(c).Text == "" {
				continue // left blank for a wide character, with the pen of the time
			}
			if i == s.Live-1 && w.seam.Doubt > 0 && c >= x.Used() {
				break // an ED has taken what a cluster left behind the text, or had no room to be sent
			}
			if x.Cell(c) != y.Cell(c) && (x.Cell(c).Text != "" || y.Cell(c).Text != " ") &&
				(x.Cell(c).Text != " " || y.Cell(c).Text != "") {
				return fmt.Errorf("live row %d, column %d: %+v, after a full repaint %+v\n%s", i, c, x.Cell(c),
					y.Cell(c), w.show())
			}
		}
	}
	return nil
}

// show is the end of the tape beside what it should be, for failures.
func (w *world) show() string {
	t := tape{w.term.Terminal}
	var b strings.Builder
	c := w.term.Cursor()
	fmt.Fprintf(&b, "%s %dx%d, %d rows in history, cursor %d,%d, T %d, B %d, seam %+v\n", w.profile.Name, w.cols,
		w.rows, w.term.ScrollbackLen(), c.Row, c.Col, w.l.t, w.l.b, w.seam)
	line := func(mark string, text string, wrapped bool) {
		if wrapped {
			text += "↩"
		}
		fmt.Fprintf(&b, "  %s %.70s\n", mark, text)
	}
	b.WriteString(" the tape\n")
	for i := max(0, t.ScrollbackLen()-6); i < t.rows(); i++ {
		mark := "hist"
		if i >= t.ScrollbackLen() {
			mark = fmt.Sprintf("%4d", i-t.ScrollbackLen())
		}
		if i > t.ScrollbackLen()+30 {
			break
		}
		line(mark, t.row(i).Text(), t.row(i).Wrapped())
	}
	b.WriteString(" wanted above the live region\n")
	for _, r := range w.l.rows[max(0, len(w.l.rows)-min(w.rows+6, 20)):] {
		mark := "    "
		if r.optional {
			mark = "maybe"
		}
		line(mark, r.text, r.join)
	}
	b.WriteString(" live\n")
	for _, l := range w.shown.live[max(0, len(w.shown.live)-w.rows):] {
		r := newRow(l, w.cols, w.model)
		line("    ", r.text, r.join)
	}
	fmt.Fprintf(&b, " last Write %.600q\n", w.wire.last)
	return b.String()
}

// carefulCols is the width up to which careful frames show live rows.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// allShown reports whether no row stands between the last final row on the tape and the first one
// in the window.
func (w *world) allShown() bool {
	return w.seam.Hidden == 0 && w.shown.overlay == nil && len(w.l.waiting) == 0
}

// blankFrom reports whether the row shows nothing from column col on.
func (w *world) blankFrom(col, row int) bool {
	for ; col < w.cols; col++ {
		if c := w.term.Row(row).Cell(col); c.Text != "" && c.Text != " " {
			return false
		}
	}
	return true
}
