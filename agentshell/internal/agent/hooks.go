package agent

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Hooks are programs of the person that have a say; [hook.Runner] is one. Ask returns when ctx
// ends.
type Hooks interface {
	Ask(ctx context.Context, q hook.Question) hook.Answer
}

// hooked returns what hooks say of a prepared call before it is decided. They are asked once for
// each call, also where it is prepared again. No answer of theirs allows anything.
func (b *batch) hooked(c provider.ToolCall, ready tool.Call) hook.Answer {
	if b.turn.agent.cfg.Hooks == nil || b.own != nil {
		return hook.Answer{}
	}
	b.mu.Lock()
	said, asked := b.heardOf[c.ID]
	b.mu.Unlock()
	if asked {
		return said
	}
	said = b.turn.agent.cfg.Hooks.Ask(b.turn.ctx, question(hook.Before, c, ready))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heardOf[c.ID] = said
	return said
}

// after returns what hooks add to the result of a call that ran, before and behind it.
func (b *batch) after(c provider.ToolCall, ready tool.Call, text string, err error) []string {
	if b.turn.agent.cfg.Hooks == nil || b.own != nil || b.turn.ctx.Err() != nil {
		return nil
	}
	q := question(hook.After, c, ready)
	q.OK, q.Result = err == nil, text
	if err != nil {
		q.Result = err.Error()
	}
	said := b.turn.agent.cfg.Hooks.Ask(b.turn.ctx, q)
	for _, p := range said.Problems {
		b.emit(Notice{p})
	}
	return append(b.hooked(c, ready).Said, said.Said...)
}

func question(on hook.When, c provider.ToolCall, ready tool.Call) hook.Question {
	return hook.Question{On: on, Call: c.ID, Tool: c.Name, Input: c.Input, Path: ready.Path, Command: ready.Command}
}

// beside begins what the model is told with a message that the person did not type: what hooks have
// said at the end of the turn before, and what became known since.
const beside = "Beside this message, from the shell and the user's hooks:\n"

// Note tells the model something with the person's next message.
func (a *Agent) Note(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.aside = append(a.aside, text)
}

// closing asks the hooks at the end of a turn. What they say goes to the model with the person's
// next message, and to the person now.
func (t *turn) closing(reason Reason) {
	hooks := t.agent.cfg.Hooks
	if hooks == nil || reason == Interrupted || t.ctx.Err() != nil {
		return
	}
	said := hooks.Ask(t.ctx, hook.Question{On: hook.End, Reason: string(reason)})
	for _, text := range append(said.Problems, said.Said...) {
		t.on(Notice{text})
	}
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	t.agent.aside = append(t.agent.aside, said.Said...)
}

// withAside returns a message with what was said beside it since the last one.
func (t *turn) withAside(m Message) Message {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if m.Text != "" && len(t.agent.aside) > 0 {
		m.aside = append(m.aside, beside+strings.Join(t.agent.aside, "\n"))
		t.agent.aside = nil
	}
	return m
}
