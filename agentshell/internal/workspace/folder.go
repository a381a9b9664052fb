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

	// Change is the time of the last change of the inode, and Modify that of the content.
	Ino            uint64
	Change, Modify time.Time // times of the last change of the inode, and of the content
}

// folder is an open directory. Its methods take names without slashes, and never follow links. So
// everything that is reached from a root through folders is within that root. It must be closed.
type folder interface {
	// openSub opens a directory in it.
	openSub(name string) (folder, error)
	// readNames calls add for each entry except . and .., in the order of the system. ino is 0 if
	// the system gives no inode number with the name.
	readNames(ctx context.Context, add func(name []byte, k entryKind, ino uint64) error) error
	stat(name string) (Entry, error)
	// modified returns the modification time of an entry's content.
	modified(name string) (time.Time, error)
	readLink(name string) (string, error)
	// readFile returns the content of a regular file. The error has the kind TooLarge if it has
	// more than max bytes.
	readFile(ctx context.Context, name string, max int64) ([]byte, error)
	// openFile opens a regular file, which can be read once.
	openFile(name string) (readableFile, error)
	close()
}

// readableFile is an open file that can be read once.
type readableFile interface {
	// read returns the content and closes the file. The error has the kind TooLarge if it has more
	// than max bytes. It uses buf if that is large enough.
	read(buf []byte, max int64) ([]byte, error)
}

// rootOpener is an optional interface of a Backend whose directories can be walked.
type rootOpener interface {
	// openRoot opens the root with a name.
	openRoot(name string) (folder, error)
}

// entryKind is the type of an entry in one byte.
type entryKind uint8

const (
	unknownKind entryKind = iota // unknownKind means that the system gave no type with the name.
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

var modeByKind = [...]fs.FileMode{fileKind: 0, dirKind: fs.ModeDir, linkKind: fs.ModeSymlink, otherKind: fs.ModeDevice}
