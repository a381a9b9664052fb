//go:build !unix

package app_test

import "os/exec"

// detach does nothing: here a terminal is not inherited through a session.
func detach(*exec.Cmd) {}
