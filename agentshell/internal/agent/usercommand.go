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

// Command runs a shell command that the user has typed (SH-6), so without asking for approval. It
// adds the command and its output to the conversation as a message of the user, which the model
// gets with the next turn. It calls on with ToolStart, ToolProgress, ToolEnd and TurnEnd. It
// returns [ErrBusy] while a turn runs.
func (a *Agent) Command(ctx context.Context, command string, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.command(command) })
}

// ownTurn runs do as a turn of the user, in which the model is not asked.
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

// Cell runs Python code that the user has typed, so without asking for approval; tools that the
// code calls need it. If told is true, the code and its output are added to the conversation as a
// message of the user, which the model gets with the next turn. It calls on as [Agent.Command]
// does. It returns [ErrBusy] while a turn runs.
func (a *Agent) Cell(ctx context.Context, code string, told bool, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.cell(code, told) })
}

// Undo undoes the file change with number n because the user wants it, or the last one if n is 0.
// The user is asked to approve the new content as for any change, whatever rules and the mode say.
// The result of an approved one is added to the conversation. Undo calls on with ToolStart,
// Approval, ToolEnd and TurnEnd. It returns [ErrBusy] while a turn runs.
func (a *Agent) Undo(ctx context.Context, n int, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) { return t.undo(n) })
}

// Propose runs a call that the user has asked for, without the model. The user is asked to approve
// it as any change, whatever rules and the mode say, and nothing is added to the conversation. name
// is the tool's name in events. prepare gets the id of the call. Propose calls on as [Agent.Undo]
// does. It returns [ErrBusy] while a turn runs.
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

// Tell adds a text about what the user did to the conversation; the model gets it with the next
// turn. from is the origin of the text. An empty text is ignored. Tell calls on with TurnEnd. It
// returns [ErrBusy] while a turn runs.
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

// RewindResult says which files a rewind has restored.
type RewindResult struct {
	// a sentence for each restored file, and the paths of the others
	Restored, NotRestored []string
	Stopped               bool // the user stopped the rewind before all questions were answered
}

// Rewind restores all files that were changed after change number n, because the user wants it. The
// user is asked about all of them together. If somebody else has changed a file meanwhile, that
// file stays as it is. If tell is true, or if the user stopped the rewind, the result is added to
// the conversation. Rewind calls on as [Agent.Undo] does, for each file. It returns [ErrBusy] while
// a turn runs.
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

// makeChanges makes changes of several files together, with one question to the user, and returns
// their results; nil: there is none. In events, each change is a call of the tool with that name,
// and its id begins with id. If ruled is true, rules, modes and hooks apply to the calls.
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

// The texts around a command or code of the user, and its output, in a message of the conversation.
const (
	commandPrefix = "I ran this command myself:\n\n"
	cellPrefix    = "I ran this cell of Python myself:\n\n"
	outputHeading = "\n\nIts output:\n\n"
)

// SplitCommand returns the command and its output from a message that [Agent.Command] or
// [Agent.Cell] has added to the conversation. The origin of such a message is [provider.Command] or
// [provider.Cell].
func SplitCommand(text string) (command, output string) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, commandPrefix), cellPrefix)
	command, output, _ = strings.Cut(text, outputHeading)
	return command, output
}

// AsTyped returns what the user typed to get a message with that text and origin into the
// conversation, for instance "!" and a command.
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

// ownMessage returns the message that tells the model of a command or code that the user ran, and
// of its output.
func ownMessage(from provider.Origin, text string, end ToolEnd) provider.Message {
	return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Origin: from,
		Text: text + outputHeading + end.Text, Summary: end.Result.Summary}}}
}

// ownCall runs a call for the user without asking for approval, and returns its ToolEnd. err says
// why the call could not be prepared.
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
