package diff_test

import (
	"math/rand/v2"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

func TestHunksOfTheSameLinesAreCounted(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	for _, c := range []struct {
		mine, theirs string
		want, of     int
	}{
		{"1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\nzwei\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n", 1, 2},
		{"1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n", 0, 1},
		// adjacent lines
		{"1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", 1, 1},
		// the same context
		{"1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n", 0, 1},
		{"0\n" + base, "zero\n" + base, 1, 1},
		{"0\n" + base, base + "13\n", 0, 1},
		{"", "1\n", 1, 1},
	} {
		mine := diff.Make([]byte(base), []byte(c.mine), 3)
		theirs := diff.Make([]byte(base), []byte(c.theirs), 3)
		if got := mine.Overlapping(theirs); got != c.want || len(theirs.Hunks) != c.of {
			t.Errorf("%q and %q: %d of %d, want %d of %d", c.mine, c.theirs, got, len(theirs.Hunks), c.want, c.of)
		}
	}
}

// Whatever Merge puts together has no overlap, and whatever it cannot has one.
func TestWhatOverlapsIsWhatCannotBeMerged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := func(n int) []byte {
		var b []byte
		for range n {
			b = append(b, byte('a'+r.IntN(3)), '\n')
		}
		return b
	}
	merged := 0
	for range 2000 {
		base := letters(r.IntN(12))
		change := func() []byte {
			at := r.IntN(len(base)/2+1) * 2
			drop := min(r.IntN(3)*2, len(base)-at)
			return append(append(append([]byte(nil), base[:at]...), letters(r.IntN(3))...), base[at+drop:]...)
		}
		mine, theirs := change(), change()
		a, b := diff.Make(base, mine, 0), diff.Make(base, theirs, 0)
		_, clean := diff.Merge(base, mine, theirs)
		if n := a.Overlapping(b); n > 0 && clean && string(mine) != string(theirs) && !sharesChange(a, b) ||
			n == 0 && !clean {
			t.Fatalf("%q, %q, %q: %d overlap, merged %v", base, mine, theirs, n, clean)
		}
		if clean {
			merged++
		}
	}
	if merged < 200 {
		t.Errorf("only %d were merged", merged)
	}
}

// sharesChange reports whether two differences have a hunk in common: Merge takes it once.
func sharesChange(a, b diff.Diff) bool {
	for _, h := range a.Hunks {
		for _, g := range b.Hunks {
			if h.OldStart == g.OldStart && h.OldLines == g.OldLines && len(h.Lines) == len(g.Lines) {
				return true
			}
		}
	}
	return false
}
