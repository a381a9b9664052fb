//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow prevents writing through a symbolic link in place of a log.
const noFollow = unix.O_NOFOLLOW

// lock locks the file for this process until it is closed. A crash closes it, too.
func lock(file *os.File) error {
	c, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := c.Control(func(fd uintptr) { failed = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB) }); err != nil {
		return err
	}
	if errors.Is(failed, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return failed
}
