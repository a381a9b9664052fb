package tool

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Files tells the regular files of a workspace and when they were written, but not .git nor what
// git ignores, until yield returns false. Links are not followed and not told.
func Files(ctx context.Context, w *workspace.Workspace, yield func(path string, written time.Time) bool) error {
	for _, dir := range w.Dirs() {
		if err := filesOf(ctx, w, dir, yield); err != nil {
			return err
		}
	}
	return nil
}

// filesOf calls yield for the files of the root at dir.
func filesOf(ctx context.Context, w *workspace.Workspace, dir string,
	yield func(path string, written time.Time) bool) error {
	top, err := w.ResolveDir(dir)
	if err != nil {
		return err
	}
	return walk(ctx, w, top, looks{}, func(t *workspace.Tree) error {
		if !t.Mode().IsRegular() {
			return nil
		}
		e, err := t.Stat()
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		if !yield(t.Path().Match(), e.Modify) {
			return errEnough
		}
		return nil
	})
}
