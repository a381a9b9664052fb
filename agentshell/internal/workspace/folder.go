package workspace

import (
	"context"
	"io/fs"
	"time"
)

// Entry is one entry of a directory. A link is not followed.
type Entry struct {
	Name string
	Mode fs.FileMode
	Size int64

	Ino            uint64
	Change, Modify time.Time // times of the last change of the inode, and of the content
}

// folder is an open directory. Each name that its methods take is a single component and is never
// followed. So everything that is reached from a root by folders alone lies below that root. Close
// it.
type folder interface {
	// openSub opens a directory in it.
	openSub(name string) (folder, error)
	// readNames calls add for each entry but . and .., in the system's order. ino is 0 where the
	// system gives no inode number with the name.
	readNames(ctx context.Context, add func(name []byte, k entryKind, ino uint64) error) error
	stat(name string) (Entry, error)
	// modified returns when the content of an entry was written last.
	modified(name string) (time.Time, error)
	readLink(name string) (string, error)
	// readFile returns the content of a regular file, or TooLarge if it has more than max bytes.
	readFile(ctx context.Context, name string, max int64) ([]byte, error)
	// openFile opens a regular file for one read.
	openFile(name string) (readableFile, error)
	close()
}

// readableFile is a file that is open for one read.
type readableFile interface {
	// read returns the content, or TooLarge if it has more than max bytes. It uses buf if that is
	// large enough, and closes the file.
	read(buf []byte, max int64) ([]byte, error)
}

// rootOpener is a Backend whose directories can be walked.
type rootOpener interface {
	// openRoot opens the root of that name.
	openRoot(name string) (folder, error)
}

// entryKind is the type of an entry in one byte.
type entryKind uint8

const (
	unknownKind entryKind = iota // the system gives no type with the name
	fileKind
	dirKind
	linkKind
	otherKind
)

func kindOf(m fs.FileMode) entryKind {
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

var kindModes = [...]fs.FileMode{fileKind: 0, dirKind: fs.ModeDir, linkKind: fs.ModeSymlink, otherKind: fs.ModeDevice}
