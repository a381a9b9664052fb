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
	lockWait     = time.Second      // how long a snapshot or a commit waits for another session
	lockRootWait = 10 * time.Second // how long LockRoot waits
	lockRetry    = 2 * time.Millisecond
)

// lockKey is the key of a context value: the root that the caller has locked already.
type lockKey struct{}

// LockRoot locks the root of p against writes of other sessions until release is called. A file
// that is read with the returned context stays as it is until it is written with it, unless a
// program writes that does not ask for the lock. If another session keeps the lock for long,
// LockRoot goes on without it.
func (w *Workspace) LockRoot(ctx context.Context, p Path) (_ context.Context, release func()) {
	r := w.rootNamed(p.root)
	if r == nil {
		return ctx, func() {}
	}
	release = r.lockWithin(ctx, true, lockRootWait)
	return context.WithValue(ctx, lockKey{}, r), release
}

// lock locks the root directory, exclusive for a commit and shared for a snapshot, against other
// sessions in this process or another one. While a refused commit puts the displaced file back, a
// reader could take our bytes for the file's, and build on them. The lock is advisory and on the
// root directory, so nothing appears in the tree. The exchange protects against programs that do
// not ask for the lock. If the lock cannot be had in time, or the file system has no locks, lock
// goes on without it.
func (r *root) lock(ctx context.Context, exclusive bool) (unlock func()) {
	if ctx.Value(lockKey{}) == r {
		return func() {}
	}
	return r.lockWithin(ctx, exclusive, lockWait)
}

// lockWithin locks the root, and gives up after maxWait.
func (r *root) lockWithin(ctx context.Context, exclusive bool, maxWait time.Duration) (unlock func()) {
	noUnlock := func() {}
	// A file of its own: a second lock on one description would replace the first.
	f, err := r.handle.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return noUnlock
	}
	mode := unix.LOCK_SH
	if exclusive {
		mode = unix.LOCK_EX
	}
	for deadline := time.Now().Add(maxWait); ; {
		err := unix.Flock(int(f.Fd()), mode|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(deadline) ||
			ctx.Err() != nil {
			f.Close()
			return noUnlock
		}
		<-time.After(lockRetry)
	}
}
