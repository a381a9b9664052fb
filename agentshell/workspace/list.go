package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"time"
)

// Entry is one entry of a directory, not followed.
type Entry struct {
	Name string
	Mode fs.FileMode
	Size int64
	Link string // target of a link as it is written, else ""

	Ino            uint64
	Change, Modify time.Time // of the inode, of the content
}

// Lister is a Backend that can list directories.
type Lister interface {
	List(ctx context.Context, p Path) ([]Entry, error)
}

// List gives the entries of a directory by name.
func (w *Workspace) List(ctx context.Context, p Path) ([]Entry, error) {
	if l, ok := w.backend.(Lister); ok {
		return l.List(ctx, p)
	}
	return nil, refused("%s cannot list directories", w.backend.Name())
}

// SkipDir makes Walk leave out a directory.
var SkipDir = fs.SkipDir

// Walk visits everything below a directory, depth first, by name, and follows no link. A directory that cannot be read is left out. visit
// returning [SkipDir] for a directory leaves out what is in it, any other error ends the walk.
func (w *Workspace) Walk(ctx context.Context, p Path, visit func(p Path, e Entry) error) error {
	entries, err := w.List(ctx, p)
	if err != nil {
		if k := KindOf(err); ctx.Err() == nil && (k == NotPermitted || k == NotFound || k == Conflict) {
			return nil
		}
		return err
	}
	for _, e := range entries {
		at := p.Join(e.Name)
		err := visit(at, e)
		switch {
		case errors.Is(err, SkipDir):
			continue
		case err != nil:
			return err
		}
		if e.Mode.IsDir() {
			if err := w.Walk(ctx, at, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// RootPath is the path of the default root.
func (w *Workspace) RootPath() Path {
	return Path{root: w.roots[0].name, rel: ".", def: true}
}

// Alive reports whether the default root is still the directory that was opened.
func (w *Workspace) Alive() error { return w.roots[0].alive() }

// Stamp tells cheaply whether a file changed: enough to list what a command did, never to decide a write (FS-54).
type Stamp struct {
	Mode           fs.FileMode
	Size           int64
	Ino            uint64
	Change, Modify time.Time
}

var errFull = errors.New("full")

// Stamps looks at all files of the default root, without the objects of git, up to limit entries; whole is false if there are more.
func (w *Workspace) Stamps(ctx context.Context, limit int) (stamps map[string]Stamp, whole bool) {
	stamps = map[string]Stamp{}
	err := w.Walk(ctx, w.RootPath(), func(p Path, e Entry) error {
		if e.Mode.IsDir() {
			if e.Name == "objects" && path.Base(p.dir()) == ".git" {
				return SkipDir
			}
			return nil
		}
		if len(stamps) >= limit {
			return errFull
		}
		stamps[p.String()] = Stamp{Mode: e.Mode, Size: e.Size, Ino: e.Ino, Change: e.Change, Modify: e.Modify}
		return nil
	})
	return stamps, err == nil
}
