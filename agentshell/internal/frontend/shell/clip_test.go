package shell

import (
	"strings"
	"testing"
)

// What the transcript shows of a long line ends between characters as a person counts them.
func TestLongLinesAreClippedBetweenCharacters(t *testing.T) {
	for _, unit := range []string{"👨\u200d👩\u200d👧\u200d👦", "e\u0323\u0300", "\u1112\u1161\u11ab",
		"\u0915\u094d\u0937\u093f"} {
		for shift := range len(unit) {
			text := strings.Repeat("x", shift) + strings.Repeat(unit, maxLineBytes)
			head, omitted := clipLine(text)
			if strings.ReplaceAll(strings.TrimLeft(head, "x"), unit, "") != "" || len(head)+omitted != len(text) {
				t.Errorf("%+q, shifted by %d: …%+q", unit, shift, head[len(head)-20:])
			}
		}
	}
}
