//go:build !linux

package workspace

// hasFoldFlag reports whether the directory has the flag that makes it fold case.
func hasFoldFlag(string) bool { return false }
