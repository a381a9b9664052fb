package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// meet sends an ordinary frame, with all that has been held for it, that meets a change of the window on its way: the terminal has taken some of it, or
// nothing, when it gets the new size, and the rest after that. No program can undo what it has written for another width, so that from then on the rows of
// this frame and those before it are looked for as text (see inPieces).
func (w *world) meet(o program.Op) error {
	cols, rows, at, col := w.cols, w.rows, w.term.Cursor().Row, w.term.Cursor().Col
	end := w.l.b - w.l.t + w.seam.Live // of the live region, a row of the grid
	below, lower, room := at < end-1, o.Rows < rows, o.Rows
	if d := w.profile.Differs; !d.ReflowFromEnd && !d.ReflowRelays && !d.ReflowTopLine {
		lower = lower && end > o.Rows
	} else { // those take blank rows for rows
		room -= max(0, rows-end)
	}
	window, joins := w.window(), 0
	tape, stood := tape{w.term.Terminal}, ""
	for i := max(0, w.term.ScrollbackLen()+w.l.b-w.l.t); i < tape.rows(); i++ {
		stood += squeeze(tape.row(i).Text())
	}
	for i, top := max(0, w.term.ScrollbackLen()+w.l.b-w.l.t-1), tape.rows(); i < top; i++ { // from the last final row on
		if tape.row(i).Wrapped() {
			joins++
		}
	}
	w.shown = w.scene()
	w.hang()
	w.wire.stall = true
	w.wire.marks = o.At == 2 && !w.careful
	s, err := w.r.Render(renderer.Frame{Base: w.base, Commit: w.commit, Live: w.shown.live, Careful: w.careful, Cursor: w.shown.caret, Overlay: w.overlay, Mark: w.wire.marks})
	w.wire.marks = false
	if err != nil {
		return err
	}
	p, before := w.wire.take(), 0
	if d := w.profile.Differs; o.At == 1 && !d.ReflowApart && !d.ReflowJoined && !d.ReflowTopLine { // the cursor of kitty and urxvt leaves a row that shows nothing
		before = o.N % (len(p) + 1)
	}
	w.wire.put(p[:before])
	for ; before < len(p) && before > 0 && (w.term.Cursor().Col > 0 || w.term.Row(w.term.Cursor().Row).Text() != ""); before++ {
		w.wire.put(p[before : before+1]) // a cursor between texts is not kept there by all terminals (ghostty)
	}
	// What is below the cursor goes, or stays while the cursor does not; kitty 0.26 takes it to another column.
	astray := lower && (below || before > 0) || w.profile.Differs.ReflowApart && col > 0
	w.sized(o.Cols, o.Rows)
	w.wire.put(p[before:])
	n := len(w.l.rows)
	w.seam = s
	w.l.commit(w.base, w.commit, w.overlay != nil, w.careful, cols, rows, w.model)
	w.tear(n, joins, window, p, cols, room, astray)
	w.l.resized(o.Cols)
	w.mend(window, stood)
	for _, r := range window {
		w.stale += w.height(r, cols)
	}
	for i := range s.Live {
		if j := len(w.shown.live) - s.Live + i; j < 0 || w.overlay != nil {
			w.stale += w.height(nil, cols)
		} else {
			w.stale += w.height(newRow(w.shown.live[j], cols, w.model), cols)
		}
	}
	for i, r := range w.l.rows {
		// Which of the pieces of such a row the terminal has cut cannot be told; and what is taken back is written again, at the worst below what stood there.
		if r.torn || i >= n && (w.profile.Differs.Reflow == profile.Cut || s.Marked) {
			w.stale += w.height(r, cols)
		}
	}
	w.commit, w.base = nil, len(w.l.handed)
	w.met, w.late, w.sure, w.flown = true, true, s.Marked, n
	return w.wire.bad
}

// again renders a frame after a marked one has met the change. If that writes the final rows of the marked one once more, that has been taken back: they are
// whole, whatever it has written.
func (w *world) again() error {
	n, all := w.flown, ""
	for _, r := range w.l.rows[n:] {
		all += squeeze(r.text)
	}
	end := len(w.l.rows)
	w.l.doubled++ // they count as handed over, and as history when they are written again
	if err := w.frame(); err != nil {
		return err
	}
	wrote := ""
	for _, r := range runs(w.wire.last) {
		wrote += r.text
	}
	if all != "" && strings.Contains(wrote, all) {
		for _, r := range w.l.rows[n:end] {
			r.torn, r.bitten = false, false
		}
	}
	return nil
}

