//go:build !unix

package child

import (
	"os"
	"os/exec"
)

func alone(*exec.Cmd) {}

func killGroup(int) {}

// do kills a program; there is no way to ask it.
func (k kin) do(d deed) {
	if d != kill {
		return
	}
	if p, err := os.FindProcess(k.pid); err == nil {
		_ = p.Kill()
	}
}
