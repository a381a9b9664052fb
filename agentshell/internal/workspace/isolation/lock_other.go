//go:build !unix

package isolation

import (
	"errors"
	"os"
)

// tryLock always fails. Without locks on this system, copies of running processes would look like
// remains.
func tryLock(*os.File) error { return errors.ErrUnsupported }

func unlock(f *os.File) { _ = f.Close() }
