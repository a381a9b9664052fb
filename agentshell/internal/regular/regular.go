// Package regular opens files that are files: it waits for no pipe, and reads no device.
//
// Whoever can write a folder of the person's can put something else in the place of a file there. A
// named pipe that nobody writes would hold the start for ever.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a file for reading.
func Open(name string) (*os.File, error) { return OpenFile(name, os.O_RDONLY, 0) }

// OpenFile opens a file as [os.OpenFile] does. The null device counts as an empty file. The error
// for everything else says what it is.
func OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, perm)
	if err != nil {
		if info, e := os.Lstat(name); e == nil && kind(info.Mode()) != "" {
			err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is " + kind(info.Mode()))}
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && kind(info.Mode()) != "" && !isNull(info) {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is " + kind(info.Mode()))}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadFile reads a file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// OpenDir opens a directory.
func OpenDir(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// kind returns what something is that is no file, "" for a file or a link to something.
func kind(m fs.FileMode) string {
	switch {
	case m.IsRegular(), m&fs.ModeSymlink != 0:
		return ""
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
