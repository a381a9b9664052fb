//go:build !linux

package workspace

import "os"

// unopened reports whether f is the last way to its file. Nobody knows it here.
func unopened(*os.File) bool { return false }
