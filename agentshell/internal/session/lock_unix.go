//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow is the flag that makes opening a log fail if it is a symbolic link.
const noFollow = unix.O_NOFOLLOW

// lock locks the file for this process until the file is closed, at the latest when the process
// ends. It returns ErrLocked if another process has locked it.
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

// closeLocked unlocks and closes a locked file. Unlocking is necessary, because a child process
// that is just starting may still have the file open.
func closeLocked(file File) error {
	if f, is := file.(*os.File); is {
		if c, err := f.SyscallConn(); err == nil {
			_ = c.Control(func(fd uintptr) { _ = unix.Flock(int(fd), unix.LOCK_UN) })
		}
	}
	return file.Close()
}
