package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Command runs a command of the person (SH-6). It needs no approval, because they typed it. Command
// and result are added to the conversation as a message of the person, for the next turn. It calls
// on with ToolStart, ToolProgress, ToolEnd and TurnEnd. While a turn runs it returns [ErrBusy].
func (a *Agent) Command(ctx context.Context, command string, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.command(command) })
}

// ownTurn makes a turn for the person, without the model.
func (a *Agent) ownTurn(ctx context.Context, on func(Event), do func(t *turn) (Reason, error)) error {
	turn, end, err := a.startTurn(ctx, on)
	if err != nil {
		return err
	}
	defer end()
	reason, err := do(turn)
	turn.sendNews()
	turn.on(TurnEnd{Reason: reason, Err: err})
	return provider.Redact(err, a.cfg.Secrets)
}

// Cell runs a cell of Python of the person. It needs no approval, because they typed it; the tools
// that it calls do. If told, cell and result are added to the conversation as a message of the
// person, for the next turn. It calls on like [Agent.Command]. While a turn runs it returns
// [ErrBusy].
func (a *Agent) Cell(ctx context.Context, code string, told bool, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.cell(code, told) })
}

// Undo takes back change n of a file for the person, or the last one if n is 0. It is shown and
// asked like every change, whatever rules and mode say. The result of an approved one is added to
// the conversation. It calls on with ToolStart, Approval, ToolEnd and TurnEnd. While a turn runs it
// returns [ErrBusy].
func (a *Agent) Undo(ctx context.Context, n int, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.undo(n) })
}

// Propose makes a call for the person: it is shown and asked like every change, whatever rules and
// mode say, and the conversation is not told of it. name is what the call is named in events. It
// calls on like [Agent.Undo]. While a turn runs it returns [ErrBusy].
func (a *Agent) Propose(ctx context.Context, name string, prepare func(context.Context, string) (tool.Call, error),
	on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) {
		t.withBatch(1, func(b *batch) {
			b.preparePersonal = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) {
				return prepare(ctx, c.ID)
			}
			b.runCall(provider.ToolCall{ID: "own", Name: name})
		})
		if t.ctx.Err() != nil {
			return Interrupted, nil
		}
		return Done, nil
	})
}

// Tell adds a text about what the person did to the conversation, for the next turn. from is its
// origin; an empty text adds nothing. It calls on with TurnEnd. While a turn runs it returns
// [ErrBusy].
func (a *Agent) Tell(ctx context.Context, from provider.Origin, text string, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) {
		if text != "" {
			if err := t.addMessage(shellMessage(from, text)); err != nil {
				return Failed, err
			}
		}
		return Done, nil
	})
}

// RewindResult tells what became of the files of a rewind.
type RewindResult struct {
	// results of restored files, one sentence each; paths of the others
	Restored, NotRestored []string
	Stopped               bool // the person did not answer all of the questions
}

// Rewind restores every file that was changed after change n, for the person. All of them are shown
// and asked together. A file that somebody else has changed meanwhile is a conflict and stays. With
// tell, or if it was stopped, the result is added to the conversation. It calls on like
// [Agent.Undo], for each file. While a turn runs it returns [ErrBusy].
func (a *Agent) Rewind(ctx context.Context, n int, tell bool, on func(Event)) (RewindResult, error) {
	var result RewindResult
	err := a.ownTurn(ctx, on, func(t *turn) (Reason, error) {
		result = t.rewind(n)
		if len(result.Restored) > 0 && (tell || result.Stopped) {
			text := "I restored files to what they were earlier.\n" + strings.Join(result.Restored, "\n")
			if err := t.addMessage(shellMessage(provider.Restored, text)); err != nil {
				return Failed, err
			}
		}
		if result.Stopped {
			return Interrupted, nil
		}
		return Done, nil
	})
	return result, err
}

// makeChanges makes changes of files together, as calls of that name whose ids begin with id, and
// returns their results; nil: there is none. ruled makes rules, modes and hooks apply to them.
func (t *turn) makeChanges(files []tool.Return, id, name string, ruled bool) []provider.Part {
	parts := make([]provider.Part, len(files))
	calls := make([]provider.ToolCall, len(files))
	index := map[string]int{}
	for i, f := range files {
		input, err := json.Marshal(map[string]string{"path": f.Path})
		if err != nil { // a string has no way to fail
			input = nil
		}
		calls[i] = provider.ToolCall{ID: id + "-" + strconv.Itoa(i), Name: name, Input: input}
		index[calls[i].ID] = i
	}
	t.withBatch(len(calls), func(b *batch) {
		b.preparePersonal = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) {
			return files[index[c.ID]].Prepare(ctx, c.ID)
		}
		b.ruled = ruled
		for i := range calls {
			if parts[i] == nil {
				b.runChange(calls, parts, i)
			}
		}
	})
	return parts
}

