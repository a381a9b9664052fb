package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
)

// todoTool is the tool todo, with which the model keeps a list of the steps of its task (SH-21).
// The list is held in memory: no file is touched.
type todoTool struct{ board *todo.Board }

type todoArgs struct {
	Ops []todo.Op `json:"ops" doc:"Operations, in order. One that fails does not stop the others."`
}

func (t *todoTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindKeeps}
}

func (t *todoTool) Spec() provider.Tool {
	return provider.Tool{
		Name: "todo", ReadOnly: true, Schema: schemaOf[todoArgs](),
		Description: "Keep a list of the steps of a longer task, in phases if there are many; the user sees it and " +
			"may change it. One item is active at a time.",
	}
}

func (t *todoTool) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[todoArgs](input)
	if err != nil {
		return Call{}, err
	}
	return Call{
		Title: "todo",
		Run: func(context.Context, func(string)) (Result, error) {
			list, wrong := t.board.Apply(args.Ops)
			all, closed := list.Count()
			r := Result{Text: list.Text(), Summary: fmt.Sprintf("%d of %d done", closed, all), Detail: list.Text(),
				Partial: len(wrong) > 0, Data: list}
			if r.Partial {
				r.Text += "errors:\n" + strings.Join(wrong, "\n") + "\n"
			}
			return r, nil
		},
	}, nil
}
