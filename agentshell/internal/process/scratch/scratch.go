// Package scratch creates private folders for temporary files, and removes those whose process was
// killed before it could remove them.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// prefix is the beginning of all folder names.
const prefix = "scrollkeep-"

// lockName is the name of the file that a process keeps locked while it uses a folder.
const lockName = "lock"

// Folder is a private folder for temporary files. Programs get Path, a folder next to the lock
// file, so that none of them can remove the lock.
type Folder struct {
	Path string // absolute path without symbolic links, as a sandbox needs it

	outer string
	lock  *os.File
}

// New creates a folder in the directory dir; "": the directory for temporary files. kind is a word
// for its name. Before that, New removes the folders in dir that no process uses any more.
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

// hold creates and locks the folder's lock file. The file gets its name only when it is locked, and
// a folder without that file is never removed as unused.
func (f *Folder) hold() (err error) {
	if f.lock, err = os.CreateTemp(f.outer, "new-"); err != nil {
		return err
	}
	if err := tryLock(f.lock); err != nil {
		return err
	}
	return os.Rename(f.lock.Name(), filepath.Join(f.outer, lockName))
}

// Remove removes the folder with all files in it.
func (f *Folder) Remove() {
	if f.lock != nil {
		_ = f.lock.Close()
	}
	_ = os.RemoveAll(f.outer)
}

// sweep removes the user's folders in dir whose lock no process holds: the process that created
// such a folder was killed.
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

// removeLeft removes the folder at path if it belongs to the user and no process holds its lock.
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
