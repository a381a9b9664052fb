package workspace

import (
	"context"
	"io/fs"
	"time"
)

// Entry is one entry of a directory, not followed.
type Entry struct {
	Name string
	Mode fs.FileMode
	Size int64

	Ino            uint64
	Change, Modify time.Time // of the inode, of the content
}

// folder is a directory that is held open. Each name given to it is a single component and is never
// followed, so whatever is reached from a root by folders alone is below that root. Close it.
type folder interface {
	// sub opens a directory in it.
	sub(name string) (folder, error)
	// names tells all entries but . and .., in the system's order, in batches. An inode number is 0
	// where the system gives none with the name.
	names(ctx context.Context, add func(name []byte, k kind, ino uint64) error) error
	stat(name string) (Entry, error)
	link(name string) (string, error)
	// read gives the content of a regular file of at most max bytes.
	read(ctx context.Context, name string, max int64) ([]byte, error)
	// open opens a regular file for one read.
	open(name string) (opened, error)
	close()
}

// opened is a file that is held open for one read.
type opened interface {
	// read gives the content of at most max bytes, in buf if that has room, and closes the file.
	read(buf []byte, max int64) ([]byte, error)
}

// walker is a Backend whose directories can be walked.
type walker interface {
	// top opens a root.
	top(name string) (folder, error)
}

// kind is the type of an entry in one byte.
type kind uint8

const (
	unknownKind kind = iota // the system does not tell it with the name
	fileKind
	dirKind
	linkKind
	otherKind
)

func kindOf(m fs.FileMode) kind {
	switch {
	case m.IsRegular():
		return fileKind
	case m.IsDir():
		return dirKind
	case m&fs.ModeSymlink != 0:
		return linkKind
	}
	return otherKind
}

var modes = [...]fs.FileMode{fileKind: 0, dirKind: fs.ModeDir, linkKind: fs.ModeSymlink, otherKind: fs.ModeDevice}
