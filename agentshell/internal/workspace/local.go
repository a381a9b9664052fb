//go:build unix

package workspace

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// maxStreamBytes is the number of bytes of a file in which ReadText looks for lines (FS-43).
const maxStreamBytes = 1 << 30

// local is the Backend of the local disk.
type local struct {
	workspace *Workspace
	// onPoint is called before each step of a commit. Tests let other processes act there.
	onPoint func(point string)
	// intercept replaces system calls of commits in tests; nil: the system calls are made.
	intercept func(op string, call func() error) error
	// noExchange makes commits run as on a file system that cannot exchange two names.
	noExchange bool
}

func (l *local) Name() string { return "local disk" }

func (l *local) reachPoint(name string) {
	if l.onPoint != nil {
		l.onPoint(name)
	}
}

// location is the result of looking up a path without links.
type location struct {
	dir          DirID    // dir is the deepest existing directory.
	missingNames []string // missingNames lists the components after dir that do not exist; empty: the file exists.
	entry        dirEntry // entry is the state of the file, if it exists.
}

// locate looks up every component of p in its root. A link is an error (FS-30).
func (l *local) locate(p Path) (location, error) {
	r := l.workspace.rootNamed(p.root)
	if r == nil || !filepath.IsLocal(p.rel) {
		return location{}, refusedError("%s is not a path of this workspace", p)
	}
	if err := r.checkAlive(); err != nil {
		return location{}, err
	}
	info, err := r.handle.Lstat(".")
	if err != nil {
		return location{}, systemError(p.String(), err)
	}
	e, _ := statEntry(info)
	loc := location{dir: DirID{Rel: ".", Dev: e.dev, Ino: e.ino}, entry: e}
	if p.rel == "." {
		return loc, nil
	}
	parts := strings.Split(p.rel, "/")
	for i, part := range parts {
		rel := path.Join(loc.dir.Rel, part)
		info, err := r.handle.Lstat(rel)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			loc.missingNames = parts[i:]
			loc.entry = dirEntry{}
			return loc, nil
		case err != nil:
			return loc, systemError(p.String(), err)
		case info.Mode()&fs.ModeSymlink != 0:
			return loc, refusedError("%s became a link", path.Join(p.root, rel))
		}
		e, _ := statEntry(info)
		if i == len(parts)-1 {
			loc.entry = e
			return loc, nil
		}
		if !info.IsDir() {
			return loc, refusedError("path %s goes through a file", p)
		}
		loc.dir = DirID{Rel: rel, Dev: e.dev, Ino: e.ino}
	}
	return loc, nil
}

// checkWritable returns an error if a file is write-protected, or if no file can be created in its
// directory. The system would allow replacing a write-protected file, but its owner wants it to
// stay (EDIT-5); this holds for the user root too. It returns nil if it cannot tell; then the
// commit fails.
func (l *local) checkWritable(p Path) error {
	loc, err := l.locate(p)
	if err != nil || p.rel == "." {
		return nil
	}
	d, err := openDir(l.workspace.rootNamed(p.root).handle, loc.dir.Rel)
	if err != nil {
		return nil
	}
	defer d.close()
	if len(loc.missingNames) == 0 && loc.entry.mode.IsRegular() {
		mode := loc.entry.mode.Perm()
		if mode&0o222 == 0 || os.Geteuid() == 0 && mode&0o200 == 0 {
			return refusedError("%s is read-only (mode %#o). The user can make it writable with chmod u+w.", p, mode)
		}
		if err := unix.Faccessat(d.fd(), p.Base(), unix.W_OK, 0); err != nil {
			return protectedError(p.String(), fmt.Sprintf("mode %#o", mode), err)
		}
	}
	if err := unix.Faccessat(d.fd(), ".", unix.W_OK|unix.X_OK, 0); err != nil {
		shown := Path{root: p.root, rel: d.id.Rel}
		return protectedError("the directory "+shown.String()+", in which "+p.String()+" is written,",
			fmt.Sprintf("mode %#o", d.mode()), err)
	}
	return nil
}

