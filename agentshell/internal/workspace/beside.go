//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"path"
)

// SidecarLinks returns the number of hard links of a file next to p, such as the -wal file of a
// database: its name is that of p followed by ending. It returns 0 if there is no such file. If it
// is no regular file, it returns an error, because a library that opens it by name would wait for a
// pipe or write to the target of a link.
func (w *Workspace) SidecarLinks(p Path, ending string) (names uint64, err error) {
	r := w.rootNamed(p.root)
	if r == nil {
		return 0, refusedError("no root %s", p.root)
	}
	sidecar := Path{root: p.root, rel: path.Join(p.dir(), p.Base()+ending), isDefault: p.isDefault}
	info, err := r.handle.Lstat(sidecar.rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, systemError(sidecar.String(), err)
	case !info.Mode().IsRegular():
		return 0, irregularError(sidecar, info.Mode())
	}
	e, _ := statEntry(info)
	return e.links, nil
}
