package renderer

import "hash/maphash"

// history holds a hash of every final row of the session, by its session index. When a caller hands
// over final rows again (a rewind), the hashes tell where they begin to differ. It takes 8 bytes a
// row, in chunks of 4,096 rows, so that adding a row costs the same however long the session is.
type history struct {
	seed   maphash.Seed
	chunks [][]uint64
	n      int
}

// chunkRows is the number of hashes in one chunk of a history.
const chunkRows = 4096

// hash returns the hash of a row: of its text, and of whether its line continues in the next row.
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

// push appends the hash of the next final row.
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

// holds reports whether the row with session index i was equal to l.
func (h *history) holds(i int, l Line) bool {
	return i < h.n && h.chunks[i/chunkRows][i%chunkRows] == h.hash(l)
}

// truncate forgets the rows with session indices from i on.
func (h *history) truncate(i int) { h.n = i }
