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

// Companions returns the endings of the files beside a database that SQLite writes with it: its
// journal, its log, and the index of the log.
func Companions() []string { return []string{"-journal", "-wal", "-shm"} }

// asNamed is a file system for SQLite that opens a file by exactly the name that it is given, and
// only regular files. SQLite would wait for a pipe, and would write the file that a link leads to.
type asNamed struct {
	vfs.VFS
	database string
	shared   []string // the endings of the files that may have several names
	refused  error    // why a file was not opened
	at       func(path string)
}

func (*asNamed) FullPathname(name string) (string, error) { return name, nil }

// OpenFilename opens a file. It looks at the file before, since opening a device may do something,
// and after, since what has the name may have changed between the two.
func (n *asNamed) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
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
			if err := n.fit(path, info); err != nil {
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
		err = n.fit(path, info)
	}
	if err != nil {
		return nil, flags, errors.Join(err, f.Close())
	}
	return f, flags, nil
}

// fit refuses a file that cannot be written by its name alone: no regular file, or one with other
// names.
func (n *asNamed) fit(path string, info fs.FileInfo) error {
	what := ""
	switch m := info.Mode(); {
	case m.IsRegular():
		if names := nameCount(info); names > 1 && !slices.Contains(n.shared, strings.TrimPrefix(path, n.database)) {
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

// refuse returns an error and remembers it as the reason why a file was not opened.
func (n *asNamed) refuse(format string, a ...any) error {
	n.refused = fmt.Errorf(format, a...)
	return n.refused
}
