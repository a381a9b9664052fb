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
	lockTimeout       = time.Second      // lockTimeout is how long a snapshot or a commit waits for another session.
	lockRootTimeout   = 10 * time.Second // lockRootTimeout is how long LockRoot waits.
	lockRetryInterval = 2 * time.Millisecond
)

// lockKey is the context key for the root that the caller has locked already.
type lockKey struct{}

// LockRoot locks the root of p against writes of other sessions until release is called. A file
// that is read with the returned context does not change until it is written with that context,
// unless another program writes that ignores the lock. If another session keeps the lock for long,
// LockRoot continues without it.
func (w *Workspace) LockRoot(ctx context.Context, p Path) (_ context.Context, release func()) {
	r := w.rootNamed(p.root)
	if r == nil {
		return ctx, func() {}
	}
	release = r.lockWithin(ctx, true, lockRootTimeout)
	return context.WithValue(ctx, lockKey{}, r), release
}

// lock locks the root directory against other sessions, in this process or another one. A commit
// locks exclusively, and a snapshot shared, because a reader must not see the bytes of a refused
// commit before the old file is restored. The lock is advisory and on the directory itself, so no
// lock file appears. If it cannot be had in time, or is not supported, lock continues without it.
func (r *root) lock(ctx context.Context, exclusive bool) (unlock func()) {
	if ctx.Value(lockKey{}) == r {
		return func() {}
	}
	return r.lockWithin(ctx, exclusive, lockTimeout)
}

// lockWithin locks the root, and continues without the lock after maxWait.
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
		<-time.After(lockRetryInterval)
	}
}
