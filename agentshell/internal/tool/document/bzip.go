package document

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// bzipBlock is the most bytes of a block, behind the runs: those of bzip2 -1. It bounds the memory.
const bzipBlock = 100_000 - 20

// bzip packs data as bzip2 does; the library of Go only unpacks it. Each block is sorted by its
// rotations, its bytes become their places among those that were seen last, and those a Huffman
// code.
func bzip(data []byte) []byte {
	w := &bitWriter{out: []byte("BZh1"), n: 32}
	sums, all := newBzipSums(), uint32(0)
	for len(data) > 0 {
		runs, n := bzipRuns(data)
		sum := sums.of(data[:n])
		all = bits.RotateLeft32(all, 1) ^ sum
		w.block(runs, sum)
		data = data[n:]
	}
	w.write(0x177245385090, 48)
	w.write(uint64(all), 32)
	w.write(0, (8-w.n%8)%8)
	return w.out
}

// bitWriter writes bits, the highest first.
type bitWriter struct {
	out []byte
	n   uint // bits in all
}

func (w *bitWriter) write(value uint64, count uint) {
	for count > 0 {
		count--
		if w.n%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[len(w.out)-1] |= byte(value>>count&1) << (7 - w.n%8)
		w.n++
	}
}

// bzipSums is the table of the checksum, which takes the highest bit first.
type bzipSums [256]uint32

func newBzipSums() *bzipSums {
	var table bzipSums
	for i := range table {
		sum := uint32(i) << 24
		for range 8 {
			sum = sum<<1 ^ 0x04c11db7&-(sum>>31)
		}
		table[i] = sum
	}
	return &table
}

// of returns the checksum of data.
func (t *bzipSums) of(data []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range data {
		sum = sum<<8 ^ t[byte(sum>>24)^c]
	}
	return ^sum
}

// bzipRuns returns what of data goes into one block, with each run of 4 to 255 bytes as four of
// them and a count of the others; and how many bytes that are.
func bzipRuns(data []byte) (runs []byte, n int) {
	for n < len(data) && len(runs)+5 <= bzipBlock {
		end := n + 1
		for end < len(data) && end < n+255 && data[end] == data[n] {
			end++
		}
		for range min(end-n, 4) {
			runs = append(runs, data[n])
		}
		if end-n >= 4 {
			runs = append(runs, byte(end-n-4))
		}
		n = end
	}
	return runs, n
}

// block writes a block.
func (w *bitWriter) block(text []byte, sum uint32) {
	order := rotations(text)
	last := make([]byte, len(text))
	for i, at := range order {
		last[i] = text[(int(at)+len(text)-1)%len(text)]
	}
	w.write(0x314159265359, 48)
	w.write(uint64(sum), 32)
	w.write(0, 1)
	w.write(uint64(slices.Index(order, 0)), 24)
	symbols, used := bzipSymbols(last)
	w.used(used)
	lengths := codeLengths(symbols, len(used)+2)
	const tables, each = 2, 50 // two at least; they are the same
	w.write(tables, 3)
	selectors := (len(symbols) + each - 1) / each
	w.write(uint64(selectors), 15)
	w.write(0, uint(selectors)) // each time the first one
	for range tables {
		w.lengths(lengths)
	}
	codes := canonical(lengths)
	for _, s := range symbols {
		w.write(uint64(codes[s]), uint(lengths[s]))
	}
}

// used writes which bytes there are.
func (w *bitWriter) used(used []byte) {
	var rows [16]uint16
	groups := uint64(0)
	for _, c := range used {
		rows[c/16] |= 1 << (15 - c%16)
		groups |= 1 << (15 - c/16)
	}
	w.write(groups, 16)
	for _, row := range rows {
		if row != 0 {
			w.write(uint64(row), 16)
		}
	}
}

// lengths writes those of a code, each as what it is more or less than the one before.
func (w *bitWriter) lengths(lengths []int) {
	now := lengths[0]
	w.write(uint64(now), 5)
	for _, length := range lengths {
		for ; now < length; now++ {
			w.write(0b10, 2)
		}
		for ; now > length; now-- {
			w.write(0b11, 2)
		}
		w.write(0, 1)
	}
}

