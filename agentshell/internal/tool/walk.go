package tool

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

// errEnough is returned by a visit function of [walk] to end the walk without an error.
var errEnough = errors.New("enough")

// looks holds the options of [walk]: which entries it visits.
type looks struct {
	glob    string // glob is a pattern for paths relative to the start directory; "": every path matches.
	ignored bool   // ignored includes files that git ignores.
	dirs    bool   // dirs also visits directories whose paths match.
	// linked collects the symbolic links to folders that the walk does not follow.
	linked *linkedFolders
	// times receives the entries whose modification times visit has asked for; nil: no times are
	// read.
	times func(workspace.TimedEntry)
}

// walk calls visit for the entries below dir that match the options in what. It leaves out .git,
// and directories in which no path can match the glob. If visit returns errEnough, the walk ends,
// and walk returns nil.
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
