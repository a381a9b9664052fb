//go:build !unix

package app_test

import "os/exec"

// detach does nothing, because on this system a process does not inherit a terminal through a
// session.
func detach(*exec.Cmd) {}
