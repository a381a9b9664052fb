//go:build unix

package workspace

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// handle is a folder by its descriptor. It is not an os.File: a walk opens many, and each os.File
// costs calls of its own (measured: 9 for a directory instead of 4, and an os.Root 6).
type handle struct {
	r  *root
	fd int
}

// top opens a root, which must still be the directory that was opened at the beginning.
func (l *local) top(name string) (folder, error) {
	r := l.w.byName[name]
	if r == nil {
		return nil, refused("%s is no root of this workspace", name)
	}
	if err := r.alive(); err != nil {
		return nil, err
	}
	f, err := r.h.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, systemError(name, err)
	}
	defer f.Close()
	fd, err := openat(int(f.Fd()), ".", unix.O_DIRECTORY)
	if err != nil {
		return nil, systemError(name, err)
	}
	return handle{r, fd}, nil
}

// openat opens a name in the directory fd for reading.
func openat(fd int, name string, flags int) (opened int, err error) {
	err = again(func() error {
		opened, err = unix.Openat(fd, name,
			unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY|unix.O_NONBLOCK|flags, 0)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return opened, nil
}

// open takes no look before: the entry was a file when it was listed, and what it may be by now is
// opened without waiting for anybody.
func (h handle) open(name string) (opened, error) {
	fd, err := openat(h.fd, name, 0)
	return file{fd, name, h.r.name}, err
}

// file is a descriptor for one read.
type file struct {
	fd         int
	name, root string
}

func (f file) read(buf []byte, max int64) ([]byte, error) {
	defer unix.Close(f.fd)
	var is unix.Stat_t
	if err := again(func() error { return unix.Fstat(f.fd, &is) }); err != nil {
		return nil, err
	}
	if is.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, irregular(Path{root: f.root, rel: f.name}, fs.ModeIrregular)
	}
	if is.Size > max {
		return nil, &Error{Kind: TooLarge, Path: f.name, Bytes: is.Size, Limit: max}
	}
	buf = slices.Grow(buf[:0], int(is.Size)+1)
	for {
		var n int
		err := again(func() (err error) {
			n, err = unix.Read(f.fd, buf[len(buf):cap(buf)])
			return err
		})
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: f.name, Err: err}
		}
		buf = buf[:len(buf)+n]
		switch {
		case n == 0 || int64(len(buf)) == is.Size:
			return buf, nil
		case int64(len(buf)) > max:
			return nil, &Error{Kind: TooLarge, Path: f.name, Bytes: int64(len(buf)), Limit: max}
		}
		buf = slices.Grow(buf, 1)
	}
}

func (h handle) close() { unix.Close(h.fd) }

func (h handle) sub(name string) (folder, error) {
	fd, err := openat(h.fd, name, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return handle{h.r, fd}, nil
}

func (h handle) stat(name string) (Entry, error) {
	e, err := lstatat(h.fd, name)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Name: name, Mode: e.mode, Size: e.size, Ino: e.ino, Change: e.change, Modify: e.modify}, nil
}

func lstatat(fd int, name string) (entry, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return entry{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return entryOf(&st), nil
}

func (h handle) link(name string) (string, error) {
	buf := make([]byte, MaxPath)
	n := 0
	err := again(func() (err error) {
		n, err = unix.Readlinkat(h.fd, name, buf)
		return err
	})
	return string(buf[:max(n, 0)]), err
}

// read takes the lock of a snapshot: while a refused commit puts a file back, another one is under
// its name.
func (h handle) read(ctx context.Context, name string, max int64) ([]byte, error) {
	was, err := lstatat(h.fd, name)
	switch {
	case err != nil:
		return nil, err
	case !was.mode.IsRegular(): // not even opened
		return nil, irregular(Path{root: h.r.name, rel: name}, was.mode)
	case was.size > max:
		return nil, &Error{Kind: TooLarge, Path: name, Bytes: was.size, Limit: max}
	}
	defer h.r.lock(ctx, false)()
	fd, err := openat(h.fd, name, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	e, err := statFile(f)
	if err != nil {
		return nil, err
	}
	if !e.mode.IsRegular() {
		return nil, irregular(Path{root: h.r.name, rel: name}, e.mode)
	}
	data, err := readAll(ctx, f, e.size, max)
	if err == nil && int64(len(data)) > max {
		err = &Error{Kind: TooLarge, Path: name, Bytes: int64(len(data)), Limit: max}
	}
	return data, err
}
