//go:build !unix

package session

import (
	"errors"
	"fmt"
	"os"
)

const noFollow = 0

// lock always returns an error: without locks, two processes could write to one log.
func lock(*os.File) error {
	return fmt.Errorf("session logs cannot be locked on this system: %w", errors.ErrUnsupported)
}

// closeLocked closes a file.
func closeLocked(file File) error { return file.Close() }
