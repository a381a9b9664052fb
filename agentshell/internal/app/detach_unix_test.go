//go:build unix

package app_test

import (
	"os/exec"
	"syscall"
)

// detach makes cmd independent of the terminal that the tests run on, so that the tests have the
// same result everywhere.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
