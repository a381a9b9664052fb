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
	w *Workspace
}

func (l *local) recover() []string { return nil }

func (l *local) writable(Path) error { return nil }

func (l *local) pinned(context.Context, Path, Fingerprint, func(string) error) error {
	return &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// Beside refuses everything.
func (w *Workspace) Beside(Path, string) (uint64, error) {
	return 0, &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

// Hold holds nothing: nothing is written.
func (w *Workspace) Hold(ctx context.Context, _ Path) (_ context.Context, release func()) {
	return ctx, func() {}
}

// by refuses everything, too.
func (l *local) by(Editor) Backend { return l }

func (l *local) Name() string { return "local disk" }

func (l *local) ReadText(context.Context, Path, int, int) (string, error) {
	return "", &Error{Kind: Failed, Cause: errors.ErrUnsupported}
}

func sum(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }

var _ *os.Root