// protectedError returns an error that says why something cannot be written, and what the user can
// do.
func protectedError(what, mode string, err error) error {
	switch {
	case errors.Is(err, unix.EROFS):
		return refusedError("%s lies on a read-only file system. The user can write it where it is mounted for "+
			"writing.",
			what)
	case errors.Is(err, unix.EPERM):
		return refusedError("%s is immutable. The user can allow writing with chattr -i.", what)
	case errors.Is(err, unix.EACCES):
		return refusedError("%s is not writable for you (%s). The user can allow it with chmod.", what, mode)
	}
	return nil // the commit will say
}

// openFile opens a regular file and its directory. It checks before and after that the path leads
// to both.
func (l *local) openFile(p Path) (*dir, *os.File, dirEntry, error) {
	loc, err := l.locate(p)
	if err != nil {
		return nil, nil, dirEntry{}, err
	}
	switch {
	case len(loc.missingNames) > 0:
		return nil, nil, dirEntry{}, &Error{Kind: NotFound, Path: p.String()}
	case loc.entry.mode.IsDir():
		return nil, nil, dirEntry{}, &Error{Kind: IsDirectory, Path: p.String()}
	case !loc.entry.mode.IsRegular():
		return nil, nil, dirEntry{}, irregularError(p, loc.entry.mode)
	}
	d, err := openDir(l.workspace.rootNamed(p.root).handle, loc.dir.Rel)
	if err != nil {
		return nil, nil, dirEntry{}, openDirError(p, err)
	}
	f, err := d.open(p.Base())
	if err != nil {
		d.close()
		return nil, nil, dirEntry{}, systemError(p.String(), err)
	}
	e, err := statFile(f)
	if err == nil {
		var after location
		after, err = l.locate(p)
		switch {
		case err != nil:
		case !e.mode.IsRegular():
			err = irregularError(p, e.mode)
		case d.id != loc.dir || after.dir != loc.dir || after.entry.ino != e.ino || after.entry.dev != e.dev:
			err = conflictError(p)
		}
	}
	if err != nil {
		f.Close()
		d.close()
		return nil, nil, dirEntry{}, systemError(p.String(), err)
	}
	return d, f, e, nil
}

func sum(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }

func fingerprintOf(e dirEntry, data []byte, d DirID) Fingerprint {
	return Fingerprint{Exists: true, Mode: e.mode, Dev: e.dev, Ino: e.ino, Links: e.links, Size: int64(len(data)),
		Sum: sum(data), Dir: d}
}

// Snapshot reads a file and its fingerprint while it holds the lock of the root.
func (l *local) Snapshot(ctx context.Context, p Path, max int64) (File, error) {
	if r := l.workspace.rootNamed(p.root); r != nil {
		defer r.lock(ctx, false)()
	}
	return l.snapshotUnlocked(ctx, p, max)
}

func (l *local) snapshotUnlocked(ctx context.Context, p Path, max int64) (File, error) {
	loc, err := l.locate(p)
	if err != nil {
		return File{}, err
	}
	if len(loc.missingNames) > 0 {
		return File{Path: p, Print: Fingerprint{Dir: loc.dir}}, nil
	}
	d, f, e, err := l.openFile(p)
	if err != nil {
		return File{}, err
	}
	defer d.close()
	defer f.Close()
	if e.size > max {
		return File{}, &Error{Kind: TooLarge, Path: p.String(), Bytes: e.size, Limit: max}
	}
	data, err := readAll(ctx, f, e.size, max)
	if err != nil {
		return File{}, systemError(p.String(), err)
	}
	if int64(len(data)) > max {
		return File{}, &Error{Kind: TooLarge, Path: p.String(), Bytes: int64(len(data)), Limit: max}
	}
	return File{Path: p, Data: data, Print: fingerprintOf(e, data, d.id), Loses: foretellLosses(f, e)}, nil
}

