package vt

import "unicode/utf8"

// maxClusterRunes is how many code points one cell keeps, and maxClusterTotal how many all cells
// together keep beyond their first; more are dropped. ghostty is bounded by the memory of a page
// instead.
const (
	maxClusterRunes = 1 << 20
	maxClusterTotal = 1 << 22
	minClusterTotal = 1 << 20 // below this many, a sweep costs more than it frees
)

// sharedRunes is up to how many code points equal clusters share one entry. A longer one belongs to
// its cell alone and grows in place, so that appending to it stays cheap however long it is.
const sharedRunes = 16

// cluster is the text of a cell with more than one code point.
type cluster struct {
	runes []rune
	brk   breaker // the state of the break test behind the last rune
}

// clusters interns them. Unused ones are found by [Terminal.sweep].
type clusters struct {
	list    []cluster
	index   map[string]uint32 // of the shared ones, by their UTF-8
	free    []uint32
	total   int // runes held
	refused int // runes dropped since the last sweep
	limit   int // sweep when this many entries are in use
	heavy   int // or when this many runes are held
	key     []byte
	cache   [256]joined
}

// joined remembers what append made of a text and a rune.
type joined struct {
	text cell // content and tag before
	r    rune
	to   cell // content and tag after; 0 if the place is empty
}

func newClusters() clusters {
	return clusters{index: make(map[string]uint32), limit: minPens, heavy: minClusterTotal}
}

func (cs *clusters) len() int { return len(cs.list) - len(cs.free) }

// base returns the first code point of c, 0 if there is none.
func (cs *clusters) base(c cell) rune {
	switch c.tag() {
	case tagRune:
		return rune(c.content())
	case tagCluster:
		return cs.list[c.content()].runes[0]
	}
	return 0
}

// breaker returns the state of the break test behind the last code point of c, which has text.
func (cs *clusters) breaker(c cell) breaker {
	if c.tag() == tagCluster {
		return cs.list[c.content()].brk
	}
	return breaker{last: propertiesOf(rune(c.content())).class()}
}

// text appends the text of c to b.
func (cs *clusters) text(b []byte, c cell) []byte {
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

// append returns c with r joined to its text.
func (cs *clusters) append(c cell, r rune) cell {
	if cs.total >= maxClusterTotal {
		cs.refused++
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
		own := &cs.list[c.content()]
		own.runes = append(own.runes, r)
		own.brk.join(r)
		cs.total++
		return c
	}
	const text = cell(contentMask | tagMask)
	shared := n < sharedRunes
	seen := &cs.cache[(uint32(c)*31+uint32(r))%uint32(len(cs.cache))]
	if shared {
		if seen.to != 0 && seen.text == c&text && seen.r == r {
			return c&^text | seen.to
		}
		cs.key = utf8.AppendRune(cs.text(cs.key[:0], c), r)
		if id, ok := cs.index[string(cs.key)]; ok {
			*seen = joined{c & text, r, tagCluster | cell(id)}
			return c&^text | seen.to
		}
	}
	next := cluster{brk: cs.breaker(c)}
	if c.tag() == tagCluster {
		next.runes = append(next.runes, cs.list[c.content()].runes...)
	} else {
		next.runes = append(next.runes, rune(c.content()))
	}
	next.runes = append(next.runes, r)
	next.brk.join(r)
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

// full reports whether it is time to sweep. When what is in use fills the place, that is only worth
// trying now and then.
func (cs *clusters) full() bool {
	if cs.total >= maxClusterTotal && cs.heavy == maxClusterTotal {
		return cs.refused >= minClusterTotal
	}
	return cs.len() >= cs.limit || cs.total >= cs.heavy
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
	cs.limit = max(minPens, 2*cs.len())
	cs.heavy = min(maxClusterTotal, max(minClusterTotal, 2*cs.total))
	cs.refused = 0
	cs.cache = [256]joined{}
}
