//go:build unix

package workspace

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

// withPinned does the work of [Workspace.WithPinned]. On Linux the name that it passes to do leads
// through the open directory (/proc/self/fd), so it is right even if the path changes. On other
// systems the name is the path.
func (l *local) withPinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if r := l.workspace.rootNamed(p.root); r != nil {
		defer r.lock(ctx, true)()
	}
	loc, err := l.locate(p)
	switch {
	case err != nil:
		return err
	case loc.dir != base.Dir || len(loc.missingNames) > 0:
		return conflictError(p)
	case !loc.entry.mode.IsRegular():
		return irregularError(p, loc.entry.mode)
	}
	d, err := openDir(l.workspace.rootNamed(p.root).handle, loc.dir.Rel)
	if err != nil {
		return systemError(p.String(), err)
	}
	defer d.close()
	if d.id != loc.dir {
		return conflictError(p)
	}
	name := fmt.Sprintf("/proc/self/fd/%d/%s", d.fd(), p.Base())
	if runtime.GOOS == "linux" {
		if _, err := os.Lstat(name); err == nil {
			return do(name)
		}
	}
	return do(l.workspace.Abs(p))
}
