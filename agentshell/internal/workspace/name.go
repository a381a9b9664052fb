package workspace

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// treeName is a name in Tree.names, with the type of its entry.
type treeName struct {
	key    uint64 // key is set by sortNames.
	offset uint32
	size   uint16
	kind   entryKind
}

// sortNames sorts the names of one directory. The names of many files are scattered in memory and
// often begin alike, so it first copies the 8 bytes after the common prefix into the keys.
func sortNames(all []treeName, text func(treeName) []byte) {
	if len(all) < 2 {
		return
	}
	prefix := text(all[0])
	for _, n := range all[1:] {
		b := text(n)
		i := 0
		for i < len(prefix) && i < len(b) && prefix[i] == b[i] {
			i++
		}
		prefix = prefix[:i]
	}
	for i := range all {
		var b [8]byte
		copy(b[:], text(all[i])[len(prefix):])
		all[i].key = binary.BigEndian.Uint64(b[:])
	}
	sortByKey(all, 56, func(a, b treeName) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return bytes.Compare(text(a), text(b))
	})
}

// maxComparedNames is the number of names up to which they are sorted by comparison alone.
const maxComparedNames = 256

// sortByKey sorts names whose keys have equal bytes above shift. For many names it is an in-place
// radix sort by the byte at shift, which takes a third of the time of comparisons for a million
// names.
func sortByKey(all []treeName, shift int, compare func(a, b treeName) int) {
	if len(all) <= maxComparedNames || shift < 0 {
		slices.SortFunc(all, compare)
		return
	}
	var next, end [256]int // for each value of the byte: the range of its names
	for _, n := range all {
		end[byte(n.key>>shift)]++
	}
	start := 0
	for i, n := range end {
		next[i] = start
		start += n
		end[i] = start
	}
	for i := range next {
		for next[i] < end[i] {
			to := byte(all[next[i]].key >> shift)
			if int(to) == i {
				next[i]++
				continue
			}
			all[next[i]], all[next[to]] = all[next[to]], all[next[i]]
			next[to]++
		}
	}
	start = 0
	for _, n := range end {
		sortByKey(all[start:n], shift-8, compare)
		start = n
	}
}
