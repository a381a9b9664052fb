//go:build !linux

package child

import (
	"context"
	"os/exec"
)

// Adopt makes this process the parent of descendants whose own parent has ended, until the process
// ends. It reaps them until ctx ends. It is for main: afterwards only f may start programs.
func (f *Family) Adopt(context.Context) error { return nil }

// orphans returns our children that we have not started: process id to start time. It reaps those
// that have ended, each by its own id, because os/exec waits for the others. The caller holds f.mu.
func (f *Family) orphans() map[int]uint64 { return nil }

// claim records that the orphans which p leaves belong to owner. The caller holds the lock of the
// family.
func (p *Process) claim(*Process) {}

// startTimeOf returns the start time of a process.
func startTimeOf(int) uint64 { return 0 }

// waitUnreaped waits until a program has ended and does not reap it, so that its number still names
// its group. reap reaps it.
func waitUnreaped(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// visit performs the action on each process of the search that has not ended, and returns their
// number. A process that has ended since the last visit counts once more, and so does each orphan
// that was reaped since: they may have left a child.
func (h *search) visit(do action) int {
	h.family.mu.Lock()
	defer h.family.mu.Unlock()
	n := 0
	for _, p := range h.family.members {
		if h.root == nil || h.root == p {
			n++
			k := relative{pid: p.pid}
			if p.ownSession {
				k.group = p.pid
			}
			k.act(do)
		}
	}
	return n
}
