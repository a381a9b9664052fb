package team

import (
	"context"
	"slices"
	"sync"
)

// Slots limits how many agents work at the same time. Each agent has a [Seat]. Make one with
// NewSlots. It is safe for use by several goroutines.
type Slots struct {
	mu   sync.Mutex
	free int
	// the waiting calls of Acquire, in order; each channel is closed when its call gets a slot
	queue []chan struct{}
}

// NewSlots returns n free slots, or one if n is less than 1.
func NewSlots(n int) *Slots { return &Slots{free: max(n, 1)} }

// Acquire takes a slot. If none is free, it waits in line. If ctx ends first, it takes no slot and
// returns the error of ctx.
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

// Release frees a slot, or passes it to the first waiting call of Acquire.
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

// Free returns the number of free slots.
func (s *Slots) Free() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free
}
