// Package regular opens only regular files: it does not wait for a named pipe and does not read a
// device.
//
// Another program could replace a file in one of the user's folders by something else. A named pipe
// without a writer would then block the start of the shell for ever.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a regular file for reading, see [OpenFile].
func Open(name string) (*os.File, error) { return OpenFile(name, os.O_RDONLY, 0) }

// OpenFile opens a regular file like [os.OpenFile]. If name is something else, such as a named pipe
// or a directory, it returns an error that says so, and never blocks. The null device counts as an
// empty regular file.
func OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, perm)
	if err != nil {
		if info, e := os.Lstat(name); e == nil && describeKind(info.Mode()) != "" {
			err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is " + describeKind(info.Mode()))}
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && describeKind(info.Mode()) != "" && !isNull(info) {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is " + describeKind(info.Mode()))}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadFile returns the content of a regular file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// OpenDir opens a directory for reading. It does not block if name is something else.
func OpenDir(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// isNull reports whether the file is the null device.
func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// describeKind returns the kind of a file that is not regular, such as "a named pipe". It returns
// "" for a regular file and for a symbolic link.
func describeKind(m fs.FileMode) string {
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
