package sandbox

import (
	"io"
	"os/exec"
	"reflect"
	"sync"
)

// spareStages keeps the first process of a sandbox that was started ahead, so that the next command
// need not wait for it. It is used for [Direct] only: with [Bubblewrap] the mounted directories
// could be replaced outside meanwhile. Each process serves one command. A nil *spareStages keeps
// none. It is safe for use by several goroutines.
type spareStages struct {
	box   *Box
	mu    sync.Mutex
	stage *innerStage
	busy  bool // a process is being started ahead
}

// KeepSpare starts the first process of the next command's sandbox ahead, if the way of confining
// allows it: now, and after the end of each command. These processes end with [child.Family.Close].
func (b *Box) KeepSpare() {
	if b.way == Direct {
		b.spares = &spareStages{box: b}
		b.spares.refill()
	}
}

// take returns the process that was started ahead, with its output connected to that of cmd. It
// returns nil if there is none, or if the streams of cmd do not fit it.
func (s *spareStages) take(cmd *exec.Cmd) *innerStage {
	if s == nil || cmd.Stdin != nil || cmd.WaitDelay != 0 || !same(cmd.Stdout, cmd.Stderr) {
		return nil
	}
	s.mu.Lock()
	one := s.stage
	s.stage = nil
	s.mu.Unlock()
	if one == nil {
		return nil
	}
	select {
	case <-one.process.Done(): // the stage was killed
		one.close()
		return nil
	default:
	}
	one.process.Renew()
	one.output.setTarget(cmd.Stdout)
	return one
}

// same reports whether two output streams are the same, so that one pipe is enough for both.
func same(a, b io.Writer) bool {
	return a != nil && b != nil && reflect.TypeOf(a).Comparable() && reflect.TypeOf(b).Comparable() && a == b
}

// refill starts a process ahead, in the background, if there is none.
func (s *spareStages) refill() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stage != nil || s.busy {
		return
	}
	s.busy = true
	go func() {
		one := s.startStage()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stage, s.busy = one, false
	}()
}

// startStage starts the first process of a sandbox. It returns nil if that fails; the next command
// then reports the reason.
func (s *spareStages) startStage() *innerStage {
	one, err := s.box.stage(nil, omissions{})
	if err != nil {
		return nil
	}
	one.output = new(lateOutput)
	one.cmd.Stdout, one.cmd.Stderr = one.output, one.output
	if _, err := one.start(s.box.family); err != nil {
		one.close()
		return nil
	}
	return one
}

// lateOutput passes a process's output on to a writer that is set after the process has started.
// Earlier output is lost.
type lateOutput struct {
	mu     sync.Mutex
	target io.Writer
}

func (o *lateOutput) setTarget(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.target = to
}

func (o *lateOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	to := o.target
	o.mu.Unlock()
	if to == nil {
		return len(p), nil
	}
	return to.Write(p)
}
