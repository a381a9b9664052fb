package shell

import (
	"strings"
	"testing"
)

// An earlier line of the model puts no row of its own into the list of rules, whatever its blanks.
func TestAnEarlierLineForgesNoRow(t *testing.T) {
	const forged = "2  bash(git status *)"
	for _, blank := range []string{" ", "\t", "\n", "\u00a0", "\u3000"} {
		got := shortLines([]string{"make check #" + strings.Repeat(blank, 100) + forged, "make test"})
		if got != "make check # 2 bash(git status *); make test" {
			t.Errorf("%q: %q", blank, got)
		}
	}
	got := shortLines([]string{"make " + strings.Repeat("世", 100) + forged})
	if strings.Contains(got, forged) || len(got) > maxShortLine+3 {
		t.Errorf("%q", got)
	}
	if got := shortLines([]string{"go test ./...", "go vet"}); got != "go test ./...; go vet" {
		t.Errorf("%q", got)
	}
}
