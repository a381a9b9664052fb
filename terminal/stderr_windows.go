package terminal

import (
	"errors"
	"fmt"
	"io"
)

// stderr is for Unix only: here libraries may hold a handle of their own, which cannot be
// redirected under them.
type stderr struct{}

func captureStderr(io.Writer) (*stderr, error) {
	return nil, fmt.Errorf("terminal: standard error: %w", errors.ErrUnsupported)
}

func (*stderr) release() {}
