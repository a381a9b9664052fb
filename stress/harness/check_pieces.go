package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// checkPieces requires the texts of all final rows above row end of the tape (history plus grid),
// in their order. It is for tests that have changed the window's size while a frame was on its way:
// then other rows may stand between the final ones, but not more than residue.stale allows.
func (h *harness) checkPieces(t Tape, end int) error {
	if h.term.Scrolled() > h.term.ScrollbackLen() {
		return nil // the first rows are gone
	}
	all, ends := h.allText(t, end)
	places, missing := h.findPlaces(all)
	if missing != nil {
		return fmt.Errorf("%q is not on the tape in its place, where the size changed while a frame was in flight\n%s",
			missing.text, h.dump())
	}
	stale, continues := 0, false // a line counts once: a narrower window makes more rows of what was left before
	for i, from := 0, 0; i < end; i++ {
		expected := slices.ContainsFunc(places, func(p place) bool { return p.from < ends[i] && p.to > from })
		unexpected := !expected && ends[i] > from
		if unexpected && !continues {
			stale++
		}
		from, continues = ends[i], unexpected && t.RowAt(i).Wrapped()
	}
	maxStale := h.residue.stale + h.admitted()
	cut := h.cutsRows()
	for _, r := range h.ledger.rows[:h.ledger.epoch] {
		// Where the terminal breaks it is not known, or nothing must be left of it where the window
		// was narrow: a piece may read as nothing of it.
		if r.holdsDoubt() || cut && r.text != "" && Squeeze(surelyShown(r.text, r.cols-1, h.model)) == "" {
			maxStale++
		}
	}
	if stale > maxStale && !h.window.narrow {
		return fmt.Errorf("%d rows that are no final ones stand above the live region, where the size changed"+
			" while a frame was in flight; it may be %d\n%s", stale, maxStale, h.dump())
	}
	return nil
}

// place is the byte range from:to in the text of the tape (history plus grid) at which one final
// row was found.
type place struct{ from, to int }

// findPlaces looks for the final rows in all, the text of the tape (history plus grid), and returns
// where each was found, in their order. missing is the first required row that was not found, or
// nil.
func (h *harness) findPlaces(all string) (places []place, missing *row) {
	end, last := 0, 0 // of those that must be there, and of all
	for _, r := range h.ledger.rows[:h.ledger.epoch] {
		required, begin := !r.optional && !r.mayBeTorn, end
		if !required {
			begin = last // behind the one before, if it is there: rows that read the same are several
		}
		from, to, reach := h.findPiece(all[begin:], r)
		if to < 0 && begin > end {
			begin = end
			from, to, reach = h.findPiece(all[begin:], r)
		}
		switch {
		case to < 0 && required:
			return places, r
		case to < 0:
			continue
		}
		places = append(places, place{begin + from, begin + reach})
		last = begin + to
		if required {
			end = last
		}
	}
	return places, nil
}

// findPiece looks for row r in all, the text of the tape (history plus grid). It returns the range
// of the whole row, or of the part that a terminal which cuts rows may have left. reach is the end
// of the longest part that may be there. If r was not found, to is -1.
func (h *harness) findPiece(all string, r *row) (from, to, reach int) {
	from, to = findText(all, Squeeze(r.text), h.model)
	part := Squeeze(r.leftByCut(h.model))
	cuts := h.cutsRows()
	if cuts {
		part = Squeeze(surelyShown(r.text, r.cols-1, h.model))
	}
	if cuts && part == "" && to >= 0 {
		return from, 0, to // nothing of it must be left, as of a wide character where one column is
	}
	if f, t := findText(all, part, h.model); t >= 0 && (cuts || to < 0 || f < from) {
		if f == from {
			return f, t, max(t, to)
		}
		return f, t, t
	}
	return from, to, to
}

// allText returns the joined text of the tape (history plus grid) before row end. ends holds the
// offset at which each row ends in that text.
//
// A NUL stands before a cluster that may not belong to the text. If a wide character had no room in
// the last column of a row, kitty since 0.40 leaves the cluster of another row there, and no
// program can erase it in time.
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

// findText returns the byte range from:to at which text stands in all. A cluster behind a NUL in
// all may be skipped. If text was not found, to is -1.
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

// prefixLen returns the length of the beginning of all that reads as text, where a cluster behind a
// NUL in all may be skipped. It returns -1 if all does not begin with text.
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

// maxHeight returns the largest number of rows that r can take after the terminal has wrapped it
// for the current width. If r is nil, its text may have filled all of cols columns.
func (h *harness) maxHeight(r *row, cols int) int {
	if r != nil {
		cols = len(r.cells)
	}
	room := max(1, h.window.cols-1) // a wide character may leave a column free
	return max(1, (cols+room-1)/room)
}

// checkOrder requires that lines contain the texts of wants in their order, with any text between
// them. It is for terminals that wrap rows anew and have been one column wide: characters that did
// not fit are lost then, and a line that ended with such a character is joined with the next one
// (ghostty).
func checkOrder(lines []string, wants []want) error {
	all := oneColumnText(strings.Join(lines, ""))
	for _, w := range wants {
		text := oneColumnText(w.text)
		index := strings.Index(all, text)
		if index < 0 && !w.optional {
			return fmt.Errorf("%q is not on the tape in its place, where a window was one column wide: %.200q", text,
				all)
		}
		if index >= 0 && !w.optional {
			all = all[index+len(text):]
		}
	}
	return nil
}
