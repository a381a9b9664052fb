//go:build !unix

package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
)

// local is the backend of the local disk.
type local struct {
	None
	workspace *Workspace
}

// recover completes or undoes the commits of processes that were killed. It returns sentences about
// what it did. Notes that it cannot deal with stay.
func (l *local) recover() []string { return nil }

// checkWritable returns an error for a write-protected file, and for one in a directory where no
// file can be created. To replace a file no right on the file itself is needed, but whoever took
// that right away meant the file to stay (EDIT-5). That holds for the user root as well. It returns
// nil where it cannot tell: the commit fails then.
func (l *local) checkWritable(Path) error { return nil }

// withPinned holds the file's directory open, and passes do a name that leads through it: the path
// may lead elsewhere by then. Only Linux has such names; elsewhere the name is the path.
func (l *local) withPinned(context.Context, Path, Fingerprint, func(string) error) error {
	return &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// SidecarLinks returns the number of hard links of the file whose name is that of p followed by
// ending, 0 if there is no such file. It refuses one that is no regular file: a library that opens
// it by name would wait for a pipe, or write to the target of a link.
func (w *Workspace) SidecarLinks(Path, string) (uint64, error) {
	return 0, &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// LockRoot locks the root of p against writes of other sessions until release is called. A file
// that is read with the returned context stays as it is until it is written with it, unless a
// program writes that does not ask for the lock. If another session keeps the lock for long,
// LockRoot goes on without it.
func (w *Workspace) LockRoot(ctx context.Context, _ Path) (_ context.Context, release func()) {
	return ctx, func() {}
}

// withEditor returns a backend that asks e for the texts of files and l for all else.
func (l *local) withEditor(Editor) Backend { return l }

func (l *local) Name() string { return "local disk" }

// ReadText returns lines. Without a range the file may have 4 MiB. With a range it may have 1 GiB,
// and the result 4 MiB.
func (l *local) ReadText(context.Context, Path, int, int) (string, error) {
	return "", &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

func sum(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }

var _ *os.Root
