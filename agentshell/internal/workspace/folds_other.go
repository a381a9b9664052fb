//go:build !linux

package workspace

// hasFoldFlag returns false. On this system only whole file systems ignore case.
func hasFoldFlag(string) bool { return false }