// tear notes which final rows need not be whole, for reasons that lie in the terminal: p was written for another width. Rows from n on are of that frame, window
// is what was shown before it, on cols columns, with so many joins, and has room for so many rows; astray says that the cursor is on another row than its text.
//
// What is printed in one go is whole wherever it comes to stand, but for a cluster at a wrap, where an erasure or a backspace met the edge; and the rows of a line that is not
// are moved by the terminal, and moves between them lead elsewhere, unless none of them changes its height. Where they are joined a move up leads
// too far, as it does in urxvt, whose cursor goes to the first row of its line, and in xterm.js, whose cursor drifts.
func (w *world) tear(n, joins int, window []*row, p []byte, cols, room int, astray bool) {
	rows := w.l.rows
	kind, high := joins == 0 && !astray && max(len(window), len(rows)-n+w.seam.Live) <= room, 0
	for _, r := range slices.Concat(window, rows[n:]) {
		kind = kind && (r == nil || len(r.cells) <= w.cols && !(r.join && w.cols > cols)) // a line has fewer rows in a wider window
	}
	if w.cols > cols {
		high = joins
	}
	rest := runs(p)
	stops := astray && slices.ContainsFunc(rest, func(r run) bool { return r.drops }) // a move down, and the next one up leads too far
	if d := w.profile.Differs; (d.ReflowTopLine || d.ReflowDrifts) && !kind || stops {
		high = len(window)
	}
	for i := n - 1; i >= 0 && (high > 0 || rows[i].join); i-- {
		rows[i].torn = true
		if !rows[i].join {
			high--
		}
	}
	for from, to := n, n; from < len(rows); from = to {
		line := ""
		for to = from; to < len(rows) && (to == from || rows[to-1].join); to++ {
			line += squeeze(rows[to].text)
		}
		joined := from > 0 && rows[from-1].join
		var one *run
		one, rest = takeRun(rest, line, joined, w.model)
		// Behind a cluster in doubt the cursor is put into a column, which is another one if the terminal breaks the line elsewhere.
		still := to-from == 1 && !joined || !slices.ContainsFunc(rows[from:to], (*row).holds)
		for i, r := range rows[from:to] {
			next := from + i + 1
			full := r.join && len(r.cells) == cols && r.cells[0].style.Bg == 0 && !(next < len(rows) && rows[next].blank())
			r.bitten = (i > 0 || joined) && !full && r.at(0).text != " " // by an EL, see join in package renderer
			r.torn = line != "" && (one == nil && !kind || !still || one != nil && (one.lifts || one.drops))
		}
	}
}

// inPieces requires the texts of final rows in their order, whatever stands in between, of which there may be no more than stale says.
func (w *world) inPieces(t tape, end int) error {
	all, ends := w.allText(t, end)
	at, missing := w.places(all)
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place, where a frame met another size\n%s", missing.text, w.show())
	}
	stale := 0
	for i, from := 0, 0; i < end; i++ {
		ours := slices.ContainsFunc(at, func(p place) bool { return p.from < ends[i] && p.to > from })
		if !ours && ends[i] > from {
			stale++
		}
		from = ends[i]
	}
	if stale > w.stale {
		return fmt.Errorf("%d rows that are no final ones stand above the live region, where a frame met another size; it may be %d\n%s", stale, w.stale, w.show())
	}
	return nil
}

// A place is where a final row stands in the text of the tape.
type place struct{ from, to int }

// places are those of the final rows in all, in their order. missing is one that has none, nil if all have one; those that may be torn need none.
func (w *world) places(all string) (at []place, missing *row) {
	end, last := 0, 0 // of those that must be there, and of all
	for _, r := range w.l.rows[:w.l.epoch] {
		must, begin := !r.optional && !r.torn, end
		if !must {
			begin = last // behind the one before, if it is there: rows that read the same are several
		}
		from, to, reach := w.piece(all[begin:], r)
		if to < 0 && begin > end {
			begin = end
			from, to, reach = w.piece(all[begin:], r)
		}
		switch {
		case to < 0 && must:
			return at, r
		case to < 0:
			continue
		}
		at = append(at, place{begin + from, begin + reach})
		last = begin + to
		if must {
			end = last
		}
	}
	return at, nil
}

