package plural

import "testing"

func TestANumberHasItsNoun(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{{0, "line", "0 lines"}, {1, "line", "1 line"}, {2, "line", "2 lines"}, {1, "match", "1 match"},
		{2, "match", "2 matches"}, {1, "entry", "1 entry"}, {3, "entry", "3 entries"}, {2, "day", "2 days"},
		{2, "key", "2 keys"}, {2, "process", "2 processes"}, {1000, "hidden character", "1000 hidden characters"}} {
		if got := Of(c.n, c.noun); got != c.want {
			t.Errorf("%d %s: %q", c.n, c.noun, got)
		}
	}
}
