//go:build unix

package browser

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file, or returns an error if another process holds it.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