// rotations returns the rotations of a text in their order, each by where it begins. Those that are
// the same stand in any order. The ranks of twice as many bytes come from those of half of them.
func rotations(text []byte) (order []int32) {
	n := len(text)
	order, next := make([]int32, n), make([]int32, n)
	rank, other := make([]int32, n), make([]int32, n)
	for i, c := range text {
		order[i], rank[i] = int32(i), int32(c)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(text[a], text[b]) })
	counts := make([]int32, max(n, 256)+1)
	for half := 0; ; half = max(1, 2*half) {
		// order is by the first half bytes of what begins half later; now by those before it.
		clear(counts)
		for i, at := range order {
			if next[i] = at - int32(half); next[i] < 0 {
				next[i] += int32(n)
			}
			counts[rank[at]+1]++
		}
		for i := 1; i < len(counts); i++ {
			counts[i] += counts[i-1]
		}
		for _, at := range next {
			order[counts[rank[at]]] = at
			counts[rank[at]]++
		}
		ranks := int32(0)
		for i, at := range order {
			if i > 0 {
				was := order[i-1]
				if rank[at] != rank[was] || rank[(int(at)+half)%n] != rank[(int(was)+half)%n] {
					ranks++
				}
			}
			other[at] = ranks
		}
		rank, other = other, rank
		if int(ranks) == n-1 || 2*half >= n {
			return order
		}
	}
}

// bzipSymbols returns the symbols of the sorted text, and which bytes there are. Symbols 0 and 1
// count the byte that was seen last, in a number system without a zero; the last symbol is the end.
func bzipSymbols(last []byte) (symbols []uint16, used []byte) {
	used = slices.Clone(last)
	slices.Sort(used)
	used = slices.Compact(used)
	seen := slices.Clone(used)
	run := 0
	count := func() {
		for ; run > 0; run = (run - 1) / 2 {
			symbols = append(symbols, uint16((run-1)%2))
		}
	}
	for _, c := range last {
		at := slices.Index(seen, c)
		if at == 0 {
			run++
			continue
		}
		count()
		symbols = append(symbols, uint16(at+1))
		copy(seen[1:at+1], seen[:at])
		seen[0] = c
	}
	count()
	return append(symbols, uint16(len(used)+1)), used
}

// longestCode is the most bits of a symbol.
const longestCode = 17

// codeLengths returns how many bits each of n symbols takes in a Huffman code.
func codeLengths(symbols []uint16, n int) []int {
	weights := make([]int, n)
	for i := range weights {
		weights[i] = 1 // each has a code
	}
	for _, s := range symbols {
		weights[s] += 2
	}
	for {
		lengths := huffman(weights)
		if slices.Max(lengths) <= longestCode {
			return lengths
		}
		for i := range weights { // nearer to each other, so that the longest ones get shorter
			weights[i] = weights[i]/2 + 1
		}
	}
}

// branches are the trees of a Huffman code that are not joined yet, the lightest first.
type branches []huffmanTree

type huffmanTree struct {
	weight  int
	symbols []int // below it
}

func (b branches) Len() int           { return len(b) }
func (b branches) Less(i, j int) bool { return b[i].weight < b[j].weight }
func (b branches) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *branches) Push(x any)        { *b = append(*b, x.(huffmanTree)) }
func (b *branches) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// huffman returns how deep each symbol is in the tree of its code.
func huffman(weights []int) []int {
	lengths := make([]int, len(weights))
	var trees branches
	for i, weight := range weights {
		trees = append(trees, huffmanTree{weight, []int{i}})
	}
	heap.Init(&trees)
	for trees.Len() > 1 {
		a, b := heap.Pop(&trees).(huffmanTree), heap.Pop(&trees).(huffmanTree)
		joined := huffmanTree{a.weight + b.weight, slices.Concat(a.symbols, b.symbols)}
		for _, s := range joined.symbols {
			lengths[s]++
		}
		heap.Push(&trees, joined)
	}
	return lengths
}

// canonical returns the code of each symbol: the shorter ones first, in their order.
func canonical(lengths []int) []uint32 {
	codes := make([]uint32, len(lengths))
	code := uint32(0)
	for length := 1; length <= longestCode; length++ {
		for s, l := range lengths {
			if l == length {
				codes[s] = code
				code++
			}
		}
		code <<= 1
	}
	return codes
}
