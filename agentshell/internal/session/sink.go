package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the part of *os.File that a log uses. Tests replace it.
type File interface {
	io.Writer // appends
	io.ReaderAt
	Sync() error
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
	Close() error
}

// maxBatch is the number of waiting bytes that are written in one step.
const maxBatch = 1 << 20

// sink appends complete lines to a file, in order. If the file cannot be written, because the disk
// is full or gone, lines wait in memory. If only a part of a line was written, the part is removed
// before the next write. The caller must lock.
type sink struct {
	path string
	open func(flag int) (File, error) // opens and locks the file at path
	file File
	end  int64 // the offset after the last complete line
	torn bool  // an incomplete line that could not be removed follows end

	waiting [][]byte // lines that are not on the disk yet, oldest first
	bytes   int      // the total number of bytes of the waiting lines
	notices []string // sentences for the user about a log file that was removed or replaced
}

// flush writes the waiting lines, oldest first, and returns when they are on the disk. After an
// error the remaining lines still wait.
func (s *sink) flush() error {
	if len(s.waiting) == 0 {
		return nil
	}
	if err := s.restoreIfMoved(); err != nil {
		return err
	}
	for maxSize := maxBatch; len(s.waiting) > 0; {
		n, size := 1, len(s.waiting[0])
		for n < len(s.waiting) && size+len(s.waiting[n]) <= maxSize {
			size += len(s.waiting[n])
			n++
		}
		err := s.write(bytes.Join(s.waiting[:n], nil))
		switch {
		case err != nil && n > 1: // there may be room for some of them
			maxSize = 0
			continue
		case err != nil:
			return err
		}
		s.waiting, s.bytes = s.waiting[n:], s.bytes-size
	}
	s.waiting = nil
	return nil
}

// write appends complete lines to the file and syncs it. After an error all of them count as not
// written.
func (s *sink) write(lines []byte) error {
	size, err := s.removeTorn()
	if err != nil {
		return err
	}
	if closed, err := s.endsWithNewline(size); err != nil {
		return err
	} else if !closed { // of a torn line that stays only itself may be lost
		lines = append([]byte{'\n'}, lines...)
	}
	s.torn = true
	_, err = s.file.Write(lines)
	if err == nil {
		err = s.file.Sync() // also where a write succeeds the room may be missing, or the disk
	}
	if err != nil {
		_, _ = s.removeTorn() // else before the next write
		return err
	}
	s.end, s.torn = size+int64(len(lines)), false
	return nil
}

// removeTorn removes an incomplete line at the end, if possible, and returns the size of the file.
func (s *sink) removeTorn() (size int64, err error) {
	info, err := s.file.Stat()
	if err != nil {
		return 0, err
	}
	size = info.Size()
	if s.torn && size > s.end && s.file.Truncate(s.end) == nil {
		size = s.end
	}
	if !s.torn || size <= s.end { // others may have made it longer or shorter
		s.end, s.torn = size, false
	}
	return size, nil
}

// endsWithNewline reports whether the file, which has that size, is empty or ends with a newline.
func (s *sink) endsWithNewline(size int64) (bool, error) {
	if size == 0 {
		return true, nil
	}
	var last [1]byte
	if n, err := s.file.ReadAt(last[:], size-1); n < 1 {
		return false, err
	}
	return last[0] == '\n', nil
}

// content returns the content of the file followed by the waiting lines.
func (s *sink) content() ([]byte, error) {
	info, err := s.file.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if s.torn {
		size = min(size, s.end)
	}
	text := make([]byte, size, size+int64(s.bytes)+1)
	if n, err := s.file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else {
		text = text[:n]
	}
	if n := len(text); n > 0 && text[n-1] != '\n' && len(s.waiting) > 0 {
		text = append(text, '\n')
	}
	return append(text, bytes.Join(s.waiting, nil)...), nil
}

// restoreIfMoved makes sure that the path still leads to the open file. If the file was removed, it
// is written again. If another file has replaced it, that file is renamed first.
func (s *sink) restoreIfMoved() error {
	ours, err := s.file.Stat()
	if err != nil {
		return err
	}
	existing, err := os.Lstat(s.path)
	switch {
	case err == nil && os.SameFile(ours, existing):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if err := makePrivate(filepath.Dir(filepath.Dir(s.path)), filepath.Dir(s.path)); err != nil {
			return err
		}
		if err := s.restore(); err != nil {
			return err
		}
		s.notices = append(s.notices, "The session log was removed while it was open. It stands there again, "+
			"complete: "+s.path)
		return nil
	case err != nil:
		return err
	}
	if existing.Mode().IsRegular() { // another shell may go on with it
		f, err := s.open(os.O_RDWR)
		if err != nil {
			return err
		}
		defer f.Close()
	}
	backup, err := s.renameExisting()
	if err != nil {
		return err
	}
	if err := s.restore(); err != nil {
		return errors.Join(err, os.Rename(backup, s.path))
	}
	s.notices = append(s.notices, "The session log was replaced by something else. That is now "+backup+
		", and the log is complete again.")
	return nil
}

// renameExisting renames the file at the path to a new name in the same directory, and returns that
// name.
func (s *sink) renameExisting() (name string, err error) {
	for i := 1; i < 1000; i++ {
		name = fmt.Sprintf("%s.replaced-%d", s.path, i)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, os.Rename(s.path, name)
		}
	}
	return "", fmt.Errorf("%s was replaced too often", s.path)
}

// restore creates a file at the path, which must not exist, with the content of the open file, and
// uses it from then on.
func (s *sink) restore() error {
	file, err := s.open(os.O_RDWR | os.O_CREATE | os.O_EXCL)
	if err != nil {
		return err
	}
	if s.torn {
		_, err = s.removeTorn()
	}
	var n int64
	if err == nil {
		n, err = io.Copy(file, io.NewSectionReader(s.file, 0, s.end))
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return errors.Join(err, os.Remove(s.path), file.Close())
	}
	_ = s.file.Close()
	s.file, s.end, s.torn = file, n, false
	return nil
}

// remove removes the file, unless the path leads to another file now.
func (s *sink) remove() error {
	ours, err := s.file.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(s.path); err != nil || !os.SameFile(ours, there) {
		return nil
	}
	return os.Remove(s.path)
}
