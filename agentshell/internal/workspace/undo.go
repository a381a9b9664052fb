package workspace

import (
	"io"
	"os"
	"sync"
	"time"
)

const (
	maxUndo = 200 // open descriptors
	newUndo = 24  // of the newest, that are not looked at
)

// Undo is a displaced file: the state before a commit, kept as a descriptor of the unlinked file
// until the session ends, or until nobody can write to it any more.
type Undo struct {
	Path   Path
	Before Fingerprint

	mu   sync.Mutex
	f    *os.File
	seen time.Time // when f was last written to, as far as it was looked at
	told bool
}

// Bytes returns the displaced file's bytes as they are now.
func (u *Undo) Bytes() ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.f == nil {
		return nil, os.ErrClosed
	}
	return io.ReadAll(io.NewSectionReader(u.f, 0, 1<<62))
}

// Late reports whether somebody wrote to the displaced file after it was displaced, through a
// descriptor opened before. What was written is in Bytes, and not in the workspace.
func (u *Undo) Late() (bool, error) {
	b, err := u.Bytes()
	if err != nil {
		return false, err
	}
	return sum(b) != u.Before.Sum, nil
}

// touched reports whether the displaced file was written to since it was last asked, without
// reading it.
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

// settled reports whether the file stays what was displaced for ever: nobody else can write to it,
// and nobody has, or that was told.
func (u *Undo) settled() bool {
	u.mu.Lock()
	alone, told := u.f == nil || unopened(u.f), u.told || u.f == nil
	u.mu.Unlock()
	if !alone || told {
		return alone
	}
	late, err := u.Late() // nobody can write behind this look
	return err == nil && !late
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
