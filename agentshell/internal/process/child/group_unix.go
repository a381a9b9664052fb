//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// alone gives a program a session of its own, without a terminal.
func alone(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setsid = true
}

func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }

// do does d to a process and its group: a fork cannot slip between the members of a group. What was
// stopped is let go on, or it would not hear the request.
func (k kin) do(d deed) {
	send := func(sig syscall.Signal) {
		if k.group > 1 && k.group != syscall.Getpgrp() {
			_ = syscall.Kill(-k.group, sig)
		}
		k.signal(sig)
	}
	switch d {
	case ask:
		send(syscall.SIGTERM)
		send(syscall.SIGCONT)
	case kill:
		send(syscall.SIGKILL)
	}
}
