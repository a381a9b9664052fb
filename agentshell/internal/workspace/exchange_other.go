//go:build unix && !linux && !darwin

package workspace

import "errors"

// exchange returns an error, because this system cannot swap two names. Commits are unguarded then.
func (d *dir) exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew returns an error: this system cannot rename a file only if the new name is free.
func (d *dir) renameNew(a, b string) error { return errors.ErrUnsupported }
