package vt

import "testing"

// A resize may leave more rows than the limit that comes after it.
func TestARowIsPushedWhereTheLimitHasBecomeLower(t *testing.T) {
	r := newRing(10, 5)
	for r.count < 65 { // a slab of rows is used up, and slots are left
		r.push(200)
	}
	r.freeCells = nil
	last, dropped := r.push(40)
	if dropped != 1 || r.count != 65 || len(last.cells) != 10 {
		t.Errorf("%d dropped, %d rows, the last has %d cells", dropped, r.count, len(last.cells))
	}
}
