//go:build unix

package recall

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// openFile opens a file that only its owner can access. It returns an error for a symbolic link.
func openFile(path string, flag int) (*os.File, error) {
	return regular.OpenFile(path, flag|unix.O_NOFOLLOW, 0o600)
}

// lock locks the lock file at path until unlock is called, at the latest until the process ends. It
// waits while another process holds the lock. The history file itself cannot be locked, because
// shortening replaces it.
func lock(path string) (unlock func(), err error) {
	f, err := openFile(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	c, err := f.SyscallConn()
	if err == nil {
		var failed error
		err = c.Control(func(fd uintptr) {
			for failed = unix.EINTR; failed == unix.EINTR; {
				failed = unix.Flock(int(fd), unix.LOCK_EX)
			}
		})
		if err == nil {
			err = failed
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
