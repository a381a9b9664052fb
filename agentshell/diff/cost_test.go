package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Texts that are as costly as can be, alone and repeated between unique lines: every comparison ends in time and its result applies.
func TestCostlyTextsAreComparedInTime(t *testing.T) {
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
		{"alternating", text(760, func(i int) int { return i % 2 }), text(760, func(i int) int { return i / 2 % 2 }), false},
		{"runs reversed", text(5000, func(i int) int { return i / 60 }), text(5000, func(i int) int { return (5000 - i) / 60 }), false},
		{"interleaved", text(5400, func(i int) int { return i % 97 }), text(5400, func(i int) int { return i * 5 % 97 }), false},
		{"backwards", text(5400, func(i int) int { return i % 89 }), text(5400, func(i int) int { return (5400 - i) % 89 }), false},
		{"all different, backwards", text(100_000, func(i int) int { return i }), text(100_000, func(i int) int { return 100_000 - i }), false},
		{"very many of two lines", text(100_000, some(2)), text(100_000, some(2)), true},
	} {
		for _, times := range []int{1, 12} {
			var a, b []byte
			for i := range times {
				sep := fmt.Sprintf("unique %d\n", i)
				a, b = append(append(a, c.a...), sep...), append(append(b, c.b...), sep...)
				if len(a) > 4<<20 {
					break
				}
			}
			start := time.Now()
			d := Make(a, b, 3)
			took := time.Since(start)
			if !bytes.Equal(apply(t, a, d), b) {
				t.Errorf("%s: the diff does not apply", c.name)
			}
			if times == 1 && d.Coarse != c.coarse {
				t.Errorf("%s: coarse is %v", c.name, d.Coarse)
			}
			t.Logf("%s x %d: %v, coarse %v", c.name, times, took, d.Coarse)
			if took > 20*time.Second { // measured: under 2 s on an idle machine
				t.Errorf("%s: took %v", c.name, took)
			}
		}
	}
}

func TestTheSubsequenceIsALongestOne(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		gen := func() (s []string) {
			for range r.IntN(30) {
				s = append(s, string(rune('a'+r.IntN(4))))
			}
			return s
		}
		a, b := gen(), gen()
		m := &matcher{a: a, b: b}
		m.subsequence(span{0, len(a), 0, len(b)})
		for _, x := range m.blocks {
			if a[x.a] != b[x.b] {
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
		if len(m.blocks) != best[len(a)][len(b)] {
			t.Fatalf("seed %d: %q %q: %d of %d", seed, a, b, len(m.blocks), best[len(a)][len(b)])
		}
	}
}
