package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
)

// MemoryHint is the last line of the list of notes: it explains the arguments of /memory.
const MemoryHint = "/memory open NAME shows a note, /memory forget NAME removes it after your yes, " +
	"/memory confirm NAME makes one of the workspace yours."

// MemoryOff is the reply to /memory if notes are not enabled.
const MemoryOff = `Memory is off. In the config file, [memory] with backend = "file" turns it on.`

// MemoryReply is the reply to the user's command /memory. A front end shows Lines, or Text under
// its Title, or proposes the call that Propose prepares.
type MemoryReply struct {
	Lines       []string
	Title, Text string
	// Propose prepares a call that the user has to confirm; nil: there is none.
	Propose func(ctx context.Context, id string) (Call, error)
}

// AllLines returns everything in the reply that is shown, as lines.
func (r MemoryReply) AllLines() []string {
	if r.Text == "" {
		return r.Lines
	}
	return append([]string{r.Title}, strings.Split(strings.TrimRight(r.Text, "\n"), "\n")...)
}

// MemoryCommand executes the user's command /memory with the argument arg, which is "", or open,
// forget or confirm with the name of a note.
func MemoryCommand(ctx context.Context, env Env, arg string) (MemoryReply, error) {
	if env.Memory == nil || env.Memory.Notes == nil {
		return MemoryReply{Lines: []string{MemoryOff}}, nil
	}
	verb, name, _ := strings.Cut(strings.TrimSpace(arg), " ")
	if name = strings.TrimSpace(name); verb == "" {
		return MemoryReply{Lines: env.Memory.list(ctx)}, nil
	}
	if !slices.Contains([]string{"open", "forget", "confirm"}, verb) || name == "" {
		return MemoryReply{}, errors.New("/memory takes open, forget or confirm, and the name of a note")
	}
	n, err := env.Memory.find(ctx, name)
	if err != nil {
		return MemoryReply{}, err
	}
	switch verb {
	case "forget":
		return MemoryReply{Propose: func(ctx context.Context, id string) (Call, error) {
			return Forget(ctx, env, id, memory.Scheme+"://"+n.ID())
		}}, nil
	case "confirm":
		if !n.Foreign {
			return MemoryReply{Lines: []string{"The note " + n.ID() + " is yours already."}}, nil
		}
		return MemoryReply{Propose: func(ctx context.Context, _ string) (Call, error) {
			return confirm(ctx, env, n.ID())
		}}, nil
	}
	return MemoryReply{Title: n.ID(), Text: n.Text}, nil
}

// list returns the list of all notes for the user.
func (m *Memory) list(ctx context.Context) []string {
	lines, skipped := m.Notes.Lines(ctx)
	if len(lines) == 0 {
		lines = []string{"There are no notes yet. A note is a Markdown file in " + memory.WorkspaceDir +
			" of the workspace or in " + m.Dir + "."}
		return append(lines, skipped...)
	}
	return append(append(lines, skipped...), MemoryHint)
}

// find returns the note with an id, such as "workspace/NAME", or with a name that only one note
// has.
func (m *Memory) find(ctx context.Context, name string) (memory.Note, error) {
	if strings.Contains(name, "/") {
		return m.Notes.Note(ctx, name)
	}
	var found []memory.Note
	notes, _ := m.Notes.Notes(ctx)
	for _, n := range notes {
		if n.Name == strings.TrimSuffix(name, ".md") {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return memory.Note{}, fmt.Errorf("there is no note %s; /memory lists them", name)
	case 1:
		return found[0], nil
	}
	return memory.Note{}, fmt.Errorf("there are two notes of that name: %s and %s", found[0].ID(), found[1].ID())
}

// confirm prepares a call in which the user confirms a note of the workspace, after having been
// shown its whole text. Later sessions trust confirmed notes.
func confirm(ctx context.Context, env Env, noteID string) (Call, error) {
	n, err := env.Memory.Notes.Note(ctx, noteID)
	if err != nil {
		return Call{}, err
	}
	call := Call{Title: "confirm the note " + n.ID()}
	call.Proposal = &approval.Proposal{ID: env.newID(), Tool: "memory", Payload: approval.Prompts{
		Base: approval.Base{Kind: "prompts", Description: "Confirm the note " + n.ID() + " of this workspace"},
		What: "the note " + n.Name + " of this workspace", Files: 1, Text: n.Text,
		Question: "Later sessions trust this note as if you had written it, until its text changes."}}
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		now, err := env.Memory.Notes.Note(ctx, noteID)
		if err == nil && now.Text != n.Text {
			err = &Error{Code: "conflict", Text: "the note has changed since it was shown"}
		}
		if err == nil {
			err = env.Memory.Notes.Agree(ctx, n.Name)
		}
		if err != nil {
			return Result{}, err
		}
		return Result{Text: "The note " + n.ID() + " is confirmed.", Summary: "confirmed"}, nil
	}
	return call, nil
}
