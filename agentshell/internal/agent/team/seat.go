package team

import (
	"context"
	"sync"
)

// Seat holds an agent's slot while the agent works, and none while it waits. An agent that waits
// for an answer, a message or other agents must lend its slot meanwhile. Otherwise a few agents
// that wait for answers could occupy all slots and stop all work. Make one with [Slots.Seat]. It is
// safe for use by several goroutines.
type Seat struct {
	slots *Slots

	mu    sync.Mutex
	taken bool // true between Take and Leave
	held  bool // the seat has a slot
	lent  int  // the number of calls of Lend that are waiting
}

// Seat returns a seat that has no slot yet.
func (s *Slots) Seat() *Seat { return &Seat{slots: s} }

// Take waits for a slot. If ctx ends before there is one, it returns the error of ctx.
func (s *Seat) Take(ctx context.Context) error {
	if err := s.slots.Acquire(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken, s.held = true, true
	return nil
}

// Leave frees the slot, if the seat has one.
func (s *Seat) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = false
	s.leave()
}

// leave frees the slot, if the seat has one. The caller holds the lock.
func (s *Seat) leave() {
	if s.held {
		s.held = false
		s.slots.Release()
	}
}

// Lend frees the slot, calls wait, and then waits for a slot again. Of several calls at the same
// time, only the last one to return from wait does that. If ctx ends before, the seat has no slot.
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
