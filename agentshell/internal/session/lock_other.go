//go:build !unix

package session

import (
	"errors"
	"fmt"
	"os"
)

const noFollow = 0

// lock fails always: without locks two shells could write to one file.
func lock(*os.File) error {
	return fmt.Errorf("session logs cannot be locked on this system: %w", errors.ErrUnsupported)
}
