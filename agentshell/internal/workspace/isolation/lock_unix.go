//go:build unix

package isolation

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file until it is closed or the process ends. It fails if another process has
// locked it.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// unlock unlocks and closes a file. Unlocking is necessary, because a child process that is just
// starting may still have the file open.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	_ = f.Close()
}
