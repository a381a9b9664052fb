package tool

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// await waits until a child ended and leaves it unreaped, so that its number still names its group; reap ends it.
func await(cmd *exec.Cmd) (reap func() error) {
	for {
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return cmd.Wait
		}
	}
}
