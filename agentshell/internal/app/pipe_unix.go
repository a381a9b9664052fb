//go:build unix

package app

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// pipe is a standard stream whose reader may go away. That ends the process, after the programs
// that it has started.
type pipe struct {
	io.Writer
	family *child.Family
}

// newPipe returns the pipe for w, and keeps the system from ending the process at once.
func newPipe(w io.Writer, family *child.Family) io.Writer {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return pipe{w, family}
}

func (p pipe) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.family.Close(0)
		signal.Reset(syscall.SIGPIPE)
		return p.Writer.Write(b) // now it does
	}
	return n, err
}
