//go:build !unix

package child

import (
	"os"
	"os/exec"
)

// setOwnSession makes cmd start in a session of its own, without a terminal.
func setOwnSession(*exec.Cmd) {}

func killGroup(int) {}

// act performs an action on a process and its group. A signal to the group also reaches a process
// that was just forked. A stopped process is continued, or it would not receive the request.
func (r relative) act(d action) {
	if d != kill {
		return
	}
	if p, err := os.FindProcess(r.pid); err == nil {
		_ = p.Kill()
	}
}
