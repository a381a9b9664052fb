package diff

import (
	"slices"
	"sort"

	"github.com/pmezard/go-difflib/difflib"
)

// block is a[a:a+n] == b[b:b+n].
type block struct{ a, b, n int }

// The bounds of the work. go-difflib looks at the equal pairs of lines again for every block that it finds: 760 lines that alternate take it
// five seconds. So it compares stretches whose worst case is a tenth of a second; the longest common subsequence, whose cost is the number of
// pairs, compares larger ones; beyond that nothing is compared.
const (
	maxDifflib = 4_000_000  // pairs times lines of a stretch for go-difflib
	maxPairs   = 1_000_000  // pairs of a stretch for the subsequence
	maxWork    = 20_000_000 // lines and pairs over the whole comparison, a tenth of go-difflib's product among them
)

// match finds matching blocks, ascending on both sides. coarse: some stretch was not compared.
func match(a, b []string) (blocks []block, coarse bool) {
	m := &matcher{a: a, b: b, work: maxWork}
	todo := []span{{0, len(a), 0, len(b)}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = m.step(s, todo[:len(todo)-1])
	}
	slices.SortFunc(m.blocks, func(x, y block) int { return x.a - y.a })
	for _, x := range m.blocks { // join neighbours
		if n := len(blocks) - 1; n >= 0 && blocks[n].a+blocks[n].n == x.a && blocks[n].b+blocks[n].n == x.b {
			blocks[n].n += x.n
			continue
		}
		blocks = append(blocks, x)
	}
	return blocks, m.coarse
}

type span struct{ a, aEnd, b, bEnd int }

type matcher struct {
	a, b   []string
	blocks []block
	work   int
	coarse bool
}

func (m *matcher) found(a, b, n int) {
	if n > 0 {
		m.blocks = append(m.blocks, block{a, b, n})
	}
}

// step takes the common ends off a span and then compares the rest or cuts it into smaller spans.
func (m *matcher) step(s span, todo []span) []span {
	n := 0
	for s.a+n < s.aEnd && s.b+n < s.bEnd && m.a[s.a+n] == m.b[s.b+n] {
		n++
	}
	m.found(s.a, s.b, n)
	s.a, s.b = s.a+n, s.b+n
	n = 0
	for s.a < s.aEnd-n && s.b < s.bEnd-n && m.a[s.aEnd-n-1] == m.b[s.bEnd-n-1] {
		n++
	}
	s.aEnd, s.bEnd = s.aEnd-n, s.bEnd-n
	m.found(s.aEnd, s.bEnd, n)
	if s.a == s.aEnd || s.b == s.bEnd {
		return todo
	}
	if m.work -= s.aEnd - s.a + s.bEnd - s.b; m.work < 0 {
		m.coarse = true
		return todo
	}
	anchors, pairs := m.anchors(s)
	if len(anchors) > 0 {
		at := span{a: s.a, b: s.b}
		for _, x := range anchors {
			m.found(x.a, x.b, 1)
			todo = append(todo, span{at.a, x.a, at.b, x.b})
			at.a, at.b = x.a+1, x.b+1
		}
		return append(todo, span{at.a, s.aEnd, at.b, s.bEnd})
	}
	if pairs == 0 {
		return todo // nothing in common
	}
	cost, matcher := pairs*min(s.aEnd-s.a, s.bEnd-s.b)/10, m.difflib
	if cost > maxDifflib/10 {
		cost, matcher = pairs, m.subsequence
	}
	if pairs > maxPairs || cost > m.work {
		m.coarse = true
		return todo
	}
	m.work -= cost
	matcher(s)
	return todo
}

// difflib finds blocks as a person would, the longest one first.
func (m *matcher) difflib(s span) {
	sm := difflib.NewMatcherWithJunk(m.a[s.a:s.aEnd], m.b[s.b:s.bEnd], false, nil)
	for _, x := range sm.GetMatchingBlocks() {
		m.found(s.a+x.A, s.b+x.B, x.Size)
	}
}

// subsequence finds a longest common subsequence by the way of Hunt and Szymanski (1977): for every line of a, its places in b from the last
// to the first extend the shortest fitting chain.
func (m *matcher) subsequence(s span) {
	places := map[string][]int{}
	for j := s.bEnd - 1; j >= s.b; j-- {
		places[m.b[j]] = append(places[m.b[j]], j)
	}
	type link struct{ a, b, prev int }
	var links []link
	var ends []int // of each length, the link that ends the chain with the smallest place in b
	for i := s.a; i < s.aEnd; i++ {
		for _, j := range places[m.a[i]] {
			k := sort.Search(len(ends), func(k int) bool { return links[ends[k]].b >= j })
			l := link{i, j, -1}
			if k > 0 {
				l.prev = ends[k-1]
			}
			links = append(links, l)
			if k == len(ends) {
				ends = append(ends, len(links)-1)
			} else {
				ends[k] = len(links) - 1
			}
		}
	}
	if len(ends) == 0 {
		return
	}
	for l := ends[len(ends)-1]; l >= 0; l = links[l].prev {
		m.found(links[l].a, links[l].b, 1)
	}
}

// anchors are the lines that occur once on each side of a span, the longest run of them that ascends on both. pairs is the number of equal
// pairs of lines, which is what the quadratic matcher costs.
func (m *matcher) anchors(s span) (anchors []block, pairs int) {
	type seen struct{ inA, inB, at int }
	lines := make(map[string]*seen, s.bEnd-s.b)
	for j := s.b; j < s.bEnd; j++ {
		x := lines[m.b[j]]
		if x == nil {
			x = &seen{}
			lines[m.b[j]] = x
		}
		x.inB++
		x.at = j
	}
	for i := s.a; i < s.aEnd; i++ {
		if x := lines[m.a[i]]; x != nil {
			x.inA++
			pairs += x.inB
		}
	}
	var both []block
	for i := s.a; i < s.aEnd; i++ {
		if x := lines[m.a[i]]; x != nil && x.inA == 1 && x.inB == 1 {
			both = append(both, block{i, x.at, 1})
		}
	}
	return ascending(both), pairs
}

// ascending is the longest run of blocks whose b ascends; their a ascends already.
func ascending(both []block) []block {
	var tops []int // of each length, the index of the block with the smallest end
	prev := make([]int, len(both))
	for i, x := range both {
		k := sort.Search(len(tops), func(k int) bool { return both[tops[k]].b > x.b })
		prev[i] = -1
		if k > 0 {
			prev[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, i)
		} else {
			tops[k] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	run := make([]block, len(tops))
	for i, k := tops[len(tops)-1], len(tops)-1; k >= 0; i, k = prev[i], k-1 {
		run[k] = both[i]
	}
	return run
}
