package terminal

import (
	"errors"
	"fmt"
	"io"
)

// stderrCapture does nothing on Windows, where libraries may hold a handle of their own, which
// cannot be redirected.
type stderrCapture struct{}

func captureStderr(io.Writer) (*stderrCapture, error) {
	return nil, fmt.Errorf("terminal: standard error: %w", errors.ErrUnsupported)
}

func (*stderrCapture) release() {}
