//go:build unix

package workspace

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// fdFolder is a folder as a file descriptor. It is no os.File, because a walk opens many folders
// and each os.File costs additional system calls (measured: 9 for a directory instead of 4; an
// os.Root: 6).
type fdFolder struct {
	root *root
	fd   int
}

// openRoot opens a root. It fails if the path leads to another directory than when the workspace
// was opened.
func (l *local) openRoot(name string) (folder, error) {
	r := l.workspace.rootNamed(name)
	if r == nil {
		return nil, refusedError("%s is no root of this workspace", name)
	}
	if err := r.checkAlive(); err != nil {
		return nil, err
	}
	f, err := r.handle.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, systemError(name, err)
	}
	defer f.Close()
	fd, err := openat(int(f.Fd()), ".", unix.O_DIRECTORY)
	if err != nil {
		return nil, systemError(name, err)
	}
	return fdFolder{r, fd}, nil
}

// openat opens the entry name of the directory fd for reading. It never waits, even at a named
// pipe.
func openat(fd int, name string, flags int) (opened int, err error) {
	err = retryInterrupted(func() error {
		opened, err = unix.Openat(fd, name,
			unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY|unix.O_NONBLOCK|flags, 0)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return opened, nil
}

// openFile opens an entry without checking its type before: it was a file when it was listed, and
// openat waits for nothing.
func (f fdFolder) openFile(name string) (readableFile, error) {
	fd, err := openat(f.fd, name, 0)
	return fdFile{fd, name, f.root.name}, err
}

// fdFile is an open file as a file descriptor, which can be read once.
type fdFile struct {
	fd         int
	name, root string
}

func (f fdFile) read(buf []byte, max int64) ([]byte, error) {
	defer unix.Close(f.fd)
	var stat unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Fstat(f.fd, &stat) }); err != nil {
		return nil, err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, irregularError(Path{root: f.root, rel: f.name}, fs.ModeIrregular)
	}
	if stat.Size > max {
		return nil, &Error{Kind: TooLarge, Path: f.name, Bytes: stat.Size, Limit: max}
	}
	buf = slices.Grow(buf[:0], int(stat.Size)+1)
	for {
		var n int
		err := retryInterrupted(func() (err error) {
			n, err = unix.Read(f.fd, buf[len(buf):cap(buf)])
			return err
		})
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: f.name, Err: err}
		}
		buf = buf[:len(buf)+n]
		switch {
		case n == 0 || int64(len(buf)) == stat.Size:
			return buf, nil
		case int64(len(buf)) > max:
			return nil, &Error{Kind: TooLarge, Path: f.name, Bytes: int64(len(buf)), Limit: max}
		}
		buf = slices.Grow(buf, 1)
	}
}

func (f fdFolder) close() { unix.Close(f.fd) }

func (f fdFolder) openSub(name string) (folder, error) {
	fd, err := openat(f.fd, name, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return fdFolder{f.root, fd}, nil
}

func (f fdFolder) stat(name string) (Entry, error) {
	e, err := lstatat(f.fd, name)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Name: name, Mode: e.mode, Size: e.size, Ino: e.ino, Change: e.changeTime, Modify: e.modifyTime}, nil
}

func (h fdFolder) modified(name string) (time.Time, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstatat(h.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(st.Mtim.Unix()), nil
}

func lstatat(fd int, name string) (dirEntry, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return dirEntry{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return entryOf(&st), nil
}

func (f fdFolder) readLink(name string) (string, error) {
	buf := make([]byte, MaxPath)
	n := 0
	err := retryInterrupted(func() (err error) {
		n, err = unix.Readlinkat(f.fd, name, buf)
		return err
	})
	return string(buf[:max(n, 0)]), err
}

// readFile returns the content of a file. It takes the same lock as a snapshot, because a refused
// commit puts its file there for a moment.
func (f fdFolder) readFile(ctx context.Context, name string, max int64) ([]byte, error) {
	listed, err := lstatat(f.fd, name)
	switch {
	case err != nil:
		return nil, err
	case !listed.mode.IsRegular(): // it is not even opened
		return nil, irregularError(Path{root: f.root.name, rel: name}, listed.mode)
	case listed.size > max:
		return nil, &Error{Kind: TooLarge, Path: name, Bytes: listed.size, Limit: max}
	}
	defer f.root.lock(ctx, false)()
	fd, err := openat(f.fd, name, 0)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), name)
	defer file.Close()
	e, err := statFile(file)
	if err != nil {
		return nil, err
	}
	if !e.mode.IsRegular() {
		return nil, irregularError(Path{root: f.root.name, rel: name}, e.mode)
	}
	data, err := readAll(ctx, file, e.size, max)
	if err == nil && int64(len(data)) > max {
		err = &Error{Kind: TooLarge, Path: name, Bytes: int64(len(data)), Limit: max}
	}
	return data, err
}
