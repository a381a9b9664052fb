package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

const maxFound = 1000 // names of one find result

var errEnough = errors.New("enough")

type find struct{ env Env }

type findArgs struct {
	Pattern string `json:"pattern" doc:"Glob on the path below the directory: '*.go' matches there only, '**/*.go' at any depth, '{a,b}' alternatives."`
	Path    string `json:"path,omitempty" doc:"Directory to look in; the workspace if it is missing."`
	Ignored bool   `json:"include_ignored,omitempty" doc:"Also files that .gitignore names."`
}

func (t *find) Spec() Spec {
	return Spec{
		Name: "find", ReadOnly: true, Schema: schemaOf[findArgs](),
		Description: fmt.Sprintf("Find files by name, at most %d. Links are not followed; .git and what .gitignore names are left out.", maxFound),
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
		Title: fmt.Sprintf("find %s in %s", diff.Escape(args.Pattern), shown(p)), Path: p.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			var b strings.Builder
			n := 0
			err := walk(ctx, t.env.Workspace, p, args.Ignored, func(at workspace.Path, below string, e workspace.Entry) error {
				if e.Mode.IsDir() {
					return nil
				}
				if ok, _ := doublestar.Match(args.Pattern, below); ok {
					if n == maxFound {
						b.WriteString("[more files match; use a narrower pattern]\n")
						return errEnough
					}
					n++
					b.WriteString(shown(at) + "\n")
				}
				return nil
			})
			if err != nil {
				return Result{}, err
			}
			if n == 0 {
				b.WriteString("no file matches\n")
			}
			return Result{Text: b.String(), Summary: count(n, "file"), Detail: b.String()}, nil
		},
	}, nil
}

// walk visits what is below dir except .git and, unless all is set, what .gitignore files name; below is the path from dir.
func walk(ctx context.Context, w *workspace.Workspace, dir workspace.Path, all bool, visit func(at workspace.Path, below string, e workspace.Entry) error) error {
	prefix := dir.Rel() + "/"
	if dir.Rel() == "." {
		prefix = ""
	}
	ignore := &ignorer{w: w, rules: map[workspace.Path][]ignoreRule{}}
	err := w.Walk(ctx, dir, func(at workspace.Path, e workspace.Entry) error {
		if e.Name == ".git" {
			if e.Mode.IsDir() {
				return workspace.SkipDir
			}
			return nil
		}
		if !all && ignore.names(ctx, at, e.Mode.IsDir()) {
			if e.Mode.IsDir() {
				return workspace.SkipDir
			}
			return nil
		}
		return visit(at, strings.TrimPrefix(at.Rel(), prefix), e)
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
