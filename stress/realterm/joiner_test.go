//go:build terminals

package realterm

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// joined are the clusters of the workloads that have joiners, with and without them.
var joined = []*regexp.Regexp{
	regexp.MustCompile("(\U0001f468)\u200d?(\U0001f469)\u200d?(\U0001f467)"),
	regexp.MustCompile("(\U0001f3f3\ufe0f)\u200d?(\U0001f308)"),
	regexp.MustCompile("(\U0001f9d1\U0001f3fe)\u200d?(\U0001f52c)"),
}

// forgets is how many joiners tmux 3.3 may forget on a tape: seen were one or two in 480 rows.
const forgets = 6

// rejoined returns a tape of tmux with the joiners that it has forgotten, and how many those are.
// tmux 3.3 keeps a joiner in the state of a parse that ends with what it has read (SCREEN_WRITE_ZWJ
// in screen-write.c, in 3.2 and 3.4 there is none): where a read ends behind a joiner, which is for
// the kernel to say, what follows stands in cells of its own, and the joiner nowhere.
func rejoined(tape string) (string, int) {
	n := strings.Count(tape, "\u200d")
	for _, r := range joined {
		with := "$1\u200d$2"
		if r.NumSubexp() == 3 {
			with += "\u200d$3"
		}
		tape = r.ReplaceAllString(tape, with)
	}
	return tape, strings.Count(tape, "\u200d") - n
}

// ofTmux returns the tape of the tmux that is installed as its program sent it.
func ofTmux(t *testing.T, tape string) string {
	t.Helper()
	if v := output(t, exec.Command("tmux", "-V")); !strings.HasPrefix(v, "tmux 3.3") {
		return tape
	}
	tape, n := rejoined(tape)
	if n > 0 {
		t.Logf("joiners that tmux has forgotten: %d", n)
	}
	if n > forgets {
		t.Errorf("%d joiners are missing: that is more than reads that end behind one", n)
	}
	return tape
}

func TestJoinersThatTmuxForgets(t *testing.T) {
	for _, c := range []struct {
		tape, want string
		n          int
	}{
		{"a \U0001f9d1\U0001f3fe\u200d\U0001f52c b", "a \U0001f9d1\U0001f3fe\u200d\U0001f52c b", 0},
		{"a\U0001f468\U0001f469\u200d\U0001f467   b", "a\U0001f468\u200d\U0001f469\u200d\U0001f467   b", 1},
		{"\U0001f468\U0001f469\U0001f467\U0001f3f3\ufe0f\U0001f308",
			"\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3f3\ufe0f\u200d\U0001f308", 3},
		// What no workload has.
		{"\U0001f469\U0001f467 \U0001f9d1\U0001f52c", "\U0001f469\U0001f467 \U0001f9d1\U0001f52c", 0},
	} {
		if got, n := rejoined(c.tape); got != c.want || n != c.n {
			t.Errorf("%+q: %+q and %d joiners, want %+q and %d", c.tape, got, n, c.want, c.n)
		}
	}
}
