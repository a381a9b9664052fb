package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// The requests that get and set the settings of a terminal.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// redirect makes descriptor to refer to the file of descriptor from. It uses dup3, since not every
// architecture has dup2.
func redirect(from, to int) error { return unix.Dup3(from, to, 0) }

// widen gives a pipe 1 MiB, the largest size that Linux allows every user. The trace of a crash is
// written to it while nobody reads.
func widen(w *os.File) { _, _ = unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 1<<20) }

// tightPipe returns a pipe that holds a single write, so that the writer is never further ahead of
// the reader.
func tightPipe() (r, w *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC|unix.O_DIRECT); err != nil {
		return nil, nil, err
	}
	_, _ = unix.FcntlInt(uintptr(p[1]), unix.F_SETPIPE_SZ, 1) // a page, one packet
	return os.NewFile(uintptr(p[0]), "pipe"), os.NewFile(uintptr(p[1]), "pipe"), nil
}
