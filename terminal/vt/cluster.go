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
	minClusterTotal = 1 << 20 // With fewer code points a sweep costs more than it frees.
)

// sharedRunes is the most code points of a cluster that equal cells share. A longer cluster belongs
// to one cell and grows in place, so that adding to it stays cheap.
const sharedRunes = 16

// cluster is the text of a cell that has more than one code point.
type cluster struct {
	runes      []rune
	breakState breaker // The state of the test for cluster boundaries after the last code point.
}

// clusters stores the clusters of all cells, equal ones only once. [Terminal.sweep] frees those
// that no cell uses.
type clusters struct {
	list         []cluster
	index        map[string]uint32 // The shared clusters by their text in UTF-8.
	free         []uint32
	total        int // The number of code points in all clusters.
	droppedRunes int // The number of code points that were dropped since the last sweep.
	sweepEntries int // A sweep is due when so many clusters are in use.
	sweepRunes   int // A sweep is due when the clusters have so many code points.
	key          []byte
	cache        [256]joinCache
}

// joinCache remembers one result of appendRune.
type joinCache struct {
	before cell // Content and tag of the cell before.
	r      rune
	after  cell // Content and tag of the result; 0: nothing is remembered.
}

func newClusters() clusters {
	return clusters{index: make(map[string]uint32), sweepEntries: minPens, sweepRunes: minClusterTotal}
}

func (cs *clusters) len() int { return len(cs.list) - len(cs.free) }

// firstRune returns the first code point of cell c, or 0 if it has no text.
func (cs *clusters) firstRune(c cell) rune {
	switch c.tag() {
	case tagRune:
		return rune(c.content())
	case tagCluster:
		return cs.list[c.content()].runes[0]
	}
	return 0
}

// breakerAfter returns the state of the test for cluster boundaries after the text of cell c, which
// must have text.
func (cs *clusters) breakerAfter(c cell) breaker {
	if c.tag() == tagCluster {
		return cs.list[c.content()].breakState
	}
	return breaker{last: propertiesOf(rune(c.content())).class()}
}

// appendText appends the text of cell c to b.
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

// appendRune returns cell c with the code point r added to its text.
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

// needsSweep reports whether a sweep is due. If the clusters in use reach the limit by themselves,
// it is due only now and then.
func (cs *clusters) needsSweep() bool {
	if cs.total >= maxClusterTotal && cs.sweepRunes == maxClusterTotal {
		return cs.droppedRunes >= minClusterTotal
	}
	return cs.len() >= cs.sweepEntries || cs.total >= cs.sweepRunes
}

// sweep frees every cluster that is not marked as used.
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
