package workspace

import (
	"io"
	"os"
	"sync"
	"time"
)

const (
	maxUndoFiles       = 200 // maxUndoFiles is the number of replaced files that are kept open.
	uncheckedUndoFiles = 24  // uncheckedUndoFiles is the number of the newest ones, which are not checked.
)

// Undo gives access to a file that a commit has replaced. It is kept as an open descriptor of the
// unlinked file, until the session ends or nobody can write to it any more.
type Undo struct {
	Path   Path
	Before Fingerprint

	mu         sync.Mutex
	file       *os.File
	lastWrite  time.Time // lastWrite is the modification time of file at the last check.
	isReported bool
}

// Bytes returns the present content of the replaced file.
func (u *Undo) Bytes() ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil {
		return nil, os.ErrClosed
	}
	return io.ReadAll(io.NewSectionReader(u.file, 0, 1<<62))
}

// WrittenLate reports whether a program has written to the replaced file after it was replaced,
// through a descriptor that was open before. [Undo.Bytes] returns what was written.
func (u *Undo) WrittenLate() (bool, error) {
	b, err := u.Bytes()
	if err != nil {
		return false, err
	}
	return sum(b) != u.Before.Sum, nil
}

// writtenSinceLastCheck reports whether the modification time of the replaced file has changed
// since the last call. It does not read the file.
func (u *Undo) writtenSinceLastCheck() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil || u.isReported {
		return false
	}
	info, err := u.file.Stat()
	if err != nil || info.ModTime().Equal(u.lastWrite) {
		return false
	}
	u.lastWrite = info.ModTime()
	return true
}

// isFinal reports whether the content of the replaced file cannot change any more, because no
// program has it open. It returns false if a program has written to it and that was not reported
// yet.
func (u *Undo) isFinal() bool {
	u.mu.Lock()
	alone, told := u.file == nil || unopened(u.file), u.isReported || u.file == nil
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
