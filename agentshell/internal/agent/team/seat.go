package team

import (
	"context"
	"sync"
)

// Seat is what one agent has of the slots: one while it works, none while it waits. An agent that
// waits for an answer, a message or other agents lends its slot meanwhile: otherwise as many agents
// as there are slots, each with a question, would stop all work. Make one with [Slots.Seat]. It is
// safe for use by several goroutines.
type Seat struct {
	slots *Slots

	mu    sync.Mutex
	taken bool // between Take and Leave
	held  bool // it has a slot
	lent  int  // calls of Lend that wait
}

// Seat returns a seat without a slot.
func (s *Slots) Seat() *Seat { return &Seat{slots: s} }

// Take takes a slot. If ctx ends before there is one, its error is returned.
func (s *Seat) Take(ctx context.Context) error {
	if err := s.slots.Acquire(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken, s.held = true, true
	return nil
}

// Leave gives the slot back, if there is one.
func (s *Seat) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = false
	s.leave()
}

// leave gives the slot back, if there is one. The lock is held.
func (s *Seat) leave() {
	if s.held {
		s.held = false
		s.slots.Release()
	}
}

// Lend calls wait without the slot, and takes one again behind it. Of several calls that wait at
// the same time the last one takes it. If ctx ends before there is one, the seat has none.
func (s *Seat) Lend(ctx context.Context, wait func()) {
	s.mu.Lock()
	s.lent++
	s.leave()
	s.mu.Unlock()
	wait()
	s.mu.Lock()
	s.lent--
	wanted := s.taken && s.lent == 0
	s.mu.Unlock()
	if !wanted || s.slots.Acquire(ctx) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held || s.lent > 0 || !s.taken { // another call waits by now, and takes one behind it
		s.slots.Release()
		return
	}
	s.held = true
}
