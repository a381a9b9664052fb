package document

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3/vfs"
)

// Companions returns the endings of the files that SQLite writes next to a database: the journal,
// the write-ahead log, and the index of that log.
func Companions() []string { return []string{"-journal", "-wal", "-shm"} }

// namedFileVFS is a file system for SQLite that opens only regular files, and follows no symbolic
// link. Without it SQLite would wait at a named pipe, and would write to the target of a link.
type namedFileVFS struct {
	vfs.VFS
	database string
	// sharedEndings lists the endings of files that may have several hard links: "" for the
	// database itself.
	sharedEndings []string
	refusal       error // refusal is why a file was not opened; nil: none was refused.
	at            func(path string)
}

func (*namedFileVFS) FullPathname(name string) (string, error) { return name, nil }

// OpenFilename opens a file. It checks the file before, because opening a device may have an
// effect, and again afterwards, because another file may have got the name meanwhile.
func (n *namedFileVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	path := name.String()
	if path == "" { // a temporary file of SQLite's
		return n.VFS.(vfs.VFSFilename).OpenFilename(name, flags)
	}
	looked := []string{path}
	if flags&vfs.OPEN_MAIN_DB != 0 { // before anything is written; one of them is not opened by this
		for _, ending := range Companions() {
			looked = append(looked, path+ending)
		}
	}
	for _, path := range looked {
		if info, err := os.Lstat(path); err == nil {
			if err := n.checkFile(path, info); err != nil {
				return nil, flags, err
			}
		}
	}
	if n.at != nil {
		n.at(path)
	}
	// A pipe that came since the look would be waited for if it were opened for reading alone.
	flags = flags&^vfs.OPEN_READONLY | vfs.OPEN_READWRITE
	f, flags, err := n.VFS.(vfs.VFSFilename).OpenFilename(name, flags)
	if err != nil {
		return f, flags, err
	}
	opened, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil, flags, errors.Join(n.refuse("%s cannot be looked at", path), f.Close())
	}
	info, err := opened.Stat()
	if err == nil {
		err = n.checkFile(path, info)
	}
	if err != nil {
		return nil, flags, errors.Join(err, f.Close())
	}
	return f, flags, nil
}

// checkFile returns an error for a file that must not be opened: one that is no regular file, or
// one with several hard links that is not in n.sharedEndings.
func (n *namedFileVFS) checkFile(path string, info fs.FileInfo) error {
	what := ""
	switch m := info.Mode(); {
	case m.IsRegular():
		if names := hardLinkCount(info); names > 1 && !slices.Contains(n.sharedEndings, strings.TrimPrefix(path,
			n.database)) {
			return n.refuse("%s has %d names by now, and all of them would change", filepath.Base(path), names)
		}
		return nil
	case m&fs.ModeSymlink != 0:
		what = "a link"
	case m&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case m.IsDir():
		what = "a directory"
	default:
		what = "not a regular file"
	}
	return n.refuse("%s is %s", filepath.Base(path), what)
}

// refuse returns an error and keeps it in n.refusal, because SQLite does not pass it on.
func (n *namedFileVFS) refuse(format string, a ...any) error {
	n.refusal = fmt.Errorf(format, a...)
	return n.refusal
}
