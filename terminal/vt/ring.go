package vt

// ring is a ring buffer of the rows of a screen, the scrollback first. Rows are reused: once it is
// full, scrolling allocates nothing.
type ring struct {
	buf       []row
	head      int
	count     int
	cols      int
	freeCells []cell // Allocated cells that belong to no row yet.
}

// minSlabRows is the smallest number of rows for which memory is allocated at once. With many rows
// more is allocated, so that less is lost by rounding up.
const minSlabRows = 64

func newRing(cols, rows int) ring {
	r := ring{cols: cols, buf: make([]row, rows), freeCells: make([]cell, cols*rows)}
	for range rows {
		r.push(rows)
	}
	return r
}

// reset makes the ring hold the given number of blank rows. It keeps its memory if that is not much
// more than needed.
func (r *ring) reset(rows int) {
	if len(r.buf) > 4*rows+64 || r.count < rows {
		*r = newRing(r.cols, rows)
		return
	}
	for i := range r.buf {
		b := &r.buf[i]
		if b.cells != nil {
			clear(b.cells[:b.used])
		}
		b.used, b.flags = 0, 0
	}
	r.count = rows
}

// at returns row i; row 0 is the oldest.
func (r *ring) at(i int) *row {
	i += r.head
	if i >= len(r.buf) {
		i -= len(r.buf)
	}
	return &r.buf[i]
}

// push appends a blank row and returns it. If the ring has limit rows, the oldest is dropped and
// dropped is 1.
func (r *ring) push(limit int) (last *row, dropped int) {
	if r.count >= limit {
		if r.head++; r.head == len(r.buf) {
			r.head = 0
		}
		r.count--
		dropped = 1
	} else if r.count == len(r.buf) {
		r.grow(limit)
	}
	last = r.at(r.count)
	r.count++
	if last.cells == nil {
		if len(r.freeCells) < r.cols {
			rows := min(max(minSlabRows, r.count/16), limit-r.count+1)
			r.freeCells = make([]cell, r.cols*max(rows, 1)) // the limit may have become lower
		}
		last.cells, r.freeCells = r.freeCells[:r.cols:r.cols], r.freeCells[r.cols:]
	} else if last.has(reusedRow) {
		last.flags &^= reusedRow
		return last, dropped
	} else {
		clear(last.cells[:last.used])
	}
	last.used, last.flags = 0, 0
	return last, dropped
}

// pop removes the last row.
func (r *ring) pop() { r.count-- }

// dropFront removes the n oldest rows.
func (r *ring) dropFront(n int) {
	r.head = (r.head + n) % len(r.buf)
	r.count -= n
}

// grow allocates memory for more rows, at most limit.
func (r *ring) grow(limit int) {
	buf := make([]row, min(limit, max(2*len(r.buf), 64)))
	k := copy(buf, r.buf[r.head:])
	copy(buf[k:], r.buf[:r.head])
	r.buf, r.head = buf, 0
}

// rotateUp moves row i to position j > i. The rows between the two move up by one.
func (r *ring) rotateUp(i, j int) {
	first := *r.at(i)
	for ; i < j; i++ {
		*r.at(i) = *r.at(i + 1)
	}
	*r.at(j) = first
}

// rotateDown moves row j to position i < j. The rows between the two move down by one.
func (r *ring) rotateDown(i, j int) {
	last := *r.at(j)
	for ; j > i; j-- {
		*r.at(j) = *r.at(j - 1)
	}
	*r.at(i) = last
}

func (r *ring) swap(i, j int) {
	a, b := r.at(i), r.at(j)
	*a, *b = *b, *a
}
