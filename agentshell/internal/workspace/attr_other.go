//go:build unix && !linux && !darwin

package workspace

import "os"

func attributes(*os.File) []string              { return nil }
func copyAttributes(to, from *os.File) []string { return nil }
