package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/diff"
)

const maxEntries = 1000 // of one list_dir result

type listDir struct{ env Env }

type listArgs struct {
	Path string `json:"path,omitempty" doc:"Directory, relative to the workspace; the workspace itself if it is missing."`
}

func (t *listDir) Spec() Spec {
	return Spec{
		Name: "list_dir", ReadOnly: true, Schema: schemaOf[listArgs](),
		Description: fmt.Sprintf("List a directory, at most %d entries: one name a line, directories end with a slash, files are followed by their size, links by their target.", maxEntries),
	}
}

func (t *listDir) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[listArgs](input)
	if err != nil {
		return Call{}, err
	}
	p, err := t.env.Workspace.ResolveDir(args.Path)
	if err != nil {
		return Call{}, err
	}
	return Call{
		Title: "list_dir " + shown(p), Path: p.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			entries, err := t.env.Workspace.List(ctx, p)
			if err != nil {
				return Result{}, err
			}
			var b strings.Builder
			for i, e := range entries {
				if i == maxEntries {
					fmt.Fprintf(&b, "[%d more entries]\n", len(entries)-maxEntries)
					break
				}
				b.WriteString(diff.Escape(e.Name))
				switch {
				case e.Mode.IsDir():
					b.WriteString("/")
				case e.Link != "":
					b.WriteString(" -> " + diff.Escape(e.Link))
				case e.Mode.IsRegular():
					fmt.Fprintf(&b, "  %s", bytesWord(int(e.Size)))
				default:
					b.WriteString("  (special file)")
				}
				b.WriteString("\n")
			}
			if len(entries) == 0 {
				b.WriteString(p.String() + " is empty\n")
			}
			return Result{Text: b.String(), Summary: count(len(entries), "entry"), Detail: b.String()}, nil
		},
	}, nil
}
