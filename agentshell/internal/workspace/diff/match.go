package diff

import (
	"slices"
	"sort"

	"github.com/pmezard/go-difflib/difflib"
)

// matchingBlock says that the lines a[a:a+n] equal b[b:b+n].
type matchingBlock struct{ a, b, n int }

// These constants limit the work, in steps. A step compares a line, tries a diagonal, or follows a
// diagonal by one line. go-difflib compares equal pairs of lines again for every block that it
// finds (760 alternating lines take five seconds), so it only gets small spans.
const (
	// maxDifflibWork is the number of equal pairs times the lines of a span that is given to
	// go-difflib.
	maxDifflibWork = 200_000
	minWorkSteps   = 40_000_000 // minWorkSteps is the number of steps for any comparison.
	stepsPerLine   = 100        // stepsPerLine is the number of additional steps for each line.
	// workShareDivisor is the divisor for the remaining steps that one search for the middle may
	// take.
	workShareDivisor = 16
	minChanges       = 128 // minChanges is the number of changes that such a search may always try.
)

// matchLines returns the matching blocks in the order of the lines. coarse is true if a part was
// not compared.
func matchLines(a, b []string) (blocks []matchingBlock, coarse bool) {
	m := newMatcher(a, b)
	m.matchAll()
	slices.SortFunc(m.blocks, func(x, y matchingBlock) int { return x.a - y.a })
	for _, x := range m.blocks { // join neighbours
		if n := len(blocks) - 1; n >= 0 && blocks[n].a+blocks[n].n == x.a && blocks[n].b+blocks[n].n == x.b {
			blocks[n].n += x.n
			continue
		}
		blocks = append(blocks, x)
	}
	return blocks, m.coarse
}

// lineSpan is a part of both texts that is still to be compared.
type lineSpan struct {
	a, aEnd, b, bEnd int
	// fromMiddle says that [matcher.middlePoint] has cut it, so its unique lines were tried before.
	fromMiddle bool
}

type matcher struct {
	lines     [2][]string
	a, b      []int32 // a and b hold a number for each line; equal lines have equal numbers.
	countInA  []int32 // countInA and countInB count, by number, the lines in the span that uniqueLines looks at.
	countInB  []int32
	lastInB   []int32 // lastInB is the last position in b, by number.
	frontiers [2][]int
	blocks    []matchingBlock
	workLeft  int
	coarse    bool
}

func newMatcher(a, b []string) *matcher {
	m := &matcher{lines: [2][]string{a, b}, workLeft: minWorkSteps + stepsPerLine*(len(a)+len(b))}
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
	m.countInA, m.countInB, m.lastInB = make([]int32, len(numbers)), make([]int32, len(numbers)),
		make([]int32, len(numbers))
	return m
}

func (m *matcher) matchAll() {
	todo := []lineSpan{{aEnd: len(m.a), bEnd: len(m.b)}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = m.compareSpan(s, todo[:len(todo)-1])
	}
}

func (m *matcher) addBlock(a, b, n int) {
	if n > 0 {
		m.blocks = append(m.blocks, matchingBlock{a, b, n})
	}
}

// compareSpan removes the common lines at both ends of a span. It then compares the rest, or
// appends smaller spans to todo and returns that.
func (m *matcher) compareSpan(s lineSpan, todo []lineSpan) []lineSpan {
	n := 0
	for s.a+n < s.aEnd && s.b+n < s.bEnd && m.a[s.a+n] == m.b[s.b+n] {
		n++
	}
	m.addBlock(s.a, s.b, n)
	s.a, s.b = s.a+n, s.b+n
	n = 0
	for s.a < s.aEnd-n && s.b < s.bEnd-n && m.a[s.aEnd-n-1] == m.b[s.bEnd-n-1] {
		n++
	}
	s.aEnd, s.bEnd = s.aEnd-n, s.bEnd-n
	m.addBlock(s.aEnd, s.bEnd, n)
	if s.a == s.aEnd || s.b == s.bEnd {
		return todo
	}
	if m.workLeft -= s.aEnd - s.a + s.bEnd - s.b; m.workLeft < 0 {
		m.coarse = true
		return todo
	}
	if !s.fromMiddle {
		anchors, pairs := m.uniqueLines(s)
		if len(anchors) > 0 {
			at := lineSpan{a: s.a, b: s.b}
			for _, x := range anchors {
				m.addBlock(x.a, x.b, 1)
				todo = append(todo, lineSpan{a: at.a, aEnd: x.a, b: at.b, bEnd: x.b})
				at.a, at.b = x.a+1, x.b+1
			}
			return append(todo, lineSpan{a: at.a, aEnd: s.aEnd, b: at.b, bEnd: s.bEnd})
		}
		if pairs == 0 {
			return todo // nothing in common
		}
		if cost := pairs * min(s.aEnd-s.a, s.bEnd-s.b); cost <= maxDifflibWork {
			m.workLeft -= cost
			m.addDifflibBlocks(s)
			return todo
		}
	}
	x, y := m.middlePoint(s)
	return append(todo, lineSpan{a: s.a, aEnd: x, b: s.b, bEnd: y, fromMiddle: true},
		lineSpan{a: x, aEnd: s.aEnd, b: y, bEnd: s.bEnd, fromMiddle: true})
}

// addDifflibBlocks adds the matching blocks of a span with go-difflib: it finds the longest block
// first, as a human reader would.
func (m *matcher) addDifflibBlocks(s lineSpan) {
	sm := difflib.NewMatcherWithJunk(m.lines[0][s.a:s.aEnd], m.lines[1][s.b:s.bEnd], false, nil)
	for _, x := range sm.GetMatchingBlocks() {
		m.addBlock(s.a+x.A, s.b+x.B, x.Size)
	}
}

// uniqueLines returns lines that occur exactly once on each side of a span: the longest sequence
// that is in the same order on both sides. pairs is the number of equal pairs of lines, which
// determines the time of go-difflib.
func (m *matcher) uniqueLines(s lineSpan) (anchors []matchingBlock, pairs int) {
	for j := s.b; j < s.bEnd; j++ {
		m.countInB[m.b[j]]++
		m.lastInB[m.b[j]] = int32(j)
	}
	for i := s.a; i < s.aEnd; i++ {
		m.countInA[m.a[i]]++
		pairs += int(m.countInB[m.a[i]])
	}
	var both []matchingBlock
	for i := s.a; i < s.aEnd; i++ {
		if n := m.a[i]; m.countInA[n] == 1 && m.countInB[n] == 1 {
			both = append(both, matchingBlock{i, int(m.lastInB[n]), 1})
		}
	}
	for _, n := range m.a[s.a:s.aEnd] {
		m.countInA[n] = 0
	}
	for _, n := range m.b[s.b:s.bEnd] {
		m.countInB[n] = 0
	}
	return longestAscending(both), pairs
}

// longestAscending returns the longest subsequence of both whose b ascends. Their a ascends
// already.
func longestAscending(both []matchingBlock) []matchingBlock {
	var tails []int // for each length, the index of the block with the smallest end
	prev := make([]int, len(both))
	for i, x := range both {
		k := sort.Search(len(tails), func(k int) bool { return both[tails[k]].b > x.b })
		if n := len(tails); n == 0 || both[tails[n-1]].b < x.b { // the usual case
			k = n
		}
		prev[i] = -1
		if k > 0 {
			prev[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	run := make([]matchingBlock, len(tails))
	for i, k := tails[len(tails)-1], len(tails)-1; k >= 0; i, k = prev[i], k-1 {
		run[k] = both[i]
	}
	return run
}
