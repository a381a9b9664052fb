package terminal

import (
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether f is a terminal. Unlike f.Fd, it never makes f blocking.
func IsTerminal(f *os.File) bool {
	c, err := f.SyscallConn()
	if err != nil {
		return false
	}
	is := false
	err = c.Control(func(fd uintptr) { is = term.IsTerminal(int(fd)) })
	return err == nil && is
}
