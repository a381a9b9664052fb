package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// stoppedWord stands behind the title of a call that the person has stopped.
const stoppedWord = "stopped"

// stoppedOutput returns what a stopped call has printed and done until then, without the words that
// tell the model of the stop.
func stoppedOutput(e agent.ToolEnd) string {
	if strings.TrimSpace(e.Result.Detail) != "" {
		return e.Result.Detail
	}
	text, stopped := strings.CutPrefix(e.Text, agent.StoppedText)
	if !stopped && !e.UserCommand || text == context.Canceled.Error() {
		return ""
	}
	text, _ = tool.StoredOutput(strings.TrimPrefix(text, "\n"), stoppedWord)
	return text
}

// withPrinted returns the end of a stopped call with what its block has shown while it ran, if its
// tool tells nothing of that.
func withPrinted(ev agent.ToolEnd, c *call) agent.ToolEnd {
	if ev.Kind == agent.KindInterrupted && strings.TrimSpace(ev.Result.Detail) == "" {
		ev.Result.Detail, _ = c.output.Text()
	}
	return ev
}

// outputRows returns the rows of the output of a call, and of the files that it changed. first is
// as in editedFileRows.
func outputRows(e agent.ToolEnd, text string, first int, s tui.Space) []tui.Line {
	head, tail := outputHead, outputTail
	if e.UserCommand {
		head, tail = maxCommandRows/2, maxCommandRows/2
	}
	return append(firstAndLastRows(text, head, tail, s), changedRows(e, first, s)...)
}
