//go:build unix

package app_test

import (
	"os/exec"
	"syscall"
)

// detach takes cmd away from the terminal that the tests run on, so that what it finds there does
// not depend on who runs them.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
