//go:build !linux

package child

import (
	"context"
	"os/exec"
)

// Adopt does nothing here: only Linux lets a process inherit the orphans of its descendants.
func (f *Family) Adopt(context.Context) error { return nil }

func (f *Family) orphans() map[int]uint64 { return nil }

func (p *Process) claim(*Process) {}

func started(int) uint64 { return 0 }

// await waits until a program has ended. It is reaped then: in the instant before its group is
// killed its number could be given away, which on Linux is prevented.
func await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// meet does something to the programs of the hunt that have not ended and counts them.
func (h *hunt) meet(do deed) int {
	h.family.mu.Lock()
	defer h.family.mu.Unlock()
	n := 0
	for _, p := range h.family.members {
		if h.root == nil || h.root == p {
			n++
			k := kin{pid: p.pid}
			if p.own {
				k.group = p.pid
			}
			k.do(do)
		}
	}
	return n
}
