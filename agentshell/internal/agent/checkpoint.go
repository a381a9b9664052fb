package agent

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// maxCheckpointWarnings limits the reminders of an active checkpoint in one turn.
const maxCheckpointWarnings = 3

// rewindReminder is sent to a model that wants to end its turn while its checkpoint is active.
const rewindReminder = "You are in an active checkpoint. You MUST call rewind with your investigation findings " +
	"before yielding. Do NOT yield without completing the checkpoint."

// isCheckpointTool reports whether a tool sets a checkpoint or rewinds to one (SH-42).
func isCheckpointTool(name string) bool {
	return name == provider.CheckpointName || name == provider.RewindName
}

// checkpointProblem returns why a call of a checkpoint tool is not possible now, or "". It
// considers the conversation and the earlier calls of the same message.
func (b *batch) checkpointProblem(c provider.ToolCall) string {
	if b.preparePersonal != nil || !isCheckpointTool(c.Name) {
		return ""
	}
	_, active := b.turn.agent.snapshot().Checkpoint()
	switch checkpoint := c.Name == provider.CheckpointName; {
	case b.turn.agent.cfg.Sub && checkpoint:
		return "Checkpoint not available in subagents."
	case b.turn.agent.cfg.Sub:
		return "Rewind not available in subagents."
	case checkpoint && (active || b.checkpointCalls[c.Name]):
		return "Checkpoint already active."
	case !checkpoint && b.checkpointCalls[provider.CheckpointName]:
		return "The checkpoint begins behind this message: investigate first, then call rewind."
	case !checkpoint && !active:
		return "No active checkpoint."
	case !checkpoint && b.checkpointCalls[c.Name]:
		return "Rewind already requested."
	}
	return ""
}

// rollBack replaces the messages after the checkpoint with the model's report, if a rewind was
// accepted. That happens after the results of the step, or, if the process was killed before, at
// the start of the next turn.
func (t *turn) rollBack() error {
	talk := t.agent.snapshot()
	checkpoint, active := talk.Checkpoint()
	if !active || !checkpoint.Reported {
		return nil
	}
	messages, tokensBefore := talk.Messages(), t.nextTokens()
	keptMessages, removed := messages[:checkpoint.Position:checkpoint.Position], messages[checkpoint.Position:]
	report := t.agent.redacted(checkpoint.Collapse(removed))
	if err := t.agent.cfg.Observer.RolledBack(keptMessages, report, checkpoint.Report); err != nil {
		return fmt.Errorf("the conversation did not go back to the checkpoint: %w", err)
	}
	t.agent.mu.Lock()
	t.agent.conversation, t.agent.meter = window.NewConversation(append(keptMessages, report...)), t.agent.meter.Reset()
	t.agent.retryCompactAt = 0
	t.agent.mu.Unlock()
	text, _ := report[len(report)-1].MainText()
	t.on(Reported{Text: text, Messages: len(removed) - (len(report) - 1), Before: tokensBefore, After: t.nextTokens(),
		Window: t.agent.modelInfo(t.model).Window})
	t.sendNews()
	return nil
}

// Line returns a one-line description of the event for the user.
func (r Reported) Line() string {
	return fmt.Sprintf("back at the checkpoint: %s gave way to the report, %s to %s tokens",
		plural.Of(r.Messages, "message"), thousands(r.Before), thousands(r.After))
}

// warnOfCheckpoint reminds the model of its active checkpoint when it wants to end the turn. It
// returns false if no reminder was sent, so that the turn may end.
func (t *turn) warnOfCheckpoint() (bool, error) {
	_, hasRewind := t.agent.spec(provider.RewindName)
	checkpoint, active := t.agent.snapshot().Checkpoint()
	switch {
	case !hasRewind || !active || checkpoint.Reported:
		return false, nil
	case t.checkpointWarnings == maxCheckpointWarnings:
		t.on(Notice{fmt.Sprintf("The model left its checkpoint active, although it was asked for the report %d times. "+
			"All that it found stays in the conversation.", maxCheckpointWarnings)})
		return false, nil
	}
	t.checkpointWarnings++
	t.on(Notice{fmt.Sprintf("The model left its checkpoint active, and is asked for the report (%d of %d).",
		t.checkpointWarnings,
		maxCheckpointWarnings)})
	return true,
		t.addMessage(provider.Message{Role: provider.User, Parts: []provider.Part{provider.Warn(rewindReminder)}})
}

// Checkpoint returns the checkpoint that the model has set in the conversation, and an estimate of
// the tokens of the messages after it. active is false if there is none.
func (a *Agent) Checkpoint() (c window.Checkpoint, tokens int, active bool) {
	talk := a.snapshot()
	c, active = talk.Checkpoint()
	return c, talk.TokensFrom(c.Position), active
}

// withoutCheckpointTools returns a copy of specs that lacks the checkpoint tools.
func withoutCheckpointTools(specs []provider.Tool) []provider.Tool {
	return slices.DeleteFunc(slices.Clone(specs), func(s provider.Tool) bool { return isCheckpointTool(s.Name) })
}
