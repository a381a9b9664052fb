package profile_test

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// Measured in tmux 3.3a: by how many columns the cursor moves.
func TestTmuxIsAsWideAsItWasMeasured(t *testing.T) {
	for _, name := range []string{"tmux", "tmux-noclear"} {
		p, _ := profile.ByName(name)
		for cluster, want := range map[string]int{
			"❤\ufe0f": 1, "👨\u200d👩\u200d👧\u200d👦": 2, "👍🏽": 4,
			"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": 2,
			"\U0001fae8": 0, "\U0001fae9": 0, "☰": 1, "\u1112\u1161": 2, "世": 2, "e\u0301": 1,
		} {
			term := p.New(40, 2, 0)
			term.WriteString("a" + cluster)
			if got := term.Cursor().Col - 1; got != want {
				t.Errorf("%s: %+q takes %d columns, want %d", name, cluster, got, want)
			}
		}
	}
}
