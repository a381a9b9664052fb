package helper

import (
	"os/exec"
	"syscall"
)

// endWithParent has the kernel kill cmd when this process ends, however it ends.
func endWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
