//go:build unix && !linux && !darwin

package workspace

import "os"

// attributes returns the names of f's extended attributes, with access control lists; none where
// the file system has none.
func attributes(*os.File) []string { return nil }

// copyAttributes gives the file to exactly the attributes of from. It returns the names that it
// could not copy.
func copyAttributes(to, from *os.File) []string { return nil }
