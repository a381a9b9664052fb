//go:build unix && !linux

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// The requests that get and set the settings of a terminal.
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// redirect makes descriptor to refer to the file of descriptor from.
func redirect(from, to int) error { return unix.Dup2(from, to) }

// widen does nothing: on these systems a pipe grows by itself.
func widen(*os.File) {}

// tightPipe returns an ordinary pipe. Only Linux has a pipe that holds a single write.
func tightPipe() (r, w *os.File, err error) { return os.Pipe() }
