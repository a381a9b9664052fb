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

// File is what a log needs of an *os.File.
type File interface {
	io.Writer // appends
	io.ReaderAt
	Sync() error
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
	Close() error
}

// maxBatch is how much of what waits is written at once, in bytes.
const maxBatch = 1 << 20

// sink is a file that whole lines reach in order. What it does not take, because the disk is full
// or gone, waits, and nothing of a line that was written in part stays before the next one. Whoever
// uses it locks.
type sink struct {
	path string
	open func(flag int) (File, error) // opens and locks the path
	file File
	end  int64 // behind the last whole line
	torn bool  // what stands behind end is ours, a part of a line, and could not be cut off yet

	waiting [][]byte // the oldest first
	bytes   int      // of waiting
	moved   []string // what became of the file at the path, one sentence each
}

// flush writes what waits, the oldest first, and returns when it is on the disk. An error: the rest
// waits on.
func (s *sink) flush() error {
	if len(s.waiting) == 0 {
		return nil
	}
	if err := s.attach(); err != nil {
		return err
	}
	for most := maxBatch; len(s.waiting) > 0; {
		n, size := 1, len(s.waiting[0])
		for n < len(s.waiting) && size+len(s.waiting[n]) <= most {
			size += len(s.waiting[n])
			n++
		}
		err := s.write(bytes.Join(s.waiting[:n], nil))
		switch {
		case err != nil && n > 1: // there may be room for some of them
			most = 0
			continue
		case err != nil:
			return err
		}
		s.waiting, s.bytes = s.waiting[n:], s.bytes-size
	}
	s.waiting = nil
	return nil
}

// write appends whole lines. After an error none of them counts, also where the file holds some.
func (s *sink) write(lines []byte) error {
	size, err := s.mend()
	if err != nil {
		return err
	}
	if closed, err := s.closed(size); err != nil {
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
		_, _ = s.mend() // else before the next write
		return err
	}
	s.end, s.torn = size+int64(len(lines)), false
	return nil
}

// mend cuts off what is torn, if it can, and gives the size of the file.
func (s *sink) mend() (size int64, err error) {
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

// closed reports whether the file, so many bytes long, ends with a newline.
func (s *sink) closed(size int64) (bool, error) {
	if size == 0 {
		return true, nil
	}
	var last [1]byte
	if n, err := s.file.ReadAt(last[:], size-1); n < 1 {
		return false, err
	}
	return last[0] == '\n', nil
}

// text returns everything that was appended: what the file holds, and what waits.
func (s *sink) text() ([]byte, error) {
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

// attach makes the path lead to the file again: where it was removed it is made anew from the one
// that is still open, and what somebody has put in its place is kept beside it.
func (s *sink) attach() error {
	ours, err := s.file.Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(s.path)
	switch {
	case err == nil && os.SameFile(ours, there):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if err := makePrivate(filepath.Dir(filepath.Dir(s.path)), filepath.Dir(s.path)); err != nil {
			return err
		}
		if err := s.restore(); err != nil {
			return err
		}
		s.moved = append(s.moved, "The session log was removed while it was open. It stands there again, "+
			"complete: "+s.path)
		return nil
	case err != nil:
		return err
	}
	if there.Mode().IsRegular() { // another shell may go on with it
		f, err := s.open(os.O_RDWR)
		if err != nil {
			return err
		}
		defer f.Close()
	}
	aside, err := s.aside()
	if err != nil {
		return err
	}
	if err := s.restore(); err != nil {
		return errors.Join(err, os.Rename(aside, s.path))
	}
	s.moved = append(s.moved, "The session log was replaced by something else. That is now "+aside+
		", and the log is complete again.")
	return nil
}

// aside moves what stands at the path to a name of its own.
func (s *sink) aside() (name string, err error) {
	for i := 1; i < 1000; i++ {
		name = fmt.Sprintf("%s.replaced-%d", s.path, i)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, os.Rename(s.path, name)
		}
	}
	return "", fmt.Errorf("%s was replaced too often", s.path)
}

// restore makes the file at the path, where nothing is, with what the one that is open holds.
func (s *sink) restore() error {
	file, err := s.open(os.O_RDWR | os.O_CREATE | os.O_EXCL)
	if err != nil {
		return err
	}
	if s.torn {
		_, err = s.mend()
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

// remove takes the file away, if the path still leads to it.
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
