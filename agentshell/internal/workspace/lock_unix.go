//go:build unix

package workspace

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	lockWait  = time.Second      // as long as another session is waited for
	holdWait  = 10 * time.Second // by who was late already
	lockRetry = 2 * time.Millisecond
)

// lockKey is the key of a context under which the root is that its user has locked.
type lockKey struct{}

// Hold keeps other sessions from writing in the root of p until release is called: what is read
// with the context that it gives is still so when it is written with it, unless a program writes
// that asks for no lock. If another session has it for long, it goes on without.
func (w *Workspace) Hold(ctx context.Context, p Path) (_ context.Context, release func()) {
	r := w.byName[p.root]
	if r == nil {
		return ctx, func() {}
	}
	release = r.lockFor(ctx, true, holdWait)
	return context.WithValue(ctx, lockKey{}, r), release
}

// lock keeps commits of other sessions in the same root, in this process or another one, apart from
// a commit (exclusive) or a snapshot: while a refused commit puts the displaced file back, a reader
// could take our bytes for the file's, and build on them. It is an advisory lock on the root
// directory, so nothing appears in the tree; programs that do not ask for it are what the exchange
// is for. If somebody holds it for long, or the file system has no locks, it goes on without.
func (r *root) lock(ctx context.Context, exclusive bool) (unlock func()) {
	if ctx.Value(lockKey{}) == r {
		return func() {}
	}
	return r.lockFor(ctx, exclusive, lockWait)
}

func (r *root) lockFor(ctx context.Context, exclusive bool, most time.Duration) (unlock func()) {
	none := func() {}
	// Of its own: a second lock on one description would replace the first.
	f, err := r.h.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return none
	}
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for deadline := time.Now().Add(most); ; {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(deadline) ||
			ctx.Err() != nil {
			f.Close()
			return none
		}
		<-time.After(lockRetry)
	}
}
