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

// pipe is the standard output or error of the process. If its reader has gone away, the function
// gone is called, at the latest at the next write, and perhaps several times.
type pipe struct {
	*os.File
	gone func()
}

// newPipe returns a pipe for f. From then on SIGPIPE does not end the process.
func newPipe(f *os.File, gone func()) pipe {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return pipe{f, gone}
}

// Write writes b. If the reader has gone away, it calls p.gone.
func (p pipe) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.gone()
	}
	return n, err
}

// watch waits until the reader of the pipe goes away, and calls gone. So a command that runs for
// long without output can be stopped. If p is not a pipe, watch returns at once.
func (p pipe) watch() {
	if info, err := p.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return
	}
	wait := []unix.PollFd{{Fd: int32(p.Fd())}} // poll reports an error even if no event is requested
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

// die ends the process with SIGPIPE, which is how other programs end without a reader. It returns
// if the pipe has a reader again, or if the signal is ignored.
func (p pipe) die() {
	signal.Reset(syscall.SIGPIPE)
	_, _ = p.File.Write([]byte("\n"))
}

// exitNoReader is the exit code if nobody reads the output any more and SIGPIPE does not end the
// process.
const exitNoReader = 128 + int(syscall.SIGPIPE)
