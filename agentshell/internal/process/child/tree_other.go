//go:build !linux

package child

import (
	"context"
	"os/exec"
)

// AdoptOrphans does nothing, because only Linux lets a process inherit the orphans of its
// descendants.
func (f *Family) AdoptOrphans(context.Context) error { return nil }

// orphans returns nil, because this process does not inherit orphans on this system.
func (f *Family) orphans() map[int]uint64 { return nil }

// claim does nothing, because this process does not inherit orphans on this system.
func (p *Process) claim(*Process) {}

// startTimeOf returns 0, because start times are not known on this system.
func startTimeOf(int) uint64 { return 0 }

// waitUnreaped waits until the program of cmd has ended. On this system that also reaps it, so that
// another process could get its id just before its group is killed. On Linux that cannot happen.
func waitUnreaped(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// visit performs the action on the programs of the search that have not ended, and returns their
// number. It does not find their descendants, which are not known on this system.
func (s *search) visit(do action) int {
	s.family.mu.Lock()
	defer s.family.mu.Unlock()
	n := 0
	for _, p := range s.family.members {
		if s.root == nil || s.root == p {
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
