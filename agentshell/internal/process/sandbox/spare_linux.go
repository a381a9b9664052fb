package sandbox

import (
	"io"
	"os/exec"
	"reflect"
	"sync"
)

// spares keeps an inner stage that was started ahead, so that a command need not wait for it. It is
// for the direct way only: what bubblewrap has mounted could be exchanged outside meanwhile. Each
// stage is for one command. A nil one keeps none. It is safe for use by several goroutines.
type spares struct {
	box  *Box
	mu   sync.Mutex
	one  *innerStage
	busy bool // one is being started
}

// KeepSpare has the inner stage of the next command started ahead, now and after the end of each
// command, where that is possible. They end with the family.
func (b *Box) KeepSpare() {
	if b.way == Direct {
		b.spares = &spares{box: b}
		b.spares.refill()
	}
}

// take gives a stage that waits for a command with such streams; nil: there is none.
func (s *spares) take(cmd *exec.Cmd) *innerStage {
	if s == nil || cmd.Stdin != nil || cmd.WaitDelay != 0 || !same(cmd.Stdout, cmd.Stderr) {
		return nil
	}
	s.mu.Lock()
	one := s.one
	s.one = nil
	s.mu.Unlock()
	if one == nil {
		return nil
	}
	select {
	case <-one.process.Done(): // somebody has ended it
		one.close()
		return nil
	default:
	}
	one.process.Renew()
	one.out.lead(cmd.Stdout)
	return one
}

// same reports whether two streams are one, which needs no second pipe.
func same(a, b io.Writer) bool {
	return a != nil && b != nil && reflect.TypeOf(a).Comparable() && reflect.TypeOf(b).Comparable() && a == b
}

// refill starts a stage if none waits. It does not wait for it.
func (s *spares) refill() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.one != nil || s.busy {
		return
	}
	s.busy = true
	go func() {
		one := s.make()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.one, s.busy = one, false
	}()
}

// make starts a stage; nil: that cannot be done now, and the next command says why.
func (s *spares) make() *innerStage {
	one, err := s.box.stage(nil, cuts{})
	if err != nil {
		return nil
	}
	one.out = new(outlet)
	one.cmd.Stdout, one.cmd.Stderr = one.out, one.out
	if _, err := one.start(s.box.family); err != nil {
		one.close()
		return nil
	}
	return one
}

// outlet is where a process prints that was started before anybody knew where to. What comes
// earlier is lost.
type outlet struct {
	mu sync.Mutex
	to io.Writer
}

func (o *outlet) lead(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = to
}

func (o *outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	to := o.to
	o.mu.Unlock()
	if to == nil {
		return len(p), nil
	}
	return to.Write(p)
}
