package stress

import (
	"flag"
	"fmt"
	"iter"
	"slices"
	"testing"
)

// shard is a part of a long search: part index of count, from 1. The zero value is the whole.
type shard struct{ index, count uint64 }

var part = shardFlag("shard", "run only part `i/n` of the seeds, from 1/n to n/n: together they are all seeds")

// shardFlag makes a part a flag of the tests.
func shardFlag(name, usage string) *shard {
	s := new(shard)
	flag.Var(s, name, usage)
	return s
}

// String implements [flag.Value].
func (s *shard) String() string {
	if s.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.count)
}

// Set implements [flag.Value].
func (s *shard) Set(text string) error {
	var set shard
	var more string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &set.index, &set.count, &more); n != 2 || set.index < 1 ||
		set.index > set.count || set.String() != text {
		return fmt.Errorf("a part is i/n, such as 2/8, not %q", text)
	}
	*s = set
	return nil
}

// seeds returns the seeds of the part, of n seeds from first on. Neighbours go to different parts,
// so that all parts take about as long.
func (s shard) seeds(first, n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for k := range n {
			if seed := first + k; s.count == 0 || k%s.count == s.index-1 {
				if !yield(seed) {
					return
				}
			}
		}
	}
}

// The parts of a search together run each seed once, whatever their number.
func TestThePartsOfASearchAreTheWhole(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 7, 150, 1000} {
		for _, from := range []uint64{0, 1, 1985} {
			whole := slices.Collect(shard{}.seeds(from, n))
			if len(whole) != int(n) {
				t.Fatalf("%d seeds from %d: %v", n, from, whole)
			}
			for count := range uint64(12) {
				var all []uint64
				least, most := n, uint64(0)
				for i := range count {
					var s shard
					if err := s.Set(fmt.Sprintf("%d/%d", i+1, count)); err != nil {
						t.Fatal(err)
					}
					seeds := slices.Collect(s.seeds(from, n))
					least, most = min(least, uint64(len(seeds))), max(most, uint64(len(seeds)))
					all = append(all, seeds...)
				}
				slices.Sort(all)
				if count > 0 && (!slices.Equal(all, whole) || most-least > 1) {
					t.Errorf("%d parts of %d seeds from %d: %v, the largest %d, the smallest %d", count, n, from, all,
						most,
						least)
				}
			}
		}
	}
	for _, text := range []string{"", "1", "0/3", "4/3", "1/0", "-1/3", "1/3x", "1 /3", "a/b", "+1/3", "01/3"} {
		if s := new(shard); s.Set(text) == nil {
			t.Errorf("%q is a part: %v", text, s)
		}
	}
}
