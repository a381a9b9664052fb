package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// unopened reports whether f is the only access to its file: the file has no name, and no other
// program has it open or mapped. It asks the kernel for a write lease, which is given only then. It
// returns false if leases are not supported, such as for a network file system or a file of another
// user.
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
