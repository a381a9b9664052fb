//go:build !unix

package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
)

// local refuses everything where directories have no identity that we know how to compare.
type local struct {
	None
	workspace *Workspace
}

// recover finds nothing: nothing is written here.
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

// SidecarLinks refuses everything here.
func (w *Workspace) SidecarLinks(Path, string) (uint64, error) {
	return 0, &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// LockRoot locks nothing: nothing is written here.
func (w *Workspace) LockRoot(ctx context.Context, _ Path) (_ context.Context, release func()) {
	return ctx, func() {}
}

// withEditor returns l, which refuses everything.
func (l *local) withEditor(Editor) Backend { return l }

func (l *local) Name() string { return "local disk" }

// ReadText returns lines. Without a range the file may have 4 MiB. With a range it may have 1 GiB,
// and the result 4 MiB.
func (l *local) ReadText(context.Context, Path, int, int) (string, error) {
	return "", &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

func sum(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }

var _ *os.Root
