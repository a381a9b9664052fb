//go:build !linux

package app

// private is for systems where the environment of a process can be read by others of the same
// person; here nothing is known to help.
func private() {}
