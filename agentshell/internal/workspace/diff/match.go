package diff

import (
	"slices"
	"sort"

	"github.com/pmezard/go-difflib/difflib"
)

// block is a[a:a+n] == b[b:b+n].
type block struct{ a, b, n int }

// The bounds of the work, in steps: lines looked at, diagonals tried, lines followed along a
// diagonal, and what go-difflib does at worst. go-difflib looks at the equal pairs of lines again
// for every block that it finds (760 lines that alternate take it five seconds), so it compares
// small stretches only, where its choice of the longest block first is what a person would choose.
const (
	maxDifflib = 200_000    // pairs times lines of a stretch for go-difflib
	minWork    = 40_000_000 // steps for any comparison
	lineWork   = 100        // and for each of its lines
	shareWork  = 16         // one search for the middle takes at most this part of what is left
	leastCost  = 128        // but goes on to so many changes
)

// match finds matching blocks, ascending on both sides. coarse: some stretch was not compared.
func match(a, b []string) (blocks []block, coarse bool) {
	m := newMatcher(a, b)
	m.run()
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

// span is a stretch of both sides that is still to be compared.
type span struct {
	a, aEnd, b, bEnd int
	halved           bool // it came of a search for the middle: its unique lines were tried
}

type matcher struct {
	lines  [2][]string
	a, b   []int32 // the lines by number: equal lines have equal numbers
	inA    []int32 // of each number, how often it is in the span of anchors
	inB    []int32
	at     []int32 // where in b it was seen last
	v      [2][]int
	blocks []block
	work   int
	coarse bool
}

func newMatcher(a, b []string) *matcher {
	m := &matcher{lines: [2][]string{a, b}, work: minWork + lineWork*(len(a)+len(b))}
	numbers := make(map[string]int32, len(a))
	number := func(lines []string) []int32 {
		ns := make([]int32, len(lines))
		for i, l := range lines {
			n, known := numbers[l]
			if !known {
				n = int32(len(numbers))
				numbers[l] = n
			}
			ns[i] = n
		}
		return ns
	}
	m.a, m.b = number(a), number(b)
	m.inA, m.inB, m.at = make([]int32, len(numbers)), make([]int32, len(numbers)), make([]int32, len(numbers))
	return m
}

func (m *matcher) run() {
	todo := []span{{aEnd: len(m.a), bEnd: len(m.b)}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = m.step(s, todo[:len(todo)-1])
	}
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
	if !s.halved {
		anchors, pairs := m.anchors(s)
		if len(anchors) > 0 {
			at := span{a: s.a, b: s.b}
			for _, x := range anchors {
				m.found(x.a, x.b, 1)
				todo = append(todo, span{a: at.a, aEnd: x.a, b: at.b, bEnd: x.b})
				at.a, at.b = x.a+1, x.b+1
			}
			return append(todo, span{a: at.a, aEnd: s.aEnd, b: at.b, bEnd: s.bEnd})
		}
		if pairs == 0 {
			return todo // nothing in common
		}
		if cost := pairs * min(s.aEnd-s.a, s.bEnd-s.b); cost <= maxDifflib {
			m.work -= cost
			m.difflib(s)
			return todo
		}
	}
	x, y := m.middle(s)
	return append(todo, span{a: s.a, aEnd: x, b: s.b, bEnd: y, halved: true},
		span{a: x, aEnd: s.aEnd, b: y, bEnd: s.bEnd, halved: true})
}

// difflib finds blocks as a person would, the longest one first.
func (m *matcher) difflib(s span) {
	sm := difflib.NewMatcherWithJunk(m.lines[0][s.a:s.aEnd], m.lines[1][s.b:s.bEnd], false, nil)
	for _, x := range sm.GetMatchingBlocks() {
		m.found(s.a+x.A, s.b+x.B, x.Size)
	}
}

// anchors returns the lines that occur once on each side of a span, the longest run of them that
// ascends on both. pairs is the number of equal pairs of lines, which is what go-difflib costs.
func (m *matcher) anchors(s span) (anchors []block, pairs int) {
	for j := s.b; j < s.bEnd; j++ {
		m.inB[m.b[j]]++
		m.at[m.b[j]] = int32(j)
	}
	for i := s.a; i < s.aEnd; i++ {
		m.inA[m.a[i]]++
		pairs += int(m.inB[m.a[i]])
	}
	var both []block
	for i := s.a; i < s.aEnd; i++ {
		if n := m.a[i]; m.inA[n] == 1 && m.inB[n] == 1 {
			both = append(both, block{i, int(m.at[n]), 1})
		}
	}
	for _, n := range m.a[s.a:s.aEnd] {
		m.inA[n] = 0
	}
	for _, n := range m.b[s.b:s.bEnd] {
		m.inB[n] = 0
	}
	return ascending(both), pairs
}

// ascending returns the longest run of blocks whose b ascends; their a ascends already.
func ascending(both []block) []block {
	var tops []int // of each length, the index of the block with the smallest end
	prev := make([]int, len(both))
	for i, x := range both {
		k := sort.Search(len(tops), func(k int) bool { return both[tops[k]].b > x.b })
		if n := len(tops); n == 0 || both[tops[n-1]].b < x.b { // the usual case
			k = n
		}
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
