// Package scratch makes private folders for what programs write beside a session, and removes those
// that a kill has left.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// prefix begins the names of the folders.
const prefix = "scrollkeep-"

// lockName is the file that a process holds locked as long as it uses a folder.
const lockName = "lock"

// Folder is a private folder. Programs get Path, which lies beside the lock, so that none of them
// can make the folder look left.
type Folder struct {
	Path string // without links, as a sandbox wants it

	outer string
	lock  *os.File
}

// New makes a folder below dir, "": where the system keeps temporary files. kind is a word for its
// name. Before, it removes the folders that nobody uses any more.
func New(dir, kind string) (*Folder, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	sweep(dir)
	outer, err := os.MkdirTemp(dir, prefix+kind+"-")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(outer); err == nil {
		outer = real
	}
	f := &Folder{Path: filepath.Join(outer, "d"), outer: outer}
	if err := errors.Join(f.hold(), os.Mkdir(f.Path, 0o700)); err != nil {
		f.Remove()
		return nil, err
	}
	return f, nil
}

// hold locks the folder. The lock gets its name when it is held: without one the folder is not
// taken for left.
func (f *Folder) hold() (err error) {
	if f.lock, err = os.CreateTemp(f.outer, "new-"); err != nil {
		return err
	}
	if err := tryLock(f.lock); err != nil {
		return err
	}
	return os.Rename(f.lock.Name(), filepath.Join(f.outer, lockName))
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() {
	if f.lock != nil {
		_ = f.lock.Close()
	}
	_ = os.RemoveAll(f.outer)
}

// sweep removes the folders of this person whose lock nobody holds: the process that made them was
// killed.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && e.IsDir() {
			removeLeft(filepath.Join(dir, e.Name()))
		}
	}
}

// removeLeft removes a folder if it is this person's and nobody holds its lock.
func removeLeft(path string) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(".")
	if err != nil || !isOwn(info) {
		return
	}
	if info, err = root.Lstat(lockName); err != nil || !info.Mode().IsRegular() || !isOwn(info) {
		return
	}
	lock, err := root.OpenFile(lockName, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer func() { _ = lock.Close() }()
	if tryLock(lock) == nil {
		_ = os.RemoveAll(path)
	}
}
