package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
)

// Command runs a command of the person's own (SH-6): nobody has to approve what they typed themselves. Command and result join the conversation
// as something that the person said, so that the model knows of them with the next turn. on is told ToolStart, ToolProgress, ToolEnd and
// TurnEnd, serially. It must not run beside a turn: then it is [ErrBusy].
func (a *Agent) Command(ctx context.Context, command string, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	reason, err := t.command(command)
	on(TurnEnd{Reason: reason, Err: err})
	return err
}

func (t *turn) command(command string) (Reason, error) {
	const id, name = "own", "bash"
	if t.agent.cfg.Tools == nil {
		return Failed, errors.New("there is no tool to run a command with")
	}
	input, err := json.Marshal(map[string]any{"command": command, "timeout_s": 3600})
	if err != nil {
		return Failed, err
	}
	ready, err := t.agent.cfg.Tools.Prepare(t.ctx, name, id, input)
	if err != nil {
		return Failed, err
	}
	t.on(ToolStart{ID: id, Name: name, Title: ready.Title})
	result, err := run(t.ctx, ready, func(text string) { t.on(ToolProgress{ID: id, Text: text}) })
	end := ToolEnd{ID: id, Name: name, Title: ready.Title, OK: err == nil, Result: result, Text: result.Text, Own: true}
	reason := Done
	if err != nil {
		end.Kind, end.Text = tool.Kind(err), err.Error()
		if t.ctx.Err() != nil {
			end.Kind, reason = KindInterrupted, Interrupted
		}
	}
	t.on(end)
	said := fmt.Sprintf("I ran this command myself:\n\n%s\n\nIts output:\n\n%s", command, end.Text)
	return reason, t.add(provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: said}}})
}
