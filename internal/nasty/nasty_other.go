//go:build !linux

package nasty

// Main does nothing on this system: the tests that start nasty programs need /proc, and run only on
// Linux.
func Main() {}
