//go:build unix && !linux

package terminal

import "golang.org/x/sys/unix"

// redirect makes to the same file as from.
func redirect(from, to int) error { return unix.Dup2(from, to) }
