//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// dir is an open directory. Its methods take names without slashes, and never follow links. It is
// closed at the end of one operation.
type dir struct {
	file *os.File
	id   DirID
	// intercept replaces the system call named op in tests; nil: the system call is made.
	intercept func(op string, call func() error) error
}

// call makes a system call, and repeats it if a signal has interrupted it.
func (d *dir) call(op string, call func() error) error {
	if d.intercept != nil {
		return d.intercept(op, call)
	}
	return retryInterrupted(call)
}

// dirEntry is the state of a directory entry. A link is not followed.
type dirEntry struct {
	mode     fs.FileMode
	dev, ino uint64
	links    uint64
	size     int64
	uid, gid int

	changeTime, modifyTime time.Time
}

func entryOf(st *unix.Stat_t) dirEntry {
	e := dirEntry{
		mode: fs.FileMode(st.Mode & 0o777), dev: uint64(st.Dev), ino: uint64(st.Ino), links: uint64(st.Nlink),
		size: st.Size,
		uid:  int(st.Uid), gid: int(st.Gid), changeTime: time.Unix(st.Ctim.Unix()),
		modifyTime: time.Unix(st.Mtim.Unix()),
	}
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		e.mode |= fs.ModeDir
	case unix.S_IFLNK:
		e.mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		e.mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		e.mode |= fs.ModeSocket
	default:
		e.mode |= fs.ModeDevice
	}
	if st.Mode&unix.S_ISUID != 0 {
		e.mode |= fs.ModeSetuid
	}
	if st.Mode&unix.S_ISGID != 0 {
		e.mode |= fs.ModeSetgid
	}
	if st.Mode&unix.S_ISVTX != 0 {
		e.mode |= fs.ModeSticky
	}
	return e
}

// openDir opens a directory of a root. It does not wait at a named pipe, and does not follow a link
// in the last component. The caller compares the identity of the directory, which covers the other
// components.
func openDir(h *os.Root, rel string) (*dir, error) {
	f, err := h.OpenFile(rel, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return newDir(f, rel)
}

func newDir(f *os.File, rel string) (*dir, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		f.Close()
		return nil, err
	}
	return &dir{file: f, id: DirID{Rel: rel, Dev: uint64(st.Dev), Ino: uint64(st.Ino)}}, nil
}

func (d *dir) close()  { d.file.Close() }
func (d *dir) fd() int { return int(d.file.Fd()) }

// mode returns the permissions of the directory.
func (d *dir) mode() fs.FileMode {
	e, _ := statFile(d.file)
	return e.mode.Perm()
}

// retryInterrupted repeats a system call as long as a signal interrupts it.
func retryInterrupted(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

func (d *dir) openat(name string, flags int, perm uint32) (*os.File, error) {
	var fd int
	op := "open"
	if flags&unix.O_CREAT != 0 {
		op = "create"
	}
	err := d.call(op, func() (err error) {
		fd, err = unix.Openat(d.fd(), name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY|unix.O_NONBLOCK, perm)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

// openSub opens the directory name in d. rel is its path relative to the root.
func (d *dir) openSub(name, rel string) (*dir, error) {
	f, err := d.openat(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	sub, err := newDir(f, rel)
	if err == nil {
		sub.intercept = d.intercept
	}
	return sub, err
}

func (d *dir) lstat(name string) (dirEntry, error) {
	var e dirEntry
	err := d.call("lstat", func() (err error) {
		e, err = lstatat(d.fd(), name)
		return err
	})
	return e, err
}

func (d *dir) open(name string) (*os.File, error)      { return d.openat(name, unix.O_RDONLY, 0) }
func (d *dir) openWrite(name string) (*os.File, error) { return d.openat(name, unix.O_RDWR, 0) }

// create creates a file. It fails if the name exists (FS-64).
func (d *dir) create(name string, perm uint32) (*os.File, error) {
	return d.openat(name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, perm)
}

func (d *dir) mkdir(name string) error {
	return d.call("mkdir", func() error { return unix.Mkdirat(d.fd(), name, 0o777) })
}
func (d *dir) rmdir(name string) error {
	return d.call("rmdir", func() error { return unix.Unlinkat(d.fd(), name, unix.AT_REMOVEDIR) })
}
func (d *dir) remove(name string) error {
	return d.call("remove", func() error { return unix.Unlinkat(d.fd(), name, 0) })
}
func (d *dir) link(from, to string) error {
	return d.call("link", func() error { return unix.Linkat(d.fd(), from, d.fd(), to, 0) })
}
func (d *dir) rename(from, to string) error {
	return d.call("rename", func() error { return unix.Renameat(d.fd(), from, d.fd(), to) })
}
func (d *dir) sync() error { return d.call("sync", d.file.Sync) }

// isFile reports whether name is now the file with that device and inode number. It is used after a
// failed call, which may have taken effect nevertheless.
func (d *dir) isFile(name string, dev, ino uint64) bool {
	e, err := d.lstat(name)
	return err == nil && e.dev == dev && e.ino == ino
}

// removeIfExists removes the entry name. It returns nil if there is none.
func (d *dir) removeIfExists(name string) error {
	err := d.remove(name)
	if err != nil {
		if _, gone := d.lstat(name); errors.Is(gone, fs.ErrNotExist) {
			return nil
		}
	}
	return err
}

func statFile(f *os.File) (dirEntry, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return dirEntry{}, err
	}
	return entryOf(&st), nil
}

func statEntry(info fs.FileInfo) (dirEntry, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return dirEntry{}, false
	}
	return dirEntry{mode: info.Mode(), dev: uint64(st.Dev), ino: uint64(st.Ino), links: uint64(st.Nlink), size: st.Size,
		uid: int(st.Uid), gid: int(st.Gid)}, true
}

// chown gives f the owner and group of e. If it cannot change the owner, it changes the group
// alone. It returns true if f has both now.
func chown(f *os.File, e dirEntry) (ok bool) {
	now, err := statFile(f)
	if err != nil {
		return false
	}
	if now.uid == e.uid && now.gid == e.gid {
		return true
	}
	if f.Chown(e.uid, e.gid) == nil {
		return true
	}
	f.Chown(-1, e.gid)
	return false
}
