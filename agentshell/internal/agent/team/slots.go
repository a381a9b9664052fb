package team

import (
	"context"
	"slices"
	"sync"
)

// Slots bounds how many agents work at once. Each agent has a [Seat] there. Make one with NewSlots.
// It is safe for use by several goroutines.
type Slots struct {
	mu    sync.Mutex
	free  int
	queue []chan struct{} // who waits, in order; closed when its slot is there
}

// NewSlots returns n free slots, at least one.
func NewSlots(n int) *Slots { return &Slots{free: max(n, 1)} }

// Acquire takes a slot. It waits for one behind all who waited before. If ctx ends first, its error
// is returned, and no slot is taken.
func (s *Slots) Acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.queue, turn)
	if i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
	}
	s.mu.Unlock()
	if i < 0 { // the slot came at the same moment
		s.Release()
	}
	return ctx.Err()
}

// Release gives a slot back. The first one that waits gets it.
func (s *Slots) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.free++
		return
	}
	close(s.queue[0])
	s.queue = s.queue[1:]
}

// Free returns how many slots nobody has.
func (s *Slots) Free() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free
}
