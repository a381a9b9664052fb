package agent

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// mostWarnings is how often a turn that ends with an active checkpoint goes on because of that.
const mostWarnings = 3

// mustRewind is what the model is told then.
const mustRewind = "You are in an active checkpoint. You MUST call rewind with your investigation findings before " +
	"yielding. Do NOT yield without completing the checkpoint."

// movesTalk reports whether a tool moves the conversation (SH-42).
func movesTalk(name string) bool {
	return name == provider.CheckpointName || name == provider.RewindName
}

// misplaced says why a call of such a tool has no place here, "" if it has. What is active the
// conversation says, and within a message the calls before.
func (b *batch) misplaced(c provider.ToolCall) string {
	if b.own != nil || !movesTalk(c.Name) {
		return ""
	}
	_, active := b.turn.agent.conversation().Checkpoint()
	switch checkpoint := c.Name == provider.CheckpointName; {
	case b.turn.agent.cfg.Sub && checkpoint:
		return "Checkpoint not available in subagents."
	case b.turn.agent.cfg.Sub:
		return "Rewind not available in subagents."
	case checkpoint && (active || b.moved[c.Name]):
		return "Checkpoint already active."
	case !checkpoint && b.moved[provider.CheckpointName]:
		return "The checkpoint begins behind this message: investigate first, then call rewind."
	case !checkpoint && !active:
		return "No active checkpoint."
	case !checkpoint && b.moved[c.Name]:
		return "Rewind already requested."
	}
	return ""
}

// goBack makes the conversation go back to its checkpoint if a rewind was accepted: at the end of
// that step, or, where the shell was killed before, when the next turn begins.
func (t *turn) goBack() error {
	talk := t.agent.conversation()
	c, active := talk.Checkpoint()
	if !active || !c.Reported {
		return nil
	}
	messages, before := talk.Messages(), t.count()
	kept, gone := messages[:c.At:c.At], messages[c.At:]
	report := t.agent.clean(c.Collapse(gone))
	if err := t.agent.cfg.Observer.RolledBack(kept, report, c.Report); err != nil {
		return fmt.Errorf("the conversation did not go back to the checkpoint: %w", err)
	}
	t.agent.mu.Lock()
	t.agent.talk, t.agent.meter = window.NewConversation(append(kept, report...)), t.agent.meter.Anew()
	t.agent.stuck = 0
	t.agent.mu.Unlock()
	text, _ := report[len(report)-1].Said()
	t.on(Reported{Text: text, Messages: len(gone) - (len(report) - 1), Before: before, After: t.count(),
		Window: t.agent.known(t.model).Window})
	t.news()
	return nil
}

// Line says what was done, for a person.
func (r Reported) Line() string {
	return fmt.Sprintf("back at the checkpoint: %s gave way to the report, %s to %s tokens",
		counted(r.Messages, "message"), thousands(r.Before), thousands(r.After))
}

// warn reminds a model that wants to end a turn of its active checkpoint, and reports whether it
// did.
func (t *turn) warn() (bool, error) {
	_, can := t.agent.spec(provider.RewindName)
	c, active := t.agent.conversation().Checkpoint()
	switch {
	case !can || !active || c.Reported:
		return false, nil
	case t.warnings == mostWarnings:
		t.on(Notice{fmt.Sprintf("The model left its checkpoint active, although it was asked for the report %d times. "+
			"All that it found stays in the conversation.", mostWarnings)})
		return false, nil
	}
	t.warnings++
	t.on(Notice{fmt.Sprintf("The model left its checkpoint active, and is asked for the report (%d of %d).", t.warnings,
		mostWarnings)})
	return true, t.add(provider.Message{Role: provider.User, Parts: []provider.Part{provider.Warn(mustRewind)}})
}

// Checkpoint returns the active checkpoint of the conversation, and about how many tokens what came
// behind it takes.
func (a *Agent) Checkpoint() (c window.Checkpoint, tokens int, active bool) {
	talk := a.conversation()
	c, active = talk.Checkpoint()
	return c, talk.Tokens(c.At), active
}

// withoutMoves returns specs without the tools that move the conversation.
func withoutMoves(specs []provider.Tool) []provider.Tool {
	return slices.DeleteFunc(slices.Clone(specs), func(s provider.Tool) bool { return movesTalk(s.Name) })
}
