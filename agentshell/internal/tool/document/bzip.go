package document

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// bzipBlockBytes is the number of bytes of a block after the run-length encoding: that of bzip2 -1,
// which needs little memory.
const bzipBlockBytes = 100_000 - 20

// compressBzip compresses data in the format of bzip2, because Go's library can only decompress it.
// Each block goes through a run-length encoding, the Burrows-Wheeler transform, a move-to-front
// transform, and a Huffman code.
func compressBzip(data []byte) []byte {
	w := &bitWriter{out: []byte("BZh1"), bitCount: 32}
	sums, all := newBzipSums(), uint32(0)
	for len(data) > 0 {
		runs, n := encodeRuns(data)
		sum := sums.checksum(data[:n])
		all = bits.RotateLeft32(all, 1) ^ sum
		w.writeBlock(runs, sum)
		data = data[n:]
	}
	w.write(0x177245385090, 48)
	w.write(uint64(all), 32)
	w.write(0, (8-w.bitCount%8)%8)
	return w.out
}

// bitWriter writes bits, the most significant one first.
type bitWriter struct {
	out      []byte
	bitCount uint // bitCount counts the bits written so far.
}

func (w *bitWriter) write(value uint64, count uint) {
	for count > 0 {
		count--
		if w.bitCount%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[len(w.out)-1] |= byte(value>>count&1) << (7 - w.bitCount%8)
		w.bitCount++
	}
}

// bzipSums is the lookup table of bzip2's CRC-32, which processes the most significant bit first.
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

// checksum returns the checksum of data.
func (t *bzipSums) checksum(data []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range data {
		sum = sum<<8 ^ t[byte(sum>>24)^c]
	}
	return ^sum
}

// encodeRuns applies the first run-length encoding to the beginning of data, until a block is full.
// A run of 4 to 255 equal bytes becomes four of them and a count of the others. n is the number of
// bytes of data that went into runs.
func encodeRuns(data []byte) (runs []byte, n int) {
	for n < len(data) && len(runs)+5 <= bzipBlockBytes {
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

// writeBlock writes one block. text is its run-length encoded content, and sum the checksum of the
// original content.
func (w *bitWriter) writeBlock(text []byte, sum uint32) {
	order := sortedRotations(text)
	last := make([]byte, len(text))
	for i, at := range order {
		last[i] = text[(int(at)+len(text)-1)%len(text)]
	}
	w.write(0x314159265359, 48)
	w.write(uint64(sum), 32)
	w.write(0, 1)
	w.write(uint64(slices.Index(order, 0)), 24)
	symbols, used := moveToFront(last)
	w.writeUsedBytes(used)
	lengths := codeLengths(symbols, len(used)+2)
	const tables, each = 2, 50 // two at least; they are the same
	w.write(tables, 3)
	selectors := (len(symbols) + each - 1) / each
	w.write(uint64(selectors), 15)
	w.write(0, uint(selectors)) // each time the first one
	for range tables {
		w.writeCodeLengths(lengths)
	}
	codes := canonicalCodes(lengths)
	for _, s := range symbols {
		w.write(uint64(codes[s]), uint(lengths[s]))
	}
}

// writeUsedBytes writes the bitmap of the byte values that occur in a block.
func (w *bitWriter) writeUsedBytes(used []byte) {
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

// writeCodeLengths writes the code lengths of a Huffman code, each as the difference to the one
// before.
func (w *bitWriter) writeCodeLengths(lengths []int) {
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

// sortedRotations returns the start of each rotation of text, in the sorted order of the rotations.
// Equal rotations come in any order. It sorts by prefix doubling: the ranks by 2n bytes come from
// the ranks by n bytes.
func sortedRotations(text []byte) (order []int32) {
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

// moveToFront applies the move-to-front transform and the second run-length encoding to the
// transformed text. Symbols 0 and 1 are the digits of a run length; the last symbol marks the end
// of the block. used lists the byte values that occur, sorted.
func moveToFront(last []byte) (symbols []uint16, used []byte) {
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

// maxCodeBits is the number of bits that the code of a symbol may have.
const maxCodeBits = 17

// codeLengths returns the number of bits of the Huffman code of each of n symbols, at most
// maxCodeBits.
func codeLengths(symbols []uint16, n int) []int {
	weights := make([]int, n)
	for i := range weights {
		weights[i] = 1 // each has a code
	}
	for _, s := range symbols {
		weights[s] += 2
	}
	for {
		lengths := codeDepths(weights)
		if slices.Max(lengths) <= maxCodeBits {
			return lengths
		}
		for i := range weights { // nearer to each other, so that the longest ones get shorter
			weights[i] = weights[i]/2 + 1
		}
	}
}

// treeHeap is a heap of the trees that the Huffman algorithm has not joined yet. The lightest tree
// comes first.
type treeHeap []huffmanTree

type huffmanTree struct {
	weight  int
	symbols []int // symbols lists the leaves of the tree.
}

func (b treeHeap) Len() int           { return len(b) }
func (b treeHeap) Less(i, j int) bool { return b[i].weight < b[j].weight }
func (b treeHeap) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *treeHeap) Push(x any)        { *b = append(*b, x.(huffmanTree)) }
func (b *treeHeap) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// codeDepths returns the depth of each symbol in its Huffman tree, given the weights of the
// symbols.
func codeDepths(weights []int) []int {
	lengths := make([]int, len(weights))
	var trees treeHeap
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

// canonicalCodes returns the canonical Huffman code of each symbol for the given code lengths:
// shorter codes come first, and equally long codes are in the order of their symbols.
func canonicalCodes(lengths []int) []uint32 {
	codes := make([]uint32, len(lengths))
	code := uint32(0)
	for length := 1; length <= maxCodeBits; length++ {
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
