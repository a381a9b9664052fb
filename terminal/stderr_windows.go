package terminal

import (
	"errors"
	"fmt"
	"io"
)

// stderrCapture is for Unix only: here libraries may hold a handle of their own, which cannot be
// redirected under them.
type stderrCapture struct{}

func captureStderr(io.Writer) (*stderrCapture, error) {
	return nil, fmt.Errorf("terminal: standard error: %w", errors.ErrUnsupported)
}

func (*stderrCapture) release() {}
