//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"path"
)

// Beside returns how many names a file beside p has, which is called as p is with an ending behind
// it; 0: there is none. What has that name and is no regular file is refused: a library that opens
// it by its name would wait for a pipe, or write what a link leads to.
func (w *Workspace) Beside(p Path, ending string) (names uint64, err error) {
	r := w.byName[p.root]
	if r == nil {
		return 0, refused("no root %s", p.root)
	}
	beside := Path{root: p.root, rel: path.Join(p.dir(), p.Base()+ending), def: p.def}
	info, err := r.h.Lstat(beside.rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, systemError(beside.String(), err)
	case !info.Mode().IsRegular():
		return 0, irregular(beside, info.Mode())
	}
	e, _ := statEntry(info)
	return e.links, nil
}
