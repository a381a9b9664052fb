//go:build !linux

package child

import (
	"context"
	"os/exec"
)

// AdoptOrphans does nothing here: only Linux lets a process inherit the orphans of its descendants.
func (f *Family) AdoptOrphans(context.Context) error { return nil }

// orphans returns none: this process does not inherit them here.
func (f *Family) orphans() map[int]uint64 { return nil }

// claim does nothing: there are no orphans here.
func (p *Process) claim(*Process) {}

// startTimeOf returns 0: the start time is not known here.
func startTimeOf(int) uint64 { return 0 }

// waitUnreaped waits until a program has ended. Here the wait reaps it too: in the instant before
// its group is killed, its number could be given to another process. On Linux that is prevented.
func waitUnreaped(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// visit performs the action on the programs of the search that have not ended, and returns their
// number. Descendants are not known here.
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
