package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Texts that are as costly as can be, alone and repeated between unique lines: every comparison
// takes a bounded number of steps and its result applies. Without the bounds "very many of two
// lines" takes thousands of millions of them.
func TestCostlyTextsAreComparedInBoundedSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int, f func(i int) int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, f(i))
		}
		return b.String()
	}
	some := func(k int) func(int) int { return func(int) int { return r.IntN(k) } }
	for _, c := range []struct {
		name   string
		a, b   string
		coarse bool
	}{
		{"two lines at random", text(900, some(2)), text(900, some(2)), false},
		{"many lines at random", text(5000, some(100)), text(5000, some(100)), false},
		{"alternating", text(760, func(i int) int { return i % 2 }), text(760, func(i int) int { return i / 2 % 2 }),
			false},
		{"runs reversed", text(5000, func(i int) int { return i / 60 }),
			text(5000, func(i int) int { return (5000 - i) / 60 }), false},
		{"interleaved", text(5400, func(i int) int { return i % 97 }),
			text(5400, func(i int) int { return i * 5 % 97 }), false},
		{"backwards", text(5400, func(i int) int { return i % 89 }),
			text(5400, func(i int) int { return (5400 - i) % 89 }), false},
		{"all different, backwards", text(100_000, func(i int) int { return i }),
			text(100_000, func(i int) int { return 100_000 - i }), false},
		{"very many of two lines", text(100_000, some(2)), text(100_000, some(2)), true},
	} {
		for _, times := range []int{1, 5} {
			var a, b []byte
			for i := range times {
				sep := fmt.Sprintf("unique %d\n", i)
				a, b = append(append(a, c.a...), sep...), append(append(b, c.b...), sep...)
				if len(a) > 256<<10 {
					break
				}
			}
			m := newMatcher(splitLines(a), splitLines(b))
			most := m.workLeft
			m.matchAll()
			t.Logf("%s x %d: %d of %d steps, coarse %v", c.name, times, most-m.workLeft, most, m.coarse)
			if times == 1 {
				if d := Make(a, b, 3); !bytes.Equal(apply(t, a, d), b) || d.Coarse != c.coarse {
					t.Errorf("%s: coarse is %v, or the diff does not apply", c.name, d.Coarse)
				}
			}
			if most-m.workLeft > most+most/10 || most > minWorkSteps+stepsPerLine*(len(m.a)+len(m.b)) {
				t.Errorf("%s: %d steps", c.name, most-m.workLeft)
			}
		}
	}
}

// What the search for the middle finds is a longest common subsequence, as long as the work is not
// bounded.
func TestHalvingFindsALongestSubsequence(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		gen := func() (s []string) {
			for range r.IntN(40) {
				s = append(s, string(rune('a'+r.IntN(4))))
			}
			return s
		}
		a, b := gen(), gen()
		m := newMatcher(a, b)
		todo := []lineSpan{{aEnd: len(a), bEnd: len(b), fromMiddle: true}}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = m.compareSpan(s, todo[:len(todo)-1])
		}
		pairs := 0
		for _, x := range m.blocks {
			pairs += x.n
			if !slices.Equal(a[x.a:x.a+x.n], b[x.b:x.b+x.n]) {
				t.Fatalf("seed %d: %q %q: %v", seed, a, b, m.blocks)
			}
		}
		best := make([][]int, len(a)+1) // by the textbook
		for i := range best {
			best[i] = make([]int, len(b)+1)
		}
		for i := range a {
			for j := range b {
				if best[i+1][j+1] = max(best[i][j+1], best[i+1][j]); a[i] == b[j] {
					best[i+1][j+1] = best[i][j] + 1
				}
			}
		}
		if pairs != best[len(a)][len(b)] {
			t.Fatalf("seed %d: %q %q: %d of %d", seed, a, b, pairs, best[len(a)][len(b)])
		}
	}
}
