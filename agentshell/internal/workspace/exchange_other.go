//go:build unix && !linux && !darwin

package workspace

import "errors"

// exchange does not exist here: commits are unguarded.
func (d *dir) exchange(a, b string) error  { return errors.ErrUnsupported }
func (d *dir) renameNew(a, b string) error { return errors.ErrUnsupported }
