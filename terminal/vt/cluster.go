package vt

import "unicode/utf8"

// maxClusterRunes is how many code points one cell keeps, and maxClusterTotal how many all cells
// together keep beyond their first; more are dropped. ghostty is bounded by the memory of a page
// instead.
const (
	// maxClusterRunes is the most code points of one cell, and maxClusterTotal the most of all
	// cells together beyond their first; more are dropped. ghostty is bounded by the memory of a
	// page instead.
	maxClusterRunes = 1 << 20
	maxClusterTotal = 1 << 22
	minClusterTotal = 1 << 20 // below this many, a sweep costs more than it frees
)

// sharedRunes is the most code points for which equal clusters share one entry. A longer cluster
// belongs to its cell alone and grows in place, so that appending to it stays cheap.
const sharedRunes = 16

// cluster is the text of a cell with more than one code point.
type cluster struct {
	runes      []rune
	breakState breaker // the state of the break test after the last rune
}

// clusters interns clusters. [Terminal.sweep] frees the unused ones.
type clusters struct {
	list         []cluster
	index        map[string]uint32 // of the shared ones, by their UTF-8
	free         []uint32
	total        int // runes in all of them
	droppedRunes int // since the last sweep
	sweepEntries int // sweep when so many entries are in use
	sweepRunes   int // or when they have so many runes
	key          []byte
	cache        [256]joinCache
}

// joinCache is a result of appendRune.
type joinCache struct {
	before cell // content and tag
	r      rune
	after  cell // content and tag; 0 if the place is empty
}

func newClusters() clusters {
	return clusters{index: make(map[string]uint32), sweepEntries: minPens, sweepRunes: minClusterTotal}
}

func (cs *clusters) len() int { return len(cs.list) - len(cs.free) }

// firstRune returns the first code point of c, 0 if there is none.
func (cs *clusters) firstRune(c cell) rune {
	switch c.tag() {
	case tagRune:
		return rune(c.content())
	case tagCluster:
		return cs.list[c.content()].runes[0]
	}
	return 0
}

// breakerAfter returns the state of the break test after the last code point of c, which has text.
func (cs *clusters) breakerAfter(c cell) breaker {
	if c.tag() == tagCluster {
		return cs.list[c.content()].breakState
	}
	return breaker{last: propertiesOf(rune(c.content())).class()}
}

// appendText appends the text of c to b.
func (cs *clusters) appendText(b []byte, c cell) []byte {
	switch c.tag() {
	case tagRune:
		if r := rune(c.content()); r != 0 {
			b = utf8.AppendRune(b, r)
		}
	case tagCluster:
		for _, r := range cs.list[c.content()].runes {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// appendRune returns c with r joined to its text.
func (cs *clusters) appendRune(c cell, r rune) cell {
	if cs.total >= maxClusterTotal {
		cs.droppedRunes++
		return c
	}
	n := 1
	if c.tag() == tagCluster {
		n = len(cs.list[c.content()].runes)
	}
	switch {
	case n >= maxClusterRunes:
		return c
	case n > sharedRunes:
		entry := &cs.list[c.content()]
		entry.runes = append(entry.runes, r)
		entry.breakState.join(r)
		cs.total++
		return c
	}
	const text = cell(contentMask | tagMask)
	shared := n < sharedRunes
	cached := &cs.cache[(uint32(c)*31+uint32(r))%uint32(len(cs.cache))]
	if shared {
		if cached.after != 0 && cached.before == c&text && cached.r == r {
			return c&^text | cached.after
		}
		cs.key = utf8.AppendRune(cs.appendText(cs.key[:0], c), r)
		if id, ok := cs.index[string(cs.key)]; ok {
			*cached = joinCache{c & text, r, tagCluster | cell(id)}
			return c&^text | cached.after
		}
	}
	next := cluster{breakState: cs.breakerAfter(c)}
	if c.tag() == tagCluster {
		next.runes = append(next.runes, cs.list[c.content()].runes...)
	} else {
		next.runes = append(next.runes, rune(c.content()))
	}
	next.runes = append(next.runes, r)
	next.breakState.join(r)
	cs.total += len(next.runes)
	var id uint32
	if k := len(cs.free); k > 0 {
		id = cs.free[k-1]
		cs.free = cs.free[:k-1]
		cs.list[id] = next
	} else if len(cs.list) >= contentMask {
		return c
	} else {
		id = uint32(len(cs.list))
		cs.list = append(cs.list, next)
	}
	if shared {
		cs.index[string(cs.key)] = id
	}
	return c&^text | tagCluster | cell(id)
}

// needsSweep reports whether it is time to sweep. If the clusters in use take all of the limit, it
// is tried only now and then.
func (cs *clusters) needsSweep() bool {
	if cs.total >= maxClusterTotal && cs.sweepRunes == maxClusterTotal {
		return cs.droppedRunes >= minClusterTotal
	}
	return cs.len() >= cs.sweepEntries || cs.total >= cs.sweepRunes
}

// sweep frees every cluster that is not marked.
func (cs *clusters) sweep(marked []bool) {
	cs.free, cs.total = cs.free[:0], 0
	for id := len(cs.list) - 1; id >= 0; id-- {
		if marked[id] {
			cs.total += len(cs.list[id].runes)
			continue
		}
		cs.list[id] = cluster{}
		cs.free = append(cs.free, uint32(id))
	}
	for key, id := range cs.index {
		if !marked[id] {
			delete(cs.index, key)
		}
	}
	cs.sweepEntries = max(minPens, 2*cs.len())
	cs.sweepRunes = min(maxClusterTotal, max(minClusterTotal, 2*cs.total))
	cs.droppedRunes = 0
	cs.cache = [256]joinCache{}
}
