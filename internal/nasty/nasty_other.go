//go:build !linux

package nasty

// Main does nothing here: the tests that start nasty programs look for what is left in /proc.
func Main() {}