// readAll reads at most max+1 bytes. size is the expected number. It returns an error when ctx
// ends.
func readAll(ctx context.Context, f *os.File, size, max int64) ([]byte, error) {
	r := contextReader{ctx, f}
	buf := make([]byte, 0, min(size, max)+512)
	for int64(len(buf)) <= max {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, len(buf))
		}
		n, err := r.Read(buf[len(buf):min(int64(cap(buf)), max+1)])
		buf = buf[:len(buf)+n]
		if err == io.EOF || err == nil && n == 0 {
			break
		} else if err != nil {
			return buf, err
		}
	}
	return buf, nil
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// foretellLosses lists what a new file in place of f will not have, such as "owner". A commit fails
// if it would lose anything else.
func foretellLosses(f *os.File, e dirEntry) (lost []string) {
	root := os.Geteuid() == 0
	if e.uid != os.Geteuid() && !root {
		lost = append(lost, "owner")
	}
	for _, name := range attributes(f) {
		if !root && (strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.")) {
			lost = append(lost, "attribute "+name)
		}
	}
	return lost
}

func (l *local) ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error) {
	f, err := l.snapshotUnlocked(ctx, p, max)
	if err != nil {
		return nil, err
	}
	if !f.Print.Exists {
		return nil, &Error{Kind: NotFound, Path: p.String()}
	}
	return f.Data, nil
}

// ReadText returns lines. A file that is read as a whole may have 4 MiB; otherwise the file may
// have 1 GiB and the result 4 MiB.
func (l *local) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	if line == 0 && limit == 0 {
		b, err := l.ReadBytes(ctx, p, MaxRead)
		if err != nil {
			return "", err
		}
		return textOf(p, b)
	}
	if line < 1 || limit < 0 {
		return "", invalidError("line numbers begin at 1, got line %d, limit %d", line, limit)
	}
	d, f, e, err := l.openFile(p)
	if err != nil {
		return "", err
	}
	defer d.close()
	defer f.Close()
	if e.size > maxStreamBytes {
		return "", &Error{Kind: TooLarge, Path: p.String(), Bytes: e.size, Limit: maxStreamBytes}
	}
	in := bufio.NewReaderSize(&contextReader{ctx, f}, 64<<10)
	head, _ := in.Peek(8 << 10)
	if bytes.IndexByte(head, 0) >= 0 {
		return "", refusedError("%s is binary (%d bytes)", p, e.size)
	}
	var out []byte
	for n := 1; limit == 0 || n < line+limit; {
		part, err := in.ReadSlice('\n')
		if n >= line {
			if out = append(out, part...); len(out) > MaxRead {
				return "", &Error{Kind: TooLarge, Path: p.String(), Bytes: int64(len(out)), Limit: MaxRead}
			}
		}
		switch {
		case err == nil:
			n++
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return textOf(p, out)
		default:
			return "", systemError(p.String(), err)
		}
	}
	return textOf(p, out)
}

// textOf returns data as text, or an error if it is no text.
func textOf(p Path, data []byte) (string, error) {
	if err := Text(p, data); err != nil {
		return "", err
	}
	return string(data), nil
}

func (l *local) Fingerprint(ctx context.Context, p Path) (Fingerprint, error) {
	f, err := l.snapshotUnlocked(ctx, p, maxStreamBytes)
	return f.Print, err
}

// Check compares the state of the directory entry before it reads the file, because it is called
// several times a second while the user decides about a change.
func (l *local) Check(ctx context.Context, p Path, base Fingerprint) error {
	loc, err := l.locate(p)
	if err != nil {
		return err
	}
	e := loc.entry
	switch {
	case loc.dir != base.Dir, (len(loc.missingNames) == 0) != base.Exists:
		return conflictError(p)
	case !base.Exists:
		return nil
	case e.mode != base.Mode, e.dev != base.Dev, e.ino != base.Ino, e.links != base.Links, e.size != base.Size:
		return conflictError(p)
	}
	now, err := l.Fingerprint(ctx, p)
	if err == nil && now != base {
		err = conflictError(p)
	}
	return err
}

// WriteText writes without checking the present content. Tools use Commit instead.
func (l *local) WriteText(ctx context.Context, p Path, content string) error {
	f, err := l.Snapshot(ctx, p, MaxProposal)
	if err != nil {
		return err
	}
	_, err = l.workspace.Commit(ctx, Change{Path: p, Base: f.Print, Data: []byte(content), MayLose: f.Loses})
	return err
}
