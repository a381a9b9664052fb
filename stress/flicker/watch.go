package flicker

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Watch observes a terminal between the escape sequences of a frame. It follows each row of the
// grid to where the terminal moves it.
type Watch struct {
	t    *vt.Terminal
	seed maphash.Seed
	grid []*line

	step   int
	swaps  []swap
	alt    bool // the alternate screen was shown when the frame began
	wraps  bool // a row was soft-wrapped into the next one when the frame began
	turned bool // the frame has switched between the main and the alternate screen
}

// line holds one row of the grid, wherever it stands, and its history during the frame.
type line struct {
	cells, before []vt.Cell // cells holds the row now, before the row when the frame began
	used          int       // all cells from this column on are blank now
	key, keyWas   uint64    // hashes of the cells now and before the frame; 0 for a blank row
	old           bool      // the row was on the grid before the frame began
	changes       []change
	path          []place // the grid rows on which this row has stood since the frame began
	stays         bool    // set at the end of the frame: the row looks as before
}

// change records the new content of the cell in column x after a step.
type change struct {
	x, step int
	cell    vt.Cell
}

// place records the grid row on which a line stands from a step on.
type place struct{ y, step int }

// swap records that a line looks different from a step on: its hash before and after.
type swap struct {
	step     int
	of       *line
	from, to uint64
}

// New returns a Watch for the terminal t, which must not hold synchronized updates back.
func New(t *vt.Terminal) *Watch { return &Watch{t: t, seed: maphash.MakeSeed()} }

// Frame gives the terminal the bytes p of a frame, and returns the flicker during it. An error says
// that the Watch has lost track of the terminal's rows.
func (w *Watch) Frame(p []byte) (Seen, error) {
	w.Begin()
	for rest := p; len(rest) > 0; {
		n := Token(rest)
		w.Token(rest[:n])
		rest = rest[n:]
	}
	s, err := w.End()
	if err != nil {
		err = fmt.Errorf("%w after %q", err, p)
	}
	return s, err
}

// Begin records the grid as it is before a frame.
func (w *Watch) Begin() {
	w.step, w.swaps, w.turned, w.alt = 0, w.swaps[:0], false, w.t.AltScreen()
	_, rows := w.t.Size()
	for len(w.grid) < rows {
		w.grid = append(w.grid, &line{})
	}
	w.grid = w.grid[:rows]
	for y, l := range w.grid {
		l.reset(w.t)
		w.read(y)
		l.before, l.keyWas, l.old = append(l.before[:0], l.cells...), l.key, true
		l.changes = l.changes[:0]
		l.path = append(l.path[:0], place{y, 0})
	}
	w.wraps = w.wrapped()
	w.swaps = w.swaps[:0]
}

// reset makes l a blank row, as wide as the terminal t.
func (l *line) reset(t *vt.Terminal) {
	cols, _ := t.Size()
	l.cells = slices.Grow(l.cells[:0], cols)[:cols]
	clear(l.cells)
	l.used, l.key, l.old, l.stays = 0, 0, false, false
}

// End returns the flicker since Begin. If the frame has switched between the main and the alternate
// screen, it returns only the number of steps.
func (w *Watch) End() (Seen, error) {
	if w.turned {
		return Seen{Steps: w.step}, nil
	}
	if err := w.check(); err != nil {
		return Seen{}, err
	}
	return w.count(), nil
}

// wrapped reports whether a row of the grid, or the last row of history, is soft-wrapped into the
// next one.
func (w *Watch) wrapped() bool {
	n := w.t.ScrollbackLen()
	if n > 0 && w.t.ScrollbackRow(n-1).Wrapped() {
		return true
	}
	for y := range w.grid {
		if w.t.Row(y).Wrapped() {
			return true
		}
	}
	return false
}

