package session

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// What an id and a sum may be is said once more, as a regular expression.
func TestValidIsWhatTheExpressionSays(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	id, sum := regexp.MustCompile(`^[0-9a-z-]{8,40}$`), regexp.MustCompile(`^[0-9a-f]{64}$`)
	odd := []string{"", "/", "..", "\n", "A", "G", "_", "é", "\x00", " ", "\xff"}
	yes := 0
	for range 20000 {
		alphabet := []string{"0123456789abcdef", "0123456789abcdefghijklmnopqrstuvwxyz-"}[rng.IntN(2)]
		var b strings.Builder
		for range []int{7, 8, 39, 40, 41, 63, 64, 65, rng.IntN(70)}[rng.IntN(9)] {
			b.WriteByte(alphabet[rng.IntN(len(alphabet))])
		}
		text := b.String()
		if rng.IntN(2) == 0 {
			at := rng.IntN(len(text) + 1)
			text = text[:at] + odd[rng.IntN(len(odd))] + text[at:]
		}
		if got, want := ValidID(text), id.MatchString(text); got != want {
			t.Fatalf("seed %d: ValidID(%q) is %v", seed, text, got)
		}
		if got, want := validSum(text), sum.MatchString(text); got != want {
			t.Fatalf("seed %d: validSum(%q) is %v", seed, text, got)
		}
		if ValidID(text) || validSum(text) {
			yes++
		}
	}
	if yes < 2000 {
		t.Errorf("only %d texts were valid", yes)
	}
}