func (t *turn) rewind(n int) (result RewindResult) {
	changes := t.agent.cfg.Changes
	if changes == nil {
		return result
	}
	files := changes.Rewind(n)
	for i, p := range t.makeChanges(files, "own", "undo", false) {
		switch r, ok := p.(provider.ToolResult); {
		case ok && !r.IsError:
			result.Restored = append(result.Restored, r.Text)
		default:
			result.NotRestored = append(result.NotRestored, files[i].Path)
		}
	}
	result.Stopped = t.ctx.Err() != nil
	return result
}

// The form of a command of the person in the conversation.
const (
	commandPrefix = "I ran this command myself:\n\n"
	cellPrefix    = "I ran this cell of Python myself:\n\n"
	outputHeading = "\n\nIts output:\n\n"
)

// SplitCommand returns the command and the output in a text that [Agent.Command] or [Agent.Cell]
// has added to the conversation, with the origin [provider.Command] or [provider.Cell].
func SplitCommand(text string) (command, output string) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, commandPrefix), cellPrefix)
	command, output, _ = strings.Cut(text, outputHeading)
	return command, output
}

// AsTyped returns a message of the person in the conversation as they typed it.
func AsTyped(text string, from provider.Origin) string {
	switch from {
	case provider.Command:
		command, _ := SplitCommand(text)
		return "!" + command
	case provider.Cell:
		code, _ := SplitCommand(text)
		return "$" + code
	case provider.Undone:
		return "/undo"
	case provider.Restored:
		return "/rewind"
	case provider.Todo:
		return "/todo"
	}
	return text
}

func (t *turn) undo(n int) (Reason, error) {
	const id, name = "own", "undo"
	changes := t.agent.cfg.Changes
	if changes == nil {
		return Failed, errors.New("this session keeps no changes")
	}
	var (
		result provider.ToolResult
		input  json.RawMessage
	)
	if n != 0 {
		input = json.RawMessage(strconv.Itoa(n))
	}
	t.withBatch(1, func(b *batch) {
		b.preparePersonal = func(ctx context.Context, c provider.ToolCall) (tool.Call,
			error) {
			return changes.Undo(ctx, c.ID, n)
		}
		result = b.runCall(provider.ToolCall{ID: id, Name: name, Input: input})
	})
	switch {
	case result.IsError && t.ctx.Err() != nil:
		return Interrupted, nil
	case result.IsError:
		return Done, nil
	}
	text := "I " + strings.Replace(result.Text, "Undid", "undid", 1)
	return Done, t.addMessage(shellMessage(provider.Undone, text))
}

func (t *turn) command(command string) (Reason, error) {
	end, reason, err := t.ownCall("bash", map[string]any{"command": command, "timeout_s": 3600})
	if err != nil {
		return reason, err
	}
	return reason, t.addMessage(ownMessage(provider.Command, commandPrefix+command, end))
}

func (t *turn) cell(code string, told bool) (Reason, error) {
	end, reason, err := t.ownCall(tool.EvalName,
		map[string]any{"cells": []any{map[string]any{"language": "py", "code": code, "timeout": 600}}})
	if err != nil || !told {
		return reason, err
	}
	return reason, t.addMessage(ownMessage(provider.Cell, cellPrefix+code, end))
}

// ownMessage returns the message that tells the model of a command or a cell of the person.
func ownMessage(from provider.Origin, text string, end ToolEnd) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Origin: from,
		Text: text + outputHeading + end.Text, Summary: end.Result.Summary}}}
}

// ownCall makes a call for the person, without a question, and returns its end. The error says why
// it was not made.
func (t *turn) ownCall(name string, args any) (end ToolEnd, reason Reason, err error) {
	if t.agent.cfg.Tools == nil {
		return end, Failed, fmt.Errorf("there is no tool %s", name)
	}
	input, err := json.Marshal(args)
	if err != nil {
		return end, Failed, err
	}
	call := provider.ToolCall{ID: "own", Name: name, Input: input}
	ready, err := t.agent.cfg.Tools.Prepare(t.ctx, name, call.ID, input)
	if err != nil {
		return end, Failed, err
	}
	if ready.Own != nil {
		ready.Run = ready.Own
	}
	t.on(ToolStart{ID: call.ID, Name: name, Title: ready.Title})
	end = ToolEnd{ID: call.ID, Name: name, Title: ready.Title, UserCommand: true}
	t.withBatch(1, func(b *batch) {
		end.Result, err = b.execute(t.ctx, call, ready)
		end.Text = end.Result.Text
		reason = Done
		if err != nil {
			end.Kind, end.Text = tool.Kind(err), err.Error()
			if t.ctx.Err() != nil {
				end.Kind, reason = KindInterrupted, Interrupted
			}
		}
		end.OK, end.Text = err == nil, b.fit(end.Text)
	})
	t.on(end)
	return end, reason, nil
}
