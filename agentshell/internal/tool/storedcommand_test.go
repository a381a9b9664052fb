package tool

import (
	"slices"
	"testing"
)

func TestAStoredOutputHasNoLinesForTheModel(t *testing.T) {
	for _, c := range []struct {
		text, summary, want string
		changed             []string
	}{
		{"a\nb\n[exit status 2]\n", "exit status 2", "a\nb\n", nil},
		{"[no output, exit 0]\n", exitDone, "", nil},
		{"a\n[workspace files changed: 5 files of the repository itself]\n", exitDone, "a\n", nil},
		{"a\n[workspace files changed: x, d/y (new) and 3 more, and 1 file that git ignores]\n", exitDone, "a\n",
			[]string{"x", "d/y (new) and 3 more"}},
		{"a\n[stopped by the user]\n[workspace files changed: x (removed), and 2 files of the repository itself]\n",
			"stopped", "a\n", []string{"x"}},
		{"[1] note\n[exit status 1]\nlast\n", exitDone, "[1] note\n[exit status 1]\nlast\n", nil},
		{"a\n[exit status 1]\n", "", "a\n[exit status 1]\n", nil}, // of an earlier version
	} {
		if got, changed := StoredOutput(c.text, c.summary); got != c.want || !slices.Equal(changed, c.changed) {
			t.Errorf("%q is shown as %q, changed %q", c.text, got, changed)
		}
	}
}
