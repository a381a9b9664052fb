package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// WorkspaceDir is the folder of a workspace's notes, below its root.
const WorkspaceDir = ".agentshell/memory"

// Folder gives access to the files of a folder of notes.
type Folder interface {
	// List returns the names of the files. A folder that is not there has none.
	List() []string
	// Read returns the bytes of a file, at most one more than [MaxNote], and when it was changed.
	Read(ctx context.Context, file string) (data []byte, modified time.Time, err error)
}

// Dir is the person's folder, by its absolute path.
type Dir string

// List implements [Folder].
func (d Dir) List() []string { return names(string(d)) }

// Read implements [Folder].
func (d Dir) Read(_ context.Context, file string) ([]byte, time.Time, error) {
	return read(filepath.Join(string(d), file))
}

// InWorkspace is the folder of a workspace. No link leads out of it, and the rules about read_file
// hold for it.
type InWorkspace struct {
	Workspace *workspace.Workspace
	MayRead   func(path string) approval.Action // nil: all may be read
}

// List implements [Folder].
func (w InWorkspace) List() []string {
	p, err := w.Workspace.ResolveDir(filepath.Join(w.Workspace.Dir(), WorkspaceDir))
	if err != nil {
		return nil
	}
	return names(w.Workspace.Abs(p))
}

// Read implements [Folder].
func (w InWorkspace) Read(ctx context.Context, file string) (data []byte, modified time.Time, err error) {
	p, err := w.Workspace.Resolve(filepath.Join(w.Workspace.Dir(), WorkspaceDir, file))
	if err != nil {
		return nil, time.Time{}, err
	}
	if w.MayRead != nil && w.MayRead(p.Match()) != approval.Allow {
		return nil, time.Time{}, errors.New("a rule does not let it be read")
	}
	f, err := w.Workspace.Snapshot(ctx, p, MaxNote)
	if err == nil && !f.Print.Exists {
		err = errors.New("there is no such file")
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	opened, err := regular.Open(w.Workspace.Abs(p))
	if err != nil {
		return nil, time.Time{}, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	return f.Data, info.ModTime(), nil
}

// maxEntries is how many names of a directory are read.
const maxEntries = 1000

// names returns the sorted names in a directory.
func names(dir string) []string {
	d, err := regular.OpenDir(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(maxEntries) // what was read is enough
	slices.Sort(list)
	return list
}

// read returns the bytes of a file that may be a note, and when it was changed.
func read(path string) (data []byte, modified time.Time, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	data, err = io.ReadAll(io.LimitReader(f, MaxNote+1))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("it cannot be read: %w", err)
	}
	return data, info.ModTime(), nil
}
