package renderer

import "hash/maphash"

// history holds a hash of each session row that was handed over as final, so that a rewind is
// compared exactly. It takes 8 bytes a row, in chunks of 4,096, so that its cost for a row does not
// depend on its length.
type history struct {
	seed   maphash.Seed
	chunks [][]uint64
	n      int
}

const chunkRows = 4096

// hash returns the hash of the text of l, and of whether its line continues.
func (h *history) hash(l Line) uint64 {
	var m maphash.Hash
	m.SetSeed(h.seed)
	for i := range l.Spans {
		m.WriteString(l.Spans[i].Text)
	}
	if l.Wrapped {
		m.WriteByte(0)
	}
	return m.Sum64()
}

// push appends the hash of l.
func (h *history) push(l Line) {
	if h.n == 0 && len(h.chunks) == 0 {
		h.seed = maphash.MakeSeed()
	}
	if h.n/chunkRows == len(h.chunks) {
		h.chunks = append(h.chunks, make([]uint64, chunkRows))
	}
	h.chunks[h.n/chunkRows][h.n%chunkRows] = h.hash(l)
	h.n++
}

// holds reports whether session row i was l.
func (h *history) holds(i int, l Line) bool {
	return i < h.n && h.chunks[i/chunkRows][i%chunkRows] == h.hash(l)
}

// truncate drops the rows from i on.
func (h *history) truncate(i int) { h.n = i }
