//go:build unix

package app

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipe is a standard stream whose reader may go away. gone is called then, at the latest with the
// next write. It may be called several times.
type pipe struct {
	*os.File
	gone func()
}

// newPipe returns the pipe for f, and keeps the system from ending the process at once.
func newPipe(f *os.File, gone func()) pipe {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return pipe{f, gone}
}

func (p pipe) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.gone()
	}
	return n, err
}

// watch calls gone once the reader has gone, if p is a pipe: a command may run for long before
// something is written.
func (p pipe) watch() {
	if info, err := p.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return
	}
	wait := []unix.PollFd{{Fd: int32(p.Fd())}} // an error is always reported
	for {
		switch n, err := unix.Poll(wait, -1); {
		case errors.Is(err, unix.EINTR):
		case err != nil || n == 0 || wait[0].Revents&unix.POLLNVAL != 0:
			return
		default:
			p.gone()
			return
		}
	}
}

// die ends the process by the signal for a pipe without a reader, as it ends other programs. It
// returns if there is a reader again, or if the signal is ignored.
func (p pipe) die() {
	signal.Reset(syscall.SIGPIPE)
	_, _ = p.File.Write([]byte("\n"))
}

// exitNoReader is the exit code where the signal does not end the process.
const exitNoReader = 128 + int(syscall.SIGPIPE)
