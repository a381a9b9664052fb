//go:build !linux

package workspace

// marked reports whether a directory is marked as one that folds case; here that is a matter of the
// whole file system.
func marked(string) bool { return false }
