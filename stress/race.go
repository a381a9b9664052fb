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

// inFlight changes the window while an ordinary frame, with all that has been held for it, is in
// flight: the terminal has taken some of it, or nothing, when it gets the new size, and the rest
// after that. From then on the rows of this frame and those before it are looked for as text (see
// inPieces).
func (w *world) inFlight(o program.Op) error {
	cols := w.cols
	window := w.window()
	w.shown = w.scene()
	w.hang()
	w.wire.stall = true
	s, err := w.r.Render(renderer.Frame{Base: w.base, Commit: w.commit, Live: w.shown.live, Careful: w.careful,
		Cursor: w.shown.caret, Overlay: w.overlay})
	if err != nil {
		return err
	}
	p, before := w.wire.take(), 0
	// the cursor of kitty and urxvt leaves a row that shows nothing
	if o.At == 1 && !w.profile.Differs.Layout.In(profile.LayoutApart, profile.LayoutJoined, profile.LayoutTopLine) {
		before = o.N % (len(p) + 1)
	}
	w.wire.put(p[:before])
	for ; before < len(p) && before > 0 && (w.term.Cursor().Col > 0 ||
		w.term.Row(w.term.Cursor().Row).Text() != ""); before++ {
		w.wire.put(p[before : before+1]) // a cursor between texts is not kept there by all terminals (ghostty)
	}
	n := len(w.l.rows)
	w.seam = s
	w.l.commit(w.base, w.commit, w.overlay != nil, w.careful, w.cols, w.rows, w.model)
	w.sized(o.Cols, o.Rows)
	w.wire.put(p[before:])
	for _, r := range w.l.rows[n:] {
		// behind a cluster in doubt the cursor is put into a column, which is another one there
		r.torn = r.holds() && !w.careful
	}
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
		// Which of the pieces of such a row the terminal has cut cannot be told.
		if r.torn || i >= n && w.profile.Differs.Reflow == profile.Cut {
			w.stale += w.height(r, cols)
		}
	}
	w.commit, w.base = nil, len(w.l.handed)
	w.raced, w.untold = true, true
	return w.wire.bad
}

// inPieces requires the texts of final rows in their order, whatever stands in between, of which
// there may be no more than stale says.
func (w *world) inPieces(t tape, end int) error {
	if w.term.Scrolled() > w.term.ScrollbackLen() {
		return nil // the first rows are gone
	}
	all, ends := w.allText(t, end)
	at, missing := w.places(all)
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place, where the size changed while a frame was in flight\n%s",
			missing.text, w.show())
	}
	stale, goesOn := 0, false // a line counts once: a narrower window makes more rows of what was left before
	for i, from := 0, 0; i < end; i++ {
		ours := slices.ContainsFunc(at, func(p place) bool { return p.from < ends[i] && p.to > from })
		left := !ours && ends[i] > from
		if left && !goesOn {
			stale++
		}
		from, goesOn = ends[i], left && t.row(i).Wrapped()
	}
	most := w.stale + w.l.before + w.l.doubt + w.unheard + w.apart + w.padded
	cut := w.profile.Differs.Reflow == profile.Cut
	for _, r := range w.l.rows[:w.l.epoch] {
		// Where the terminal breaks it is not known, or nothing must be left of it where the window
		// was narrow: a piece may read as nothing of it.
		if r.holds() || cut && r.text != "" && squeeze(atLeast(r.text, r.cols-1, w.model)) == "" {
			most++
		}
	}
	if stale > most && !w.narrow {
		return fmt.Errorf("%d rows that are no final ones stand above the live region, where the size changed"+
			" while a frame was in flight; it may be %d\n%s", stale, most, w.show())
	}
	return nil
}

// A place is where a final row stands in the text of the tape.
type place struct{ from, to int }

// places are those of the final rows in all, in their order. missing is one that has none, nil if
// all have one; those that may be torn need none.
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

// piece is where r stands in all: as a whole, or what may be left of it. It reaches further than to
// where more of it may be there than must.
func (w *world) piece(all string, r *row) (from, to, reach int) {
	from, to = where(all, squeeze(r.text), w.model)
	less := squeeze(r.left(w.model))
	cut := w.profile.Differs.Reflow == profile.Cut
	if cut {
		less = squeeze(atLeast(r.text, r.cols-1, w.model))
	}
	if cut && less == "" && to >= 0 {
		return from, 0, to // nothing of it must be left, as of a wide character where one column is
	}
	if f, t := where(all, less, w.model); t >= 0 && (cut || to < 0 || f < from) {
		if f == from {
			return f, t, max(t, to)
		}
		return f, t, t
	}
	return from, to, to
}

// allText is what the rows below end read, in one, and where each of them ends. A NUL stands before
// a cluster that may not be one of the text: where a wide one has no room at the edge, kitty since
// 0.40 leaves in the last column what another row had there, and no program hears of that edge in
// time.
func (w *world) allText(t tape, end int) (all string, ends []int) {
	var b strings.Builder
	for i := range end {
		text := squeeze(t.row(i).Text())
		if last := t.row(i).Cell(w.cols - 1); w.profile.Differs.LeadingWidths && last.Width == 1 &&
			t.row(i).Wrapped() && i+1 < t.rows() && t.row(i+1).Cell(0).Width > 1 {
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

// height is how many rows r takes at most where it is wrapped anew; it was shown on cols columns,
// all of which it may fill if it is not known.
func (w *world) height(r *row, cols int) int {
	if r != nil {
		cols = len(r.cells)
	}
	room := max(1, w.cols-1) // a wide character may leave a column free
	return max(1, (cols+room-1)/room)
}
