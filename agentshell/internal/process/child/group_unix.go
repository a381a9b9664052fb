//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// setOwnSession makes cmd start in a session of its own, without a terminal.
func setOwnSession(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setsid = true
}

func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }

// act performs an action on a process and its group. A signal to the group also reaches a process
// that was just forked. A stopped process is continued, or it would not receive the request.
func (r relative) act(d action) {
	send := func(sig syscall.Signal) {
		if r.group > 1 && r.group != syscall.Getpgrp() {
			_ = syscall.Kill(-r.group, sig)
		}
		r.signal(sig)
	}
	switch d {
	case ask:
		send(syscall.SIGTERM)
		send(syscall.SIGCONT)
	case kill:
		send(syscall.SIGKILL)
	}
}
