package workspace

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const maxUndo = 200 // open descriptors

// Undo is a displaced file: the state before a commit, kept as a descriptor of the unlinked file until the session ends.
type Undo struct {
	Path   Path
	Before Fingerprint

	mu   sync.Mutex
	f    *os.File
	seen time.Time // when f was last written to, as far as it was looked at
	told bool
}

// Bytes are the displaced file's bytes as they are now.
func (u *Undo) Bytes() ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.f == nil {
		return nil, os.ErrClosed
	}
	return io.ReadAll(io.NewSectionReader(u.f, 0, 1<<62))
}

// Late reports whether somebody wrote to the displaced file after it was displaced, through a descriptor opened before. What was written
// is in Bytes, and not in the workspace.
func (u *Undo) Late() (bool, error) {
	b, err := u.Bytes()
	if err != nil {
		return false, err
	}
	return sum(b) != u.Before.Sum, nil
}

// touched reports whether the displaced file was written to since it was last asked, without reading it.
func (u *Undo) touched() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.f == nil || u.told {
		return false
	}
	info, err := u.f.Stat()
	if err != nil || info.ModTime().Equal(u.seen) {
		return false
	}
	u.seen = info.ModTime()
	return true
}

// Late says in words, once for each file, that somebody wrote to a displaced file through a descriptor that was opened before. What was written
// is saved beside the journal, so that it outlives the session.
func (w *Workspace) Late() []string {
	var said []string
	for _, u := range w.Undos() {
		if !u.touched() {
			continue
		}
		if late, err := u.Late(); err != nil || !late {
			continue
		}
		u.mu.Lock()
		u.told = true
		u.mu.Unlock()
		where := "it is kept until the session ends"
		if name, err := w.save(u); err == nil {
			where = "it is saved as " + name
		}
		said = append(said, fmt.Sprintf("%s: another program wrote to the version that was replaced, through a file that it had opened before. That is not in the file now; %s.", u.Path, where))
	}
	return said
}

// save writes the bytes of a displaced file into the directory of the journal.
func (w *Workspace) save(u *Undo) (name string, err error) {
	if w.journal == "" {
		return "", os.ErrNotExist
	}
	b, err := u.Bytes()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(w.journal, 0o700); err != nil {
		return "", err
	}
	name = filepath.Join(w.journal, "late-"+rand.Text())
	return name, os.WriteFile(name, b, 0o600)
}

func (u *Undo) close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.f == nil {
		return nil
	}
	err := u.f.Close()
	u.f = nil
	return err
}
