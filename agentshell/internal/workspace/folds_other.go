//go:build !linux

package workspace

// hasFoldFlag returns false: here folding is a property of the whole file system.
func hasFoldFlag(string) bool { return false }
