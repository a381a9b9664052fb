package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Command runs a command of the person's own (SH-6): nobody has to approve what they typed
// themselves. Command and result join the conversation as something that the person said, so that
// the model knows of them with the next turn. on is told ToolStart, ToolProgress, ToolEnd and
// TurnEnd, serially. It must not run beside a turn: then it is [ErrBusy].
func (a *Agent) Command(ctx context.Context, command string, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	reason, err := t.command(command)
	t.news()
	t.on(TurnEnd{Reason: reason, Err: err})
	return provider.Redact(err, a.cfg.Secrets)
}

// Undo takes back change n of a file, 0 for the last one, as the person wants. It is shown and
// asked like every change, whatever rules and mode say; what came of a yes joins the conversation.
// on is told ToolStart, Approval, ToolEnd and TurnEnd, serially. It must not run beside a turn:
// then it is [ErrBusy].
func (a *Agent) Undo(ctx context.Context, n int, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	reason, err := t.undo(n)
	t.news()
	t.on(TurnEnd{Reason: reason, Err: err})
	return provider.Redact(err, a.cfg.Secrets)
}

// Tell puts text into the conversation that says what the person did, of that origin, "" for
// nothing; the model knows of it with the next turn. on is told TurnEnd. It must not run beside a
// turn: then it is [ErrBusy].
func (a *Agent) Tell(ctx context.Context, from provider.Origin, text string, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	end := TurnEnd{Reason: Done}
	if text != "" {
		if end.Err = t.add(told(from, text)); end.Err != nil {
			end.Reason = Failed
		}
	}
	t.news()
	t.on(end)
	return provider.Redact(end.Err, a.cfg.Secrets)
}

// Rewound is what became of the files of a rewind, a sentence each.
type Rewound struct {
	Done, Kept []string
	Stopped    bool // the person did not answer all of it
}

// Rewind gives every file that was changed after change n what it was then, as the person wants.
// All of them are shown and asked together; one that somebody else has changed is a conflict and
// stays. With tell, or if it was stopped, what was done joins the conversation. on is told what
// [Agent.Undo] tells, for each file. It must not run beside a turn: then it is [ErrBusy].
func (a *Agent) Rewind(ctx context.Context, n int, tell bool, on func(Event)) (Rewound, error) {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return Rewound{}, err
	}
	defer over()
	done := t.rewind(n)
	end := TurnEnd{Reason: Done}
	if done.Stopped {
		end.Reason = Interrupted
	}
	if len(done.Done) > 0 && (tell || done.Stopped) {
		text := "I restored files to what they were earlier.\n" + strings.Join(done.Done, "\n")
		if end.Err = t.add(told(provider.Restored, text)); end.Err != nil {
			end.Reason = Failed
		}
	}
	t.news()
	t.on(end)
	return done, provider.Redact(end.Err, a.cfg.Secrets)
}

func (t *turn) rewind(n int) (done Rewound) {
	changes := t.agent.cfg.Changes
	if changes == nil {
		return done
	}
	files := changes.Rewind(n)
	parts := make([]provider.Part, len(files))
	calls := make([]provider.ToolCall, len(files))
	at := map[string]int{}
	for i, f := range files {
		input, err := json.Marshal(map[string]string{"path": f.Path})
		if err != nil { // a string has no way to fail
			input = nil
		}
		calls[i] = provider.ToolCall{ID: "own-" + strconv.Itoa(i), Name: "undo", Input: input}
		at[calls[i].ID] = i
	}
	t.serve(len(calls), func(b *batch) {
		b.own = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) {
			return files[at[c.ID]].Prepare(ctx, c.ID)
		}
		for i := range calls {
			if parts[i] == nil {
				b.change(calls, parts, i)
			}
		}
	})
	for i, p := range parts {
		switch r, ok := p.(provider.ToolResult); {
		case ok && !r.IsError:
			done.Done = append(done.Done, r.Text)
		default:
			done.Kept = append(done.Kept, files[i].Path)
		}
	}
	done.Stopped = t.ctx.Err() != nil
	return done
}

// What the conversation holds of a command of the person's own.
const (
	ranMyself = "I ran this command myself:\n\n"
	itsOutput = "\n\nIts output:\n\n"
)

// Own returns the command and the output in what [Agent.Command] has put into the conversation, a
// text of the origin [provider.Command].
func Own(said string) (command, output string) {
	command, output, _ = strings.Cut(strings.TrimPrefix(said, ranMyself), itsOutput)
	return command, output
}

// AsTyped returns a message of the person's in the conversation as they typed it.
func AsTyped(said string, from provider.Origin) string {
	switch from {
	case provider.Command:
		command, _ := Own(said)
		return "!" + command
	case provider.Undone:
		return "/undo"
	case provider.Restored:
		return "/rewind"
	case provider.Todo:
		return "/todo"
	}
	return said
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
	t.serve(1, func(b *batch) {
		b.own = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) { return changes.Undo(ctx, c.ID, n) }
		result = b.call(provider.ToolCall{ID: id, Name: name, Input: input})
	})
	switch {
	case result.IsError && t.ctx.Err() != nil:
		return Interrupted, nil
	case result.IsError:
		return Done, nil
	}
	said := "I " + strings.Replace(result.Text, "Undid", "undid", 1)
	return Done, t.add(told(provider.Undone, said))
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
	if ready.Own != nil {
		ready.Run = ready.Own
	}
	t.on(ToolStart{ID: id, Name: name, Title: ready.Title})
	share := t.share(1)
	result, err := run(share.context(t.ctx), ready, func(text string) { t.on(ToolProgress{ID: id, Text: text}) })
	end := ToolEnd{ID: id, Name: name, Title: ready.Title, OK: err == nil, Result: result, Text: result.Text, Own: true}
	reason := Done
	if err != nil {
		end.Kind, end.Text = tool.Kind(err), err.Error()
		if t.ctx.Err() != nil {
			end.Kind, reason = KindInterrupted, Interrupted
		}
	}
	end.Text = tool.Fit(share.context(t.ctx), end.Text, t.agent.cfg.Budget.keepOverflow)
	t.on(end)
	said := ranMyself + command + itsOutput + end.Text
	return reason, t.add(told(provider.Command, said))
}
