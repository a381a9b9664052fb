//go:build unix && !linux && !darwin

package workspace

import "errors"

// exchange does not exist here: commits are unguarded.
func (d *dir) exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew renames a to b, and fails if b exists.
func (d *dir) renameNew(a, b string) error { return errors.ErrUnsupported }
