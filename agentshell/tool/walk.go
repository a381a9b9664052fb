package tool

import (
	"context"
	"errors"

	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

var errEnough = errors.New("enough")

// walk visits the files below dir whose path from there matches pattern ("": all), but not .git
// nor, unless all is set, what .gitignore files name. visit ends it with errEnough. Directories in
// which nothing can match are not looked into.
func walk(ctx context.Context, w *workspace.Workspace, dir workspace.Path, pattern string, all bool,
	visit func(*workspace.Tree) error) error {
	beside := ignoreFile
	if all {
		beside = ""
	}
	t, err := w.Tree(ctx, dir, beside)
	if err != nil {
		return err
	}
	defer t.Close()
	if pattern == "" {
		pattern = "**"
	}
	glob := newGlob(pattern)
	ignore := newIgnorer(t)
	at := []places{glob.start()} // by depth
	for t.Next() {
		name, depth := t.Name(), t.Depth()
		at = at[:depth]
		if name == ".git" || ignore.names(t) {
			t.Skip()
			continue
		}
		if !t.Mode().IsDir() {
			if !glob.matches(at[depth-1], name) {
				continue
			}
			if err := visit(t); errors.Is(err, errEnough) {
				return nil
			} else if err != nil {
				return err
			}
			continue
		}
		below, _ := glob.next(at[depth-1], name)
		if glob.dead(below) {
			t.Skip()
			continue
		}
		at = append(at, below)
		ignore.enter(t)
	}
	return t.Err()
}
