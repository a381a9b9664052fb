package shell

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// A stopped call keeps its output as rows, whoever decided it, and whatever the model is told.
func TestAStoppedCallKeepsItsOutput(t *testing.T) {
	const printed = "tick 1\ntick 2\n"
	told := agent.StoppedText + "\n" + printed + "[stopped by the user]\n[workspace files changed: made (new)]\n"
	decided := &approval.Proposal{Tool: "bash", Payload: approval.Command{Command: "make"}}
	stored := agent.StoredCallEnd(
		provider.ToolCall{ID: "1", Name: "bash", Input: json.RawMessage(`{"command":"make"}`)},
		[]provider.Message{{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "1", Text: told,
			IsError: true, Kind: agent.KindInterrupted, Summary: "stopped"}}}})
	result := tool.Result{Detail: printed, Summary: "stopped", Changed: []string{"workspace/made"}}
	for name, e := range map[string]agent.ToolEnd{
		"one that a person allowed": {Kind: agent.KindInterrupted, Title: "bash make", Text: told, Result: result,
			Proposal: decided},
		"one that only read": {Kind: agent.KindInterrupted, Title: "bash make", Text: told, Result: result},
		"of the person":      {Kind: agent.KindInterrupted, Title: "bash make", Result: result, UserCommand: true},
		"a stored one":       stored,
	} {
		want := "! bash make  stopped\ntick 1\ntick 2\nchanged: made"
		if got := strings.Join(plainRows(endedCall(e).View(tui.Space{Width: 80}).Lines), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	long := agent.ToolEnd{Kind: agent.KindInterrupted, Title: "x", Result: tool.Result{
		Detail: strings.Repeat("row\n", 100) + "last\n"}}
	rows := plainRows(endedCall(long).View(tui.Space{Width: 80}).Lines)
	if text, truncated := fullOutput(long); len(rows) != outputHead+outputTail+2 || rows[len(rows)-1] != "last" ||
		!truncated || text != long.Result.Detail {
		t.Errorf("a long output leaves %q, and /output has %d bytes", rows, len(text))
	}
	for text, want := range map[string]string{
		agent.StoppedText: "", agent.StoppedText + "\nhalf of it": "half of it", "interrupted": ""} {
		if got := stoppedOutput(agent.ToolEnd{Kind: agent.KindInterrupted, Text: text}); got != want {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
	c := &call{title: "remote"}
	c.appendOutput(printed)
	if e := withPrinted(agent.ToolEnd{Kind: agent.KindInterrupted, Text: agent.StoppedText}, c); e.Result.Detail !=
		printed {
		t.Errorf("a tool that tells nothing keeps %q", e.Result.Detail)
	}
}