// Token gives the terminal one token, whose length the function [Token] returns, and records what
// it changes.
func (w *Watch) Token(p []byte) {
	w.step++
	cursor, scrolled := w.t.Cursor(), w.t.Scrolled()
	w.t.Write(p)
	if w.turned = w.turned || w.t.AltScreen() != w.alt; w.turned {
		return
	}
	kind, n := byte(0), 1
	if p[0] == 0x1b && len(p) > 2 && p[1] == '[' {
		kind = p[len(p)-1]
		if k, err := strconv.Atoi(string(p[2 : len(p)-1])); err == nil {
			n = max(k, 1)
		}
	}
	bottom := len(w.grid) - 1
	from, to := cursor.Row, cursor.Row
	switch {
	case kind == 'L':
		w.shift(cursor.Row, min(n, bottom+1-cursor.Row))
		to = bottom
	case kind == 'M':
		w.shift(cursor.Row, -min(n, bottom+1-cursor.Row))
		to = bottom
	case kind == 'J':
		from, to = 0, bottom
	case kind == 'K', kind == 'X', kind == 'P', kind == '@':
	case kind != 0 && bytes.IndexByte([]byte("ABCDGHmhlnsu"), kind) >= 0:
		return
	case p[0] == '\r', p[0] == '\b', bytes.HasPrefix(p, []byte("\x1b]")):
		return
	case p[0] == '\n' || p[0] >= 0x20:
		gone := w.t.Scrolled() - scrolled
		if w.alt {
			gone = 0
			if p[0] == '\n' && cursor.Row == bottom {
				gone = 1
			}
		}
		gone = min(gone, bottom+1)
		w.shift(0, -gone)
		from, to = max(0, cursor.Row-gone), w.t.Cursor().Row
	default:
		from, to = 0, bottom
	}
	for y := from; y <= to; y++ {
		w.read(y)
	}
}

// shift moves the rows from y on by n rows, down if n is positive. Rows that go over an edge leave
// the grid.
func (w *Watch) shift(y, n int) {
	if n == 0 {
		return
	}
	fresh := make([]*line, max(n, -n))
	for i := range fresh {
		fresh[i] = &line{}
		fresh[i].reset(w.t)
	}
	rows := len(w.grid)
	var gone []*line
	if n > 0 {
		gone = slices.Clone(w.grid[rows-n:])
		w.grid = append(append(slices.Clone(w.grid[:y]), fresh...), w.grid[y:rows-n]...)
	} else {
		gone = slices.Clone(w.grid[y : y-n])
		w.grid = append(append(slices.Clone(w.grid[:y]), w.grid[y-n:]...), fresh...)
	}
	for _, l := range gone {
		w.swaps = append(w.swaps, swap{w.step, l, l.key, 0})
	}
	for i := y; i < rows; i++ {
		l := w.grid[i]
		l.path = append(l.path, place{i, w.step})
	}
}

// read compares row y of the terminal with its last known state, and records the cells that differ.
func (w *Watch) read(y int) {
	tracked, oldKey, row := w.grid[y], w.grid[y].key, w.t.Row(y)
	used := tracked.used
	tracked.used = row.Used()
	for x := range max(used, tracked.used) {
		if c := visibleCell(row.Cell(x)); c != tracked.cells[x] {
			tracked.key ^= w.hash(x, tracked.cells[x]) ^ w.hash(x, c)
			tracked.cells[x] = c
			tracked.changes = append(tracked.changes, change{x, w.step, c})
		}
	}
	if tracked.key != oldKey {
		w.swaps = append(w.swaps, swap{w.step, tracked, oldKey, tracked.key})
	}
}

// visibleCell returns c as a user sees it: all blanks of one background are equal, whether printed
// or erased.
func visibleCell(c vt.Cell) vt.Cell {
	c.Protected = false
	const seen = vt.Inverse | vt.Strike | vt.Overline
	if (c.Text == "" || c.Text == " ") && c.Style.Attr&seen == 0 && c.Style.Underline == 0 {
		c = vt.Cell{Style: vt.Style{Bg: c.Style.Bg}}
	}
	return c
}

// hash returns a hash of the cell c in column x, or 0 for a blank cell.
func (w *Watch) hash(x int, c vt.Cell) uint64 {
	if c == (vt.Cell{}) {
		return 0
	}
	type at struct {
		x int
		c vt.Cell
	}
	return maphash.Comparable(w.seed, at{x, c})
}

// check returns an error if the rows that the Watch has recorded differ from the terminal's grid.
func (w *Watch) check() error {
	for y, l := range w.grid {
		for x, c := range w.t.Row(y).Cells() {
			if visibleCell(c) != l.cells[x] {
				return fmt.Errorf("flicker: row %d column %d is %q, seen was %q", y, x, c.Text, l.cells[x].Text)
			}
		}
	}
	return nil
}
