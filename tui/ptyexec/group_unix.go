//go:build unix

package ptyexec

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// leadGroup makes cmd start as the leader of a new process group.
func leadGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// endGroup sends the signals of mode h to all processes in the group of cmd.
func endGroup(cmd *exec.Cmd, h endMode) {
	sig := [...]unix.Signal{askToEnd: unix.SIGTERM, killNow: unix.SIGKILL}[h]
	_ = unix.Kill(-cmd.Process.Pid, sig) // there may be nobody left
	if h == askToEnd {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGHUP) // shells that wait for a person take no SIGTERM
	}
}
