//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// alone gives a process a session of its own, without a terminal.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// kill kills a process and what it started, as far as that stayed in its group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
