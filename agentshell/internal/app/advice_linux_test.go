package app

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A person who approves commands by hand is told of the sandbox, after the third one and once.
func TestWhoApprovesCommandsIsToldOnceThatTheyCanBeConfined(t *testing.T) {
	need.Program(t, "bash")
	if r := sandbox.Find(context.Background(), new(child.Family), t.TempDir(), ""); r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	p := newPane(t, 80, 24)
	const said = "Commands can run confined"
	var script []string
	for i := range 6 {
		script = append(script, fmt.Sprintf(`{"delay_ms":0,"tool_calls":[{"id":"b%d","name":"bash",`+
			`"input":{"command":"touch f%[1]d"}}]}`, i), fmt.Sprintf(`{"say":"Step %d.","delay_ms":0}`, i))
	}
	p.start(script...)
	for i := range 6 {
		p.line("go")
		p.armed()
		if n := strings.Count(p.history(), said); n != min(i/adviceAfter, 1) {
			t.Errorf("before command %d it was said %d times:\n%s", i+1, n, p.history())
		}
		p.keys("y")
		p.sees(fmt.Sprintf("Step %d.", i))
		if i == adviceAfter-1 {
			p.sees(said)
		}
	}
	if n := strings.Count(p.history(), said); n != 1 {
		t.Errorf("it was said %d times", n)
	}
}
