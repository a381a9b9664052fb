//go:build unix

package workspace

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

// withPinned holds the file's directory open, and passes do a name that leads through it: the path
// may lead elsewhere by then. Only Linux has such names; elsewhere the name is the path.
func (l *local) withPinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if r := l.workspace.rootNamed(p.root); r != nil {
		defer r.lock(ctx, true)()
	}
	loc, err := l.locate(p)
	switch {
	case err != nil:
		return err
	case loc.dir != base.Dir || len(loc.missing) > 0:
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
