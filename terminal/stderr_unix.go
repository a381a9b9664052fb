//go:build unix

package terminal

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"
)

// stderr keeps what libraries and children write to standard error off the screen while we have the
// terminal.
type stderr struct {
	saved *os.File // the real one
	done  chan struct{}
}

// captureStderr sends standard error to w. The message of a crash still goes to the real one: a
// process that dies could not hand it on.
func captureStderr(w io.Writer) (*stderr, error) {
	fd, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	saved := os.NewFile(uintptr(fd), "stderr")
	r, pw, err := os.Pipe()
	if err != nil {
		saved.Close()
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	widen(pw)
	s := &stderr{saved: saved, done: make(chan struct{})}
	if err := redirect(int(pw.Fd()), 2); err != nil {
		saved.Close()
		r.Close()
		pw.Close()
		return nil, fmt.Errorf("terminal: standard error: %w", err)
	}
	pw.Close()
	_ = debug.SetCrashOutput(saved, debug.CrashOptions{})
	go func() { // ends when we and all children have closed it
		defer close(s.done)
		defer r.Close()
		_, _ = io.Copy(w, r)
	}()
	return s, nil
}

// lastStray is how long release waits for what was written before it; a child that still holds the
// pipe must not hold us up.
const lastStray = 100 * time.Millisecond

// release puts the real one back. What was written before has been handed on then.
func (s *stderr) release() {
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = redirect(int(s.saved.Fd()), 2)
	s.saved.Close()
	limit := time.NewTimer(lastStray)
	defer limit.Stop()
	select {
	case <-s.done:
	case <-limit.C:
	}
}
