//go:build unix

package ptyexec

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// leadGroup makes cmd the leader of a process group.
func leadGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// endGroup ends the process group of cmd.
func endGroup(cmd *exec.Cmd, h endMode) {
	sig := [...]unix.Signal{ask: unix.SIGTERM, kill: unix.SIGKILL}[h]
	_ = unix.Kill(-cmd.Process.Pid, sig) // there may be nobody left
	if h == ask {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGHUP) // shells that wait for a person take no SIGTERM
	}
}
