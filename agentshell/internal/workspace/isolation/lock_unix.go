//go:build unix

package isolation

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file for this process until it is closed, also by a kill. It fails if another one
// has it locked.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// unlock closes a locked file. A program that is just being started still has the file open: the
// lock ends at once all the same.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	_ = f.Close()
}
