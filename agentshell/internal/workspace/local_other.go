//go:build !unix

package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
)

// local returns errors for all operations, because this package cannot identify directories on this
// system.
type local struct {
	None
	workspace *Workspace
}

// recover returns nil, because nothing is written on this system.
func (l *local) recover() []string { return nil }

// checkWritable returns nil, because nothing is written on this system.
func (l *local) checkWritable(Path) error { return nil }

// withPinned returns an error on this system.
func (l *local) withPinned(context.Context, Path, Fingerprint, func(string) error) error {
	return &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// SidecarLinks returns an error on this system.
func (w *Workspace) SidecarLinks(Path, string) (uint64, error) {
	return 0, &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// LockRoot locks nothing, because nothing is written on this system.
func (w *Workspace) LockRoot(ctx context.Context, _ Path) (_ context.Context, release func()) {
	return ctx, func() {}
}

// withEditor returns l, which returns errors for all operations.
func (l *local) withEditor(Editor) Backend { return l }

func (l *local) Name() string { return "local disk" }

// ReadText returns an error on this system.
func (l *local) ReadText(context.Context, Path, int, int) (string, error) {
	return "", &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

func sum(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }

var _ *os.Root
