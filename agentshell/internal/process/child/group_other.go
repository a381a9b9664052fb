//go:build !unix

package child

import (
	"os"
	"os/exec"
)

// setOwnSession does nothing, because this system has no sessions.
func setOwnSession(*exec.Cmd) {}

func killGroup(int) {}

// act kills the process if the action is kill. It does nothing for the other actions, because
// processes cannot be asked to end here.
func (r relative) act(d action) {
	if d != kill {
		return
	}
	if p, err := os.FindProcess(r.pid); err == nil {
		_ = p.Kill()
	}
}
