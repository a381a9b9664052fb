package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"io/fs"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

const maxEntries = 1000 // maxEntries is the largest number of entries in one result of list_dir.

// listDir is the tool list_dir. It lists the entries of one directory.
type listDir struct{ env Env }

type listArgs struct {
	Path string `json:"path,omitempty" doc:"Directory, relative to the workspace; the workspace itself if it is missing."`
}

func (t *listDir) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindReads, Shows: true, SummaryOnly: true}
}

func (t *listDir) Spec() provider.Tool {
	return provider.Tool{
		Name: "list_dir", ReadOnly: true, Schema: schemaOf[listArgs](),
		Description: fmt.Sprintf("List a directory, at most %d entries: one name a line, directories end with a "+
			"slash, files are followed by their size, links by their target.", maxEntries),
	}
}

func (t *listDir) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[listArgs](input)
	if err != nil {
		return Call{}, err
	}
	asked, note, err := t.env.meant(args.Path)
	if err != nil {
		return Call{}, err
	}
	p, err := t.env.Workspace.ResolveDir(asked)
	if err != nil {
		return Call{}, err
	}
	return Call{
		Title: "list_dir " + shown(p), Path: p.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			tree, err := t.env.Workspace.Tree(ctx, p, "")
			if err != nil {
				return Result{}, err
			}
			defer tree.Close()
			var b strings.Builder
			n, more, left := 0, 0, roomOf(ctx)
			for tree.Next() {
				tree.Skip()
				if more == 0 {
					line, ok := listed(tree)
					if !ok {
						continue // removed meanwhile
					}
					if n < maxEntries && left.take(line+"\n") {
						b.WriteString(line + "\n")
						n++
						continue
					}
				}
				more++
			}
			if err := tree.Err(); err != nil {
				return Result{}, err
			}
			switch {
			case n == 0:
				b.WriteString(p.String() + " is empty\n")
			case more > 0:
				fmt.Fprintf(&b, "[%d more entries; find takes a pattern of names]\n", more)
			}
			return Result{Text: noted(note, b.String()), Summary: count(n+more, "entry"), Detail: b.String()}, nil
		},
	}, nil
}

// listed returns the line for the entry at which the tree walk t stands. It returns false if the
// entry does not exist any more.
func listed(t *workspace.Tree) (line string, ok bool) {
	line = diff.Escape(t.Name())
	switch m := t.Mode(); {
	case m.IsDir():
		return line + "/", true
	case m.IsRegular():
		e, err := t.Stat()
		return line + "  " + bytesWord(int(e.Size)), err == nil
	case m&fs.ModeSymlink != 0:
		to, err := t.Link()
		return line + " -> " + diff.Escape(to), err == nil
	}
	return line + "  (special file)", true
}
