//go:build unix && !linux

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// How the settings of a terminal are asked for and set.
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// redirect makes to the same file as from.
func redirect(from, to int) error { return unix.Dup2(from, to) }

// widen does nothing: the system does so by itself.
func widen(*os.File) {}

// tightPipe returns a pipe. One that holds a single write exists on Linux only.
func tightPipe() (r, w *os.File, err error) { return os.Pipe() }
