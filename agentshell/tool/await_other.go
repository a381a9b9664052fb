//go:build unix && !linux

package tool

import "os/exec"

// await waits until a child ended. It is reaped then: in the instant before the group is killed its number could be given away, which on
// Linux is prevented.
func await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}
