package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// Limits of one find result.
const (
	maxFound     = 1000      // names
	maxFoundText = 256 << 10 // bytes of them
)

type find struct{ env Env }

type findArgs struct {
	Pattern string `json:"pattern" doc:"Glob on the path below the directory: '*.go' matches there only, '**/*.go' at any depth, '{a,b}' alternatives."`
	Path    string `json:"path,omitempty" doc:"Directory to look in; the workspace if it is missing."`
	Ignored bool   `json:"include_ignored,omitempty" doc:"Also files that .gitignore names."`
}

func (t *find) Spec() Spec {
	return Spec{
		Name: "find", ReadOnly: true, Schema: schemaOf[findArgs](),
		Description: fmt.Sprintf("Find files by name, at most %d. Links are not followed; .git and what .gitignore "+
			"names are left out.", maxFound),
	}
}

func (t *find) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[findArgs](input)
	if err != nil {
		return Call{}, err
	}
	if !doublestar.ValidatePattern(args.Pattern) || args.Pattern == "" {
		return Call{}, invalidArgs("pattern %q is not a glob", args.Pattern)
	}
	p, err := t.env.Workspace.ResolveDir(args.Path)
	if err != nil {
		return Call{}, err
	}
	return Call{
		Title: fmt.Sprintf("find %s in %s", titled(args.Pattern, 200), shown(p)), Path: p.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			var b strings.Builder
			n, long := 0, 0
			err := walk(ctx, t.env.Workspace, p, args.Pattern, args.Ignored, func(t *workspace.Tree) error {
				if t.Size() > workspace.MaxPath {
					long++
					return nil
				}
				if n == maxFound || b.Len() > maxFoundText {
					b.WriteString("[more files match; use a narrower pattern]\n")
					return errEnough
				}
				n++
				b.WriteString(shown(t.Path()) + "\n")
				return nil
			})
			if err != nil {
				return Result{}, err
			}
			if long > 0 {
				fmt.Fprintf(&b, "[%s left out: a path of more than %d bytes, which no tool takes]\n",
					count(long, "file"), workspace.MaxPath)
			}
			if n == 0 {
				b.WriteString("no file matches\n")
			}
			return Result{Text: b.String(), Summary: count(n, "file"), Detail: b.String()}, nil
		},
	}, nil
}
