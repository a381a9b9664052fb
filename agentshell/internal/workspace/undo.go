package workspace

import (
	"io"
	"os"
	"sync"
	"time"
)

const (
	maxUndo    = 200 // descriptors that are kept open
	recentUndo = 24  // the newest ones, which are not checked
)

// Undo is a displaced file: the state before a commit. It is kept as a descriptor of the unlinked
// file, until the session ends or nobody can write to it any more.
type Undo struct {
	Path   Path
	Before Fingerprint

	mu        sync.Mutex
	file      *os.File
	lastWrite time.Time // the modification time of file when it was last checked
	reported  bool
}

// Bytes returns the present content of the displaced file.
func (u *Undo) Bytes() ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil {
		return nil, os.ErrClosed
	}
	return io.ReadAll(io.NewSectionReader(u.file, 0, 1<<62))
}

// WrittenLate reports whether a program wrote to the displaced file after it was displaced, through
// a descriptor that it had opened before. Bytes returns what was written; the workspace does not
// have it.
func (u *Undo) WrittenLate() (bool, error) {
	b, err := u.Bytes()
	if err != nil {
		return false, err
	}
	return sum(b) != u.Before.Sum, nil
}

// writtenSinceLastCheck reports whether the modification time of the displaced file has changed
// since the last call. It does not read the file.
func (u *Undo) writtenSinceLastCheck() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil || u.reported {
		return false
	}
	info, err := u.file.Stat()
	if err != nil || info.ModTime().Equal(u.lastWrite) {
		return false
	}
	u.lastWrite = info.ModTime()
	return true
}

// isFinal reports whether the content of the displaced file can no longer change: no program has it
// open. It is false if a program has written to it and that was not reported yet.
func (u *Undo) isFinal() bool {
	u.mu.Lock()
	alone, told := u.file == nil || unopened(u.file), u.reported || u.file == nil
	u.mu.Unlock()
	if !alone || told {
		return alone
	}
	late, err := u.WrittenLate() // nobody can write after this check
	return err == nil && !late
}

func (u *Undo) close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil {
		return nil
	}
	err := u.file.Close()
	u.file = nil
	return err
}
