package tool

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

var errEnough = errors.New("enough")

// looks is what a walk is for.
type looks struct {
	glob    string // on the path from where it begins; "": everything
	ignored bool   // also what git ignores
	dirs    bool   // also directories that match
	linked  *linkedFolders
	times   func(workspace.TimedEntry) // gets what visit has the walk read the time of; nil: nothing
}

// walk visits the files below dir that are looked for, but not .git. visit ends it with errEnough.
// Directories in which nothing can match are not looked into.
func walk(ctx context.Context, w *workspace.Workspace, dir workspace.Path, what looks,
	visit func(*workspace.Tree) error) error {
	beside := ignore.File
	if what.ignored {
		beside = ""
	}
	t, err := w.Tree(ctx, dir, beside)
	if err != nil {
		return err
	}
	defer t.Close()
	if what.times != nil {
		t.VisitTimes(what.times)
	}
	pattern := cmp.Or(what.glob, "**")
	glob := newGlob(pattern)
	var ignored *ignore.Matcher
	if !what.ignored {
		ignored = ignore.New(w, t)
	}
	at := []globProgress{glob.start()} // by depth
	for t.Next() {
		name, depth := t.Name(), t.Depth()
		at = at[:depth]
		if name == ".git" || ignored.Ignores(t) {
			t.Skip()
			continue
		}
		dir := t.Mode().IsDir()
		if (!dir || what.dirs) && glob.matches(at[depth-1], name) {
			if err := visit(t); errors.Is(err, errEnough) {
				return nil
			} else if err != nil {
				return err
			}
		}
		if !dir && t.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		below, _ := glob.next(at[depth-1], name)
		if glob.isExhausted(below) {
			t.Skip()
			continue
		}
		if !dir {
			what.linked.add(w, t, what)
			continue
		}
		at = append(at, below)
		ignored.Enter(t)
	}
	return t.Err()
}
