//go:build !unix

package running

import (
	"errors"
	"os"
)

// createLocked returns an error: without a lock that ends with its process, nobody can know which
// sessions are running.
func createLocked(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func tryLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }
