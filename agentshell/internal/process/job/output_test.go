package job

import (
	"slices"
	"strings"
	"testing"
)

// The output of a job is cut between characters as a person counts them, wherever the cut falls.
func TestTheOutputOfAJobIsCutBetweenCharacters(t *testing.T) {
	for name, unit := range map[string]string{"family": "👨\u200d👩\u200d👧\u200d👦", "marks": "e\u0323\u0300",
		"hangul": "\u1112\u1161\u11ab", "conjunct": "\u0915\u094d\u0937\u093f", "han": "漢"} {
		for _, size := range []int{headBytes + tailBytes + 100, 4 * tailBytes} {
			for shift := range len(unit) {
				b := new(outputBuffer)
				text := strings.Repeat("x", shift) + strings.Repeat(unit, size/len(unit))
				for chunk := range slices.Chunk([]byte(text), 60_007) {
					b.write(string(chunk))
				}
				b.end()
				got, total := b.text()
				head, tail, _ := strings.Cut(got, "\n[")
				_, tail, ok := strings.Cut(tail, " bytes left out]\n")
				head = strings.TrimLeft(head, "x")
				tail = strings.ReplaceAll(tail, unit, "")
				if !ok || strings.Trim(strings.ReplaceAll(head, unit, ""), "x\n") != "" || tail != "" {
					t.Errorf("%s of %d bytes, shifted by %d: …%+q and %+q…", name, total, shift,
						head[max(0, len(head)-20):], tail[:min(len(tail), 20)])
				}
			}
		}
	}
}
