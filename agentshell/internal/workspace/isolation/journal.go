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

// noteSuffix ends the names of notes.
const noteSuffix = ".json"

func (s Store) noteFile(name string) string { return filepath.Join(s.Dir, name+noteSuffix) }

// writeNote writes the note of a copy that is about to be made, and locks it.
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

// Left returns the complete copies of a workspace whose processes have ended, the oldest first. It
// removes what no agent has worked in: a copy that was not complete, a note without a copy, and a
// directory without a note, which a program of a killed shell may make after its copy was removed.
// Each copy is locked. Release those that stay.
func (s Store) Left(ws string) (list []*Copy) {
	names, _ := filepath.Glob(filepath.Join(s.Dir, "copy-*"+noteSuffix))
	for _, file := range names {
		c := s.open(file)
		switch {
		case c == nil:
		case c.base == "":
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

// open opens the copy of a note and locks it; nil: another process works with it.
func (s Store) open(file string) *Copy {
	f, err := regular.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	if tryLock(f) != nil {
		f.Close()
		return nil
	}
	c := &Copy{store: s, name: strings.TrimSuffix(filepath.Base(file), noteSuffix), lock: f}
	text, err := regular.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // it was removed before it was locked
		f.Close()
		return nil
	}
	base, baseErr := regular.ReadFile(c.baseFile())
	if err == nil && json.Unmarshal(text, &c.Note) == nil && baseErr == nil {
		c.base = strings.TrimSpace(string(base))
	}
	return c
}

// writeWhole writes a file that is there as a whole or not at all.
func writeWhole(name, text string) error {
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

// removeTree removes a directory and all that is in it, also where an agent has made directories
// that nobody may write to. It follows no link.
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
