//go:build unix

package running

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// createLocked creates a lock file and locks it until the file is closed, at the latest when the
// process ends. Between the two steps, a reader may mistake the file for one of a killed session
// and delete it; createLocked then creates another one.
func createLocked(path string) (*os.File, error) {
	for range 100 {
		f, err := regular.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, err
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		opened, openErr := f.Stat()
		there, err := os.Lstat(path)
		if openErr == nil && err == nil && os.SameFile(opened, there) {
			return f, nil
		}
		f.Close()
	}
	return nil, errors.New("the session could not be told to others: its file is removed again and again")
}

// tryLock locks the lock file of a session that was killed, until the returned file is closed. It
// returns nil without an error if the session is running.
func tryLock(path string) (*os.File, error) {
	f, err := regular.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, err
}
