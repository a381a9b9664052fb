package sandbox

import (
	"slices"
	"testing"
)

// traced returns the attempt where programs may trace each other.
func (a attempt) traced() attempt {
	setup := a.setup
	a.setup = func(s *site) {
		s.policy.Trace = true
		if setup != nil {
			setup(s)
		}
	}
	return a
}

// A debugger in a cell reaches the programs of the cell, and no others.
func TestTracingReachesNothingOutsideOfTheCell(t *testing.T) {
	inside := []string{"trace its own", "memory by a call"}
	played := []string{"trace others", "trace the first process", "memory of others", "memory of the first process",
		"environment of the first process", "descriptors by a call", "new privileges"}
	boxes(t, func(t *testing.T, b *Box) {
		for _, a := range processes {
			works := slices.Contains(inside, a.name)
			if !works && !slices.Contains(played, a.name) {
				continue
			}
			t.Run(a.name, func(t *testing.T) {
				out, r := a.traced().play(t, b, omissions{})
				if !r.ok || r.Error != "" {
					t.Fatalf("it did not run: %+v", r)
				}
				if out != works {
					t.Errorf("it works: %v, want %v: %s", out, works, r.out)
				}
			})
		}
	})
}
