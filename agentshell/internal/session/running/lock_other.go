//go:build !unix

package running

import (
	"errors"
	"os"
)

// createLocked fails: without a lock that ends with its process nobody knows who still runs.
func createLocked(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func tryLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }
