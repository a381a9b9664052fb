//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// setOwnSession makes cmd start in a new session without a terminal.
func setOwnSession(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setsid = true
}

func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }

// act performs an action on the process and its group. The signal to the group also reaches a
// process that was forked just now. A stopped process is continued, since otherwise it would not
// receive the request to end.
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
