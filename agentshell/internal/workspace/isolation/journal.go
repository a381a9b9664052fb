package isolation

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// noteSuffix is the ending of the file names of notes.
const noteSuffix = ".json"

func (s Store) noteFile(name string) string { return filepath.Join(s.Dir, name+noteSuffix) }

// writeNote creates and locks the note of a copy that is about to be made.
func (s Store) writeNote(name string, note Note) (*os.File, error) {
	text, err := json.Marshal(note)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.noteFile(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err = tryLock(f); err == nil {
		if _, err = f.Write(text); err == nil {
			err = f.Sync()
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// Left returns the complete copies of a workspace whose processes have ended, the oldest first.
// Each is locked, and the caller releases those that stay. It removes other remains: incomplete
// copies, notes without a copy, and directories without a note.
func (s Store) Left(ws string) (list []*Copy) {
	names, _ := filepath.Glob(filepath.Join(s.Dir, "copy-*"+noteSuffix))
	for _, file := range names {
		c := s.openNote(file)
		switch {
		case c == nil:
		case c.baseCommit == "":
			_ = c.Remove() // else at the next start
		case c.Workspace != ws:
			c.Release()
		default:
			list = append(list, c)
		}
	}
	dirs, _ := filepath.Glob(filepath.Join(s.Dir, "copy-*"))
	for _, dir := range dirs { // a note is there before its directory, and longer than it
		if strings.HasSuffix(dir, noteSuffix) {
			continue
		}
		if _, err := os.Lstat(dir + noteSuffix); errors.Is(err, fs.ErrNotExist) {
			_ = removeTree(dir) // else at the next start
		}
	}
	slices.SortStableFunc(list, func(a, b *Copy) int { return a.Began.Compare(b.Began) })
	return list
}

// openNote opens and locks the copy of a note. It returns nil if another process uses it.
func (s Store) openNote(file string) *Copy {
	f, err := regular.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	if tryLock(f) != nil {
		f.Close()
		return nil
	}
	c := &Copy{store: s, name: strings.TrimSuffix(filepath.Base(file), noteSuffix), lockedNote: f}
	text, err := regular.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // it was removed before it was locked
		f.Close()
		return nil
	}
	base, baseErr := regular.ReadFile(c.baseFile())
	if err == nil && json.Unmarshal(text, &c.Note) == nil && baseErr == nil {
		c.baseCommit = strings.TrimSpace(string(base))
	}
	return c
}

// writeAtomically creates a file that is either complete or absent, even after a kill.
func writeAtomically(name, text string) error {
	f, err := os.OpenFile(name+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// removeTree removes a directory with its contents, even if it has directories without write
// permission. It follows no links.
func removeTree(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() { // it is read after this
			_ = root.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
