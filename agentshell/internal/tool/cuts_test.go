package tool

import (
	"strings"
	"testing"
)

// An agent's result in the text for who started it is cut between characters as a person counts
// them, wherever the cut falls.
func TestExcerptsOfAgentsAreCutBetweenCharacters(t *testing.T) {
	for name, unit := range map[string]string{"family": "👨\u200d👩\u200d👧\u200d👦", "marks": "e\u0323\u0300",
		"hangul": "\u1112\u1161\u11ab", "conjunct": "\u0915\u094d\u0937\u093f"} {
		for shift := range len(unit) {
			for _, more := range []bool{false, true} {
				text := strings.Repeat("y", shift) + strings.Repeat(unit, 2*maxPreview/len(unit)) + "z"
				got := resultExcerpt(AgentResult{Text: text, Cut: more, Resource: "agent://a"})
				head, note, ok := strings.Cut(got, "\n[")
				if !ok || strings.ReplaceAll(strings.TrimLeft(head, "y"), unit, "") != "" ||
					!strings.Contains(note, "agent://a") {
					t.Errorf("%s, shifted by %d: …%+q", name, shift, got[max(0, len(got)-120):])
				}
			}
		}
	}
}
