package tool

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Files calls yield with the path and the modification time of each regular file in a workspace,
// until yield returns false. It leaves out .git, files that git ignores, and symbolic links.
func Files(ctx context.Context, w *workspace.Workspace, yield func(path string, written time.Time) bool) error {
	for _, dir := range w.Dirs() {
		if err := filesOf(ctx, w, dir, yield); err != nil {
			return err
		}
	}
	return nil
}

// filesOf calls yield for each file in the workspace root at the path dir.
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
