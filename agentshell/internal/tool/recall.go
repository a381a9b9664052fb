package tool

import (
	"context"
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
)

// recallName is the name of the tool that searches the notes of earlier sessions.
const recallName = "recall"

// recalledNotes is the largest number of notes that a search returns.
const recalledNotes = 8

// recall is the tool that searches the notes of earlier sessions.
type recall struct{ memory *Memory }

type recallArgs struct {
	Query string `json:"query" doc:"What to look for, in natural language."`
}

func (t *recall) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindSearches}
}

func (t *recall) Spec() provider.Tool {
	return provider.Tool{Name: recallName, ReadOnly: true, Schema: schemaOf[recallArgs](),
		Description: "Search the notes that earlier sessions and the user have left. Search before you ask the user " +
			"for something that they may have told already. read_file memory:// lists all notes, and " +
			"memory://ID is one. If you learn something that later sessions need, propose a short note: " +
			"write_file memory://person/NAME for what holds everywhere, memory://workspace/NAME for this workspace; " +
			"empty content proposes to forget it."}
}

func (t *recall) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[recallArgs](input)
	if err != nil {
		return Call{}, err
	}
	return Call{Title: recallName + " " + titled(args.Query, 80),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			if t.memory == nil || t.memory.Notes == nil {
				return Result{}, failed("File backend is not initialised for this session.")
			}
			found := t.memory.Notes.Search(ctx, args.Query, recalledNotes)
			if err := ctx.Err(); err != nil {
				return Result{}, err
			}
			text := memory.Text(found, t.memory.Notes.Now())
			var detail string
			for _, f := range found {
				detail += f.ID() + "\n"
			}
			return Result{Text: text, Summary: count(len(found), "note"), Detail: detail}, nil
		}}, nil
}
