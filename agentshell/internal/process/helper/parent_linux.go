package helper

import (
	"os/exec"
	"syscall"
)

// endWithParent lets the kernel kill cmd when this process ends for any reason (PR_SET_PDEATHSIG).
func endWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
