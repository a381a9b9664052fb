package agent

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Hooks asks the user's hook programs about calls and turns. [hook.Runner] implements it. Ask must
// return when ctx ends.
type Hooks interface {
	Ask(ctx context.Context, q hook.Question) hook.Answer
}

// hookAnswer asks the hooks about a prepared call, before anybody decides on it. They are asked
// once for each call, even if the call is prepared again. An answer can deny a call, but never
// allow one.
func (b *batch) hookAnswer(c provider.ToolCall, ready tool.Call) hook.Answer {
	if b.turn.agent.cfg.Hooks == nil || b.isPersonal() {
		return hook.Answer{}
	}
	b.mu.Lock()
	answer, known := b.hookAnswers[c.ID]
	b.mu.Unlock()
	if known {
		return answer
	}
	answer = b.turn.agent.cfg.Hooks.Ask(b.turn.ctx, hookQuestion(hook.Before, c, ready))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hookAnswers[c.ID] = answer
	return answer
}

// hookTexts returns texts of hooks that are appended to the result of a call. text and err are the
// outcome of the call.
func (b *batch) hookTexts(c provider.ToolCall, ready tool.Call, text string, err error) []string {
	if b.turn.agent.cfg.Hooks == nil || b.isPersonal() || b.turn.ctx.Err() != nil {
		return nil
	}
	q := hookQuestion(hook.After, c, ready)
	q.OK, q.Result = err == nil, text
	if err != nil {
		q.Result = err.Error()
	}
	answer := b.turn.agent.cfg.Hooks.Ask(b.turn.ctx, q)
	for _, p := range answer.Problems {
		b.emit(Notice{p})
	}
	return append(b.hookAnswer(c, ready).Texts, answer.Texts...)
}

func hookQuestion(on hook.When, c provider.ToolCall, ready tool.Call) hook.Question {
	return hook.Question{On: on, Call: c.ID, Tool: c.Name, Input: c.Input, Path: ready.Path, Command: ready.Command}
}

// notesHeading is the first line above notes that are sent along with the user's message although
// the user did not type them: texts of hooks from the end of the last turn, and other news.
const notesHeading = "Beside this message, from the shell and the user's hooks:\n"

// Note sends the text to the model together with the user's next message.
func (a *Agent) Note(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pendingNotes = append(a.pendingNotes, text)
}

// runEndHooks asks the hooks at the end of a turn. It shows their texts to the user at once; the
// model gets them with the user's next message.
func (t *turn) runEndHooks(reason Reason) {
	hooks := t.agent.cfg.Hooks
	if hooks == nil || reason == Interrupted || t.ctx.Err() != nil {
		return
	}
	answer := hooks.Ask(t.ctx, hook.Question{On: hook.End, Reason: string(reason)})
	for _, text := range append(answer.Problems, answer.Texts...) {
		t.on(Notice{text})
	}
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	t.agent.pendingNotes = append(t.agent.pendingNotes, answer.Texts...)
}

// withNotes adds all pending notes to a message, unless the message has no text.
func (t *turn) withNotes(m Message) Message {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if m.Text != "" && len(t.agent.pendingNotes) > 0 {
		m.notes = append(m.notes, notesHeading+strings.Join(t.agent.pendingNotes, "\n"))
		t.agent.pendingNotes = nil
	}
	return m
}
