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

// stderrCapture keeps what libraries and child processes write to standard error off the screen
// while the program uses the terminal.
type stderrCapture struct {
	saved *os.File // The real standard error.
	done  chan struct{}
}

// captureStderr sends standard error to w. The message of a crash still goes to the real standard
// error, since a dying process could not pass it on.
func captureStderr(w io.Writer) (*stderrCapture, error) {
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
	s := &stderrCapture{saved: saved, done: make(chan struct{})}
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

// stderrDrainTime is how long release waits for text that was written before it. A child process
// that keeps the pipe open must not delay it.
const stderrDrainTime = 100 * time.Millisecond

// release restores the real standard error. Before that it passes on the text that was written.
func (s *stderrCapture) release() {
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = redirect(int(s.saved.Fd()), 2)
	s.saved.Close()
	limit := time.NewTimer(stderrDrainTime)
	defer limit.Stop()
	select {
	case <-s.done:
	case <-limit.C:
	}
}
