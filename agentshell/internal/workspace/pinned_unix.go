//go:build unix

package workspace

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

// pinned holds the directory open, so that the name leads through it and not through what the path
// may have become. Only Linux has such names; elsewhere the name is the path.
func (l *local) pinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if r := l.w.byName[p.root]; r != nil {
		defer r.lock(ctx, true)()
	}
	loc, err := l.locate(p)
	switch {
	case err != nil:
		return err
	case loc.dir != base.Dir || len(loc.missing) > 0:
		return conflict(p)
	case !loc.entry.mode.IsRegular():
		return irregular(p, loc.entry.mode)
	}
	d, err := openDir(l.w.byName[p.root].h, loc.dir.Rel)
	if err != nil {
		return systemError(p.String(), err)
	}
	defer d.close()
	if d.id != loc.dir {
		return conflict(p)
	}
	name := fmt.Sprintf("/proc/self/fd/%d/%s", d.fd(), p.Base())
	if runtime.GOOS == "linux" {
		if _, err := os.Lstat(name); err == nil {
			return do(name)
		}
	}
	return do(l.w.Abs(p))
}
