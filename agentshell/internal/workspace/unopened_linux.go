package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// unopened reports whether f is the last way to its file: the file has no name, and no other
// program has it open or mapped. The kernel gives a write lease on such a file only. Where it gives
// none (a network file system, a file of another user) the result is false.
func unopened(f *os.File) bool {
	e, err := statFile(f)
	if err != nil || e.links > 0 {
		return false
	}
	fd := f.Fd()
	if _, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		return false
	}
	_, err = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil
}
