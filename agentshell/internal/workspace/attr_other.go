//go:build unix && !linux && !darwin

package workspace

import "os"

// attributes returns no names: extended attributes are not read on this system.
func attributes(*os.File) []string { return nil }

// copyAttributes does nothing on this system.
func copyAttributes(to, from *os.File) []string { return nil }