// mend takes back that rows are torn which the frame has left whole after all: what is lost of them from now on the program loses. A text that live rows show,
// or that more than that row of the window had, which read stood before the frame, may be theirs.
func (w *world) mend(window []*row, stood string) {
	t := tape{w.term.Terminal}
	all, _ := w.allText(t, t.rows())
	live := ""
	for _, l := range w.shown.live {
		live += squeeze(textOf(l))
	}
	if o := w.shown.overlay; o != nil {
		for _, l := range o.Lines {
			live += squeeze(textOf(l))
		}
	}
	own := map[string]int{}
	for _, r := range window {
		if r != nil {
			own[squeeze(r.text)] = 1
		}
	}
	for _, r := range w.l.rows {
		text := squeeze(r.text)
		if !r.torn || text == "" || strings.Contains(live, text) || strings.Count(stood, text) > own[text] {
			continue
		}
		r.torn = false
		if _, missing := w.places(all); missing != nil {
			r.torn = true
		}
	}
}

// piece is where r stands in all: as a whole, or what may be left of it. It reaches further than to where more of it may be there than must.
func (w *world) piece(all string, r *row) (from, to, reach int) {
	from, to = where(all, squeeze(r.text), w.model)
	less := squeeze(r.left(w.model))
	cut := w.profile.Differs.Reflow == profile.Cut
	if cut {
		less = ""
		for _, s := range program.Cut([]renderer.Span{{Text: r.text}}, max(0, r.cols-1), w.model) {
			less += squeeze(s.Text)
		}
	}
	if first, rest, _ := w.model.Next(less); r.bitten && first != "" {
		less = rest
	}
	if f, t := where(all, less, w.model); t >= 0 && (cut || to < 0 || f < from) {
		if f == from {
			return f, t, max(t, to)
		}
		return f, t, t
	}
	return from, to, to
}

// allText is what the rows below end read, in one, and where each of them ends. A NUL stands before a cluster that may not be one of the text: where a wide one
// has no room at the edge, kitty since 0.40 leaves in the last column what another row had there, and no program hears of that edge in time.
func (w *world) allText(t tape, end int) (all string, ends []int) {
	var b strings.Builder
	for i := range end {
		text := squeeze(t.row(i).Text())
		if last := t.row(i).Cell(w.cols - 1); w.profile.Differs.LeadingWidths && last.Width == 1 && t.row(i).Wrapped() && i+1 < t.rows() && t.row(i+1).Cell(0).Width > 1 {
			if left := squeeze(last.Text); left != "" {
				text = strings.TrimSuffix(text, left) + "\x00" + left
			}
		}
		b.WriteString(text)
		ends = append(ends, b.Len())
	}
	return b.String(), ends
}

// where is where text stands in all, to is -1 if it does not.
func where(all, text string, m width.Model) (from, to int) {
	if text == "" || strings.IndexByte(all, 0) < 0 {
		if from = strings.Index(all, text); from < 0 {
			return 0, -1
		}
		return from, from + len(text)
	}
	for from = range all {
		if n := prefix(all[from:], text, m); n >= 0 {
			return from, from + n
		}
	}
	return 0, -1
}

// prefix is how much of all reads text, -1 if all does not begin with it.
func prefix(all, text string, m width.Model) int {
	for n := 0; ; n++ {
		switch {
		case text == "":
			return n
		case n == len(all):
			return -1
		case all[n] != 0 && all[n] != text[0]:
			return -1
		case all[n] != 0:
			text = text[1:]
			continue
		}
		if k := prefix(all[n+1:], text, m); k >= 0 {
			return n + 1 + k
		}
		left, _, _ := m.Next(all[n+1:])
		n += len(left)
	}
}

// height is how many rows r takes at most where it is wrapped anew; it was shown on cols columns, all of which it may fill if it is not known.
func (w *world) height(r *row, cols int) int {
	if r != nil {
		cols = len(r.cells)
	}
	room := max(1, w.cols-1) // a wide character may leave a column free
	return max(1, (cols+room-1)/room)
}
