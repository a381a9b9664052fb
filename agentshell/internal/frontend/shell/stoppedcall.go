package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// stoppedWord is shown behind the title of a call that the user has stopped.
const stoppedWord = "stopped"

// stoppedOutput returns the output of a call up to the moment when it was stopped, without the
// sentence that tells the model of the stop.
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

// withPrinted returns ev with the output that the block of the call has shown, if the call was
// stopped and its tool has returned no output.
func withPrinted(ev agent.ToolEnd, c *call) agent.ToolEnd {
	if ev.Kind == agent.KindInterrupted && strings.TrimSpace(ev.Result.Detail) == "" {
		ev.Result.Detail, _ = c.output.Text()
	}
	return ev
}

// outputRows returns the rows of a call's output, and of the files that it changed. first is the
// number of the first changed file for /diff; 0: the files have no numbers.
func outputRows(e agent.ToolEnd, text string, first int, s tui.Space) []tui.Line {
	head, tail := outputHead, outputTail
	if e.UserCommand {
		head, tail = maxCommandRows/2, maxCommandRows/2
	}
	return append(firstAndLastRows(text, head, tail, s), changedRows(e, first, s)...)
}
