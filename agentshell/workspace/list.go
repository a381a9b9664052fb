package workspace

import (
	"context"
	"io/fs"
)

// Entry is one entry of a directory, not followed.
type Entry struct {
	Name string
	Mode fs.FileMode
	Size int64
	Link string // target of a link as it is written, else ""
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
