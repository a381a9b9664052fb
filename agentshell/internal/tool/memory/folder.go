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

// WorkspaceDir is the folder of a workspace's notes, relative to its root.
const WorkspaceDir = ".agentshell/memory"

// Folder gives access to the files in a folder of notes.
type Folder interface {
	// List returns the names of the files, or none if the folder does not exist.
	List() []string
	// Read returns the content of a file and its modification time. It reads at most one byte more
	// than [MaxNote].
	Read(ctx context.Context, file string) (data []byte, modified time.Time, err error)
}

// Dir is the user's own folder of notes, as an absolute path.
type Dir string

// List implements [Folder].
func (d Dir) List() []string { return fileNames(string(d)) }

// Read implements [Folder].
func (d Dir) Read(_ context.Context, file string) ([]byte, time.Time, error) {
	return readNote(filepath.Join(string(d), file))
}

// InWorkspace is the folder of notes in a workspace. Links do not lead out of the workspace, and
// the permission rules for read_file apply.
type InWorkspace struct {
	Workspace *workspace.Workspace
	// MayRead returns the action of these rules for a path; nil: all files may be read.
	MayRead func(path string) approval.Action
}

// List implements [Folder].
func (w InWorkspace) List() []string {
	p, err := w.Workspace.ResolveDir(filepath.Join(w.Workspace.Dir(), WorkspaceDir))
	if err != nil {
		return nil
	}
	return fileNames(w.Workspace.Abs(p))
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

// maxDirEntries is the number of directory entries that are read.
const maxDirEntries = 1000

// fileNames returns the sorted names in a directory, or none if it cannot be read.
func fileNames(dir string) []string {
	d, err := regular.OpenDir(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(maxDirEntries) // what was read is enough
	slices.Sort(list)
	return list
}

// readNote returns the content of a file and its modification time, like [Folder.Read].
func readNote(path string) (data []byte, modified time.Time, err error) {
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
