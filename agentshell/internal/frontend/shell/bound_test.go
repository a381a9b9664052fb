package shell

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Each limit of a turn is named by itself, and says what to do.
func TestEachLimitSaysWhichItIsAndWhatToDo(t *testing.T) {
	s := tui.Space{Width: 200, Height: 24, Theme: tui.NewTheme(tui.Caps{})}
	for bound, want := range map[agent.Bound][2]string{
		agent.Steps:   {"limit of steps", "Send another message"},
		agent.Length:  {"output limit", "Ask it to continue"},
		agent.Window:  {"context window is full", "/compact"},
		agent.Refusal: {"refused", "/model"},
		agent.Cost:    {"what max_cost in", "Raise max_cost"},
	} {
		var rows []string
		for _, l := range limitBlock(bound)(s) {
			var row strings.Builder
			for _, sp := range l.Spans {
				row.WriteString(sp.Text)
			}
			rows = append(rows, row.String())
		}
		if len(rows) < 2 || !strings.Contains(rows[0], want[0]) || !strings.Contains(rows[1], want[1]) {
			t.Errorf("%s: %q, want %q", bound, rows, want)
		}
	}
}
