package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// checkPieces requires the texts of final rows in their order, whatever stands in between. Of that
// there may be no more than residue.stale says.
func (h *harness) checkPieces(t Tape, end int) error {
	if h.term.Scrolled() > h.term.ScrollbackLen() {
		return nil // the first rows are gone
	}
	all, ends := h.allText(t, end)
	at, missing := h.findPlaces(all)
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place, where the size changed while a frame was in flight\n%s",
			missing.text, h.dump())
	}
	stale, goesOn := 0, false // a line counts once: a narrower window makes more rows of what was left before
	for i, from := 0, 0; i < end; i++ {
		ours := slices.ContainsFunc(at, func(p place) bool { return p.from < ends[i] && p.to > from })
		left := !ours && ends[i] > from
		if left && !goesOn {
			stale++
		}
		from, goesOn = ends[i], left && t.RowAt(i).Wrapped()
	}
	most := h.residue.stale + h.admitted()
	cut := h.cutsRows()
	for _, r := range h.ledger.rows[:h.ledger.epoch] {
		// Where the terminal breaks it is not known, or nothing must be left of it where the window
		// was narrow: a piece may read as nothing of it.
		if r.holdsDoubt() || cut && r.text != "" && Squeeze(surelyShown(r.text, r.cols-1, h.model)) == "" {
			most++
		}
	}
	if stale > most && !h.window.narrow {
		return fmt.Errorf("%d rows that are no final ones stand above the live region, where the size changed"+
			" while a frame was in flight; it may be %d\n%s", stale, most, h.dump())
	}
	return nil
}

// A place is where a final row stands in the text of the tape.
type place struct{ from, to int }

// findPlaces returns where the final rows stand in all, in their order. missing is one that stands
// nowhere and must, nil if there is none.
func (h *harness) findPlaces(all string) (at []place, missing *row) {
	end, last := 0, 0 // of those that must be there, and of all
	for _, r := range h.ledger.rows[:h.ledger.epoch] {
		must, begin := !r.optional && !r.mayBeTorn, end
		if !must {
			begin = last // behind the one before, if it is there: rows that read the same are several
		}
		from, to, reach := h.findPiece(all[begin:], r)
		if to < 0 && begin > end {
			begin = end
			from, to, reach = h.findPiece(all[begin:], r)
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

// findPiece returns where r stands in all, as a whole, or what may be left of it. It reaches
// further than to where more of it may be there than must.
func (h *harness) findPiece(all string, r *row) (from, to, reach int) {
	from, to = findText(all, Squeeze(r.text), h.model)
	less := Squeeze(r.leftByCut(h.model))
	cut := h.cutsRows()
	if cut {
		less = Squeeze(surelyShown(r.text, r.cols-1, h.model))
	}
	if cut && less == "" && to >= 0 {
		return from, 0, to // nothing of it must be left, as of a wide character where one column is
	}
	if f, t := findText(all, less, h.model); t >= 0 && (cut || to < 0 || f < from) {
		if f == from {
			return f, t, max(t, to)
		}
		return f, t, t
	}
	return from, to, to
}

// allText returns what the rows below end read, in one, and where each of them ends. A NUL stands
// before a cluster that may not be one of the text: where a wide one has no room at the edge, kitty
// since 0.40 leaves in the last column what another row had there, and no program hears of that
// edge in time.
func (h *harness) allText(t Tape, end int) (all string, ends []int) {
	var b strings.Builder
	for i := range end {
		text := Squeeze(t.RowAt(i).Text())
		if last := t.RowAt(i).Cell(h.window.cols - 1); h.leavesCellAtEdge() && last.Width == 1 &&
			t.RowAt(i).Wrapped() && i+1 < t.Len() && t.RowAt(i+1).Cell(0).Width > 1 {
			if left := Squeeze(last.Text); left != "" {
				text = strings.TrimSuffix(text, left) + "\x00" + left
			}
		}
		b.WriteString(text)
		ends = append(ends, b.Len())
	}
	return b.String(), ends
}

// findText returns where text stands in all; to is -1 if it does not.
func findText(all, text string, m width.Model) (from, to int) {
	if text == "" || strings.IndexByte(all, 0) < 0 {
		if from = strings.Index(all, text); from < 0 {
			return 0, -1
		}
		return from, from + len(text)
	}
	for from = range all {
		if n := prefixLen(all[from:], text, m); n >= 0 {
			return from, from + n
		}
	}
	return 0, -1
}

// prefixLen returns how much of all reads text, -1 if all does not begin with it.
func prefixLen(all, text string, m width.Model) int {
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
		if k := prefixLen(all[n+1:], text, m); k >= 0 {
			return n + 1 + k
		}
		left, _, _ := m.Next(all[n+1:])
		n += len(left)
	}
}

// maxHeight returns how many rows r takes at most where it is wrapped anew. It was shown on cols
// columns, all of which it may fill if it is nil.
func (h *harness) maxHeight(r *row, cols int) int {
	if r != nil {
		cols = len(r.cells)
	}
	room := max(1, h.window.cols-1) // a wide character may leave a column free
	return max(1, (cols+room-1)/room)
}

// checkOrder requires the texts of ws in their order, whatever stands in between. That is all that
// can be asked of a terminal that wraps anew and has been one column wide: characters that do not
// fit are gone, and where they ended a line it is joined with the next one (ghostty).
func checkOrder(lines []string, ws []want) error {
	all := oneColumnText(strings.Join(lines, ""))
	for _, w := range ws {
		text := oneColumnText(w.text)
		at := strings.Index(all, text)
		if at < 0 && !w.optional {
			return fmt.Errorf("%q is not on the tape in its place, where a window was one column wide: %.200q", text,
				all)
		}
		if at >= 0 && !w.optional {
			all = all[at+len(text):]
		}
	}
	return nil
}
