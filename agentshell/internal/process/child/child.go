// Package child runs other programs, and ends them together with all their descendants within a
// limited time.
//
// A program ends by itself. Or it is asked to end (SIGTERM) and killed after a grace period
// (SIGKILL). The signals reach its process group on every system. On Linux, after
// [Family.AdoptOrphans], they also reach descendants that have left the group, its session and
// their parents: this process inherits them as orphans.
//
// No wait depends on a process that still holds a pipe: once a program has ended, our side of its
// streams is closed.
package child

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"
)

const (
	// outputDelay is how long the output of a program that has ended is read, if a descendant holds
	// its pipe.
	outputDelay = time.Second
	// killWait is how long a killed process is waited for. One that hangs in the kernel is left
	// alone.
	killWait = time.Second
	// lentGrace is the time that a program has to restore the terminal before it is killed.
	lentGrace = 500 * time.Millisecond
	// pollInterval is the time between two checks of a process that was asked to end.
	pollInterval = 2 * time.Millisecond
)

// ErrClosed is the error of Start after Close.
var ErrClosed = errors.New("no program is started any more: the shell ends")

// Family is the set of all programs that this process has started, with their descendants. The zero
// value works. It is safe for use by several goroutines. After AdoptOrphans every program must be
// started by the Family: it takes any other child for the orphan of a known one.
type Family struct {
	// Programs finds programs by their names; nil: on the PATH of this process.
	Programs *Programs

	mu      sync.Mutex
	members map[int]*Process // by process id; a process that was reaped is removed
	adopts  bool
	claims  map[int]claim // orphans of programs that have ended
	reaped  int           // number of orphans that were reaped
	closed  bool
	guard   guard
}

// claim says which program an orphan comes from.
type claim struct {
	start uint64   // start time of the orphan
	owner *Process // nil: a program of the person's, which we do not end
	group int      // the process group that the guard knows; 0: none
}

// Process is a program that was started.
type Process struct {
	// ownSession is true if it leads a session of its own, without a terminal.
	ownSession bool
	// isShell is true if its survivors are noted when it has ended.
	isShell bool
	// guarded is true if it ends with this process, even if that is killed.
	guarded       bool
	survivors     []Survivor
	cmd           *exec.Cmd
	pid           int
	family        *Family
	startTime     uint64         // in ticks of the system
	orphansBefore map[int]uint64 // the orphans that existed when it was started: process id to start time
	exited        chan struct{}  // closed when it has ended but is not reaped
	done          chan struct{}  // closed when it is reaped
	err           error
}

// Start starts cmd in a session of its own without a terminal, so that it leads a process group.
// When it ends, processes that remain in that group are killed. Those that have left the group run
// until End or Close.
func (f *Family) Start(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true})
}

// StartShell starts the shell of a command line as StartGuarded does, and notes its survivors.
func (f *Family) StartShell(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true, isShell: true, guarded: true})
}

// StartGuarded starts cmd as Start does. Its process group ends when this process does, also by
// SIGKILL.
func (f *Family) StartGuarded(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true, guarded: true})
}

// start starts cmd, and a goroutine that waits for its end.
func (f *Family) start(cmd *exec.Cmd, as Process) (*Process, error) {
	f.mu.Lock() // held during the start: an unknown child would be taken for an orphan
	defer f.mu.Unlock()
	guarded := as.guarded && !f.closed
	if guarded {
		f.guard.guarded++ // an orphan that is found to have ended must not end the guard now
		f.startGuard()
	}
	p, err := f.startLocked(cmd, as)
	if guarded {
		f.guard.guarded--
	}
	if err != nil {
		f.guard.release()
	}
	return p, err
}

// startLocked does what start says. The caller holds f.mu.
func (f *Family) startLocked(cmd *exec.Cmd, as Process) (*Process, error) {
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = outputDelay
	}
	p := &as
	p.cmd, p.family, p.exited, p.done = cmd, f, make(chan struct{}), make(chan struct{})
	if f.closed {
		return nil, ErrClosed
	}
	p.orphansBefore = f.orphans()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.pid = cmd.Process.Pid
	p.startTime = startTimeOf(p.pid)
	if f.members == nil {
		f.members = make(map[int]*Process)
	}
	f.members[p.pid] = p
	if p.guarded {
		f.guard.begins(p.pid)
	}
	go p.wait()
	return p, nil
}

// wait waits until p ends, and reaps it.
func (p *Process) wait() {
	reap := waitUnreaped(p.cmd)
	close(p.exited)
	if p.isShell {
		p.survivors = p.findSurvivors()
	}
	if p.ownSession {
		killGroup(p.pid) // it is not reaped, so no other process can have its number
	}
	owner := p
	if !p.ownSession {
		owner = nil
	}
	p.family.mu.Lock()
	p.claim(owner)
	if p.guarded {
		p.family.guard.ends(p.pid)
	}
	p.family.mu.Unlock()
	p.err = reap()
	if errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // it has ended without an error; a descendant still holds its output
	}
	p.family.mu.Lock()
	delete(p.family.members, p.pid)
	p.family.mu.Unlock()
	close(p.done)
}

// hasExited reports whether the program has ended. Its output may not be read completely yet.
func (p *Process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// Done returns a channel that is closed when the program has ended and its output is read. It does
// not wait for descendants.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns how the program ended, as [exec.Cmd.Wait] does. Call it after Done.
func (p *Process) Err() error { return p.err }

// End ends p and all its descendants: it asks them to end, and kills those that remain after grace.
// It returns when all have ended, at the latest a little over a second after grace.
func (p *Process) End(grace time.Duration) {
	p.family.end(p, grace)
	waitFor(p.done, killWait)
}

// Close ends all programs and their descendants, as End does. No program can be started afterwards.
// With a grace of 0 it kills them at once, even while another Close still waits.
func (f *Family) Close(grace time.Duration) {
	f.mu.Lock()
	f.closed = true
	var all []*Process
	for _, p := range f.members {
		all = append(all, p)
	}
	f.mu.Unlock()
	f.end(nil, grace)
	late := time.Now().Add(killWait)
	for _, p := range all {
		waitFor(p.done, time.Until(late))
	}
}

// waitFor waits until c is closed, at most for maxWait.
func waitFor(c <-chan struct{}, maxWait time.Duration) {
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case <-c:
	case <-timer.C:
	}
}

// end asks p and its descendants to end, and kills those that remain after grace. A nil p stands
// for all programs of f.
func (f *Family) end(p *Process, grace time.Duration) {
	s := search{family: f, root: p}
	if grace > 0 {
		late := time.Now().Add(grace)
		for act := ask; time.Now().Before(late); act = nothing {
			if s.allEnded(act) {
				return
			}
			pause(pollInterval)
		}
	}
	// A program may fork faster than we look: there is no pause as long as a visit finds a new
	// process.
	for late := time.Now().Add(killWait); time.Now().Before(late); {
		if s.allEnded(kill) {
			return
		}
		if !s.foundNew {
			pause(pollInterval)
		}
	}
}

// allEnded acts on every process of the search and reports whether none was left. A visit can miss
// a child whose parent has just forked and ended, so it takes several visits.
func (s *search) allEnded(do action) bool {
	return noneFound(func() int { return s.visit(do) })
}

// noneFound reports whether five visits in a row found no process.
func noneFound(visit func() int) bool {
	for range 5 {
		if visit() > 0 {
			return false
		}
	}
	return true
}

// pause waits for d.
func pause(d time.Duration) { <-time.After(d) }

// relative is a process of the family.
type relative struct {
	pid, group, session int
	start               uint64 // start time in ticks of the system; 0 where it is not known
	ended               bool   // it has ended and is not reaped
	ownChild            bool   // it is a child of this process
}

// search finds a process and its descendants.
type search struct {
	family       *Family
	root         *Process       // nil: all programs of the family
	found        map[int]uint64 // the processes that were found: process id to start time
	foundNew     bool           // the last visit found a new process
	reapedBefore int            // Family.reaped at the end of the last visit
}

// action is what a visit does to each process.
type action uint8

const (
	nothing action = iota
	ask            // asks it to end
	kill
)

// Renew treats p as if it had been started now: orphans that exist already are not its own. It is
// for a program that was started early and has waited.
func (p *Process) Renew() {
	p.family.mu.Lock()
	defer p.family.mu.Unlock()
	p.orphansBefore = p.family.orphans()
}

// Run runs cmd until it ends. When ctx ends, cmd and its descendants are killed.
func (f *Family) Run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.Start(cmd)
	if err != nil {
		return err
	}
	return p.Within(ctx, 0)
}

// Within waits until p ends. When ctx ends first, it ends p as End does.
func (p *Process) Within(ctx context.Context, grace time.Duration) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.End(grace)
		return ctx.Err()
	}
}

// Lend runs cmd in our own session, on the terminal that it shares with us, until it ends.
// Processes that it leaves running are not ended: they are the person's, such as the window of an
// editor or an agent that holds keys. When ctx ends, cmd and its descendants have half a second to
// end.
func (f *Family) Lend(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.start(cmd, Process{})
	if err != nil {
		return err
	}
	return p.Within(ctx, lentGrace)
}

// Output runs cmd by run, which is Run or Lend of a family. It returns what cmd wrote to standard
// output and to standard error, at most limit bytes of each.
func Output(ctx context.Context, run func(context.Context, *exec.Cmd) error, cmd *exec.Cmd,
	limit int) (out, problem []byte, err error) {
	o, e := &limited{remaining: limit}, &limited{remaining: limit}
	cmd.Stdout, cmd.Stderr = o, e
	err = run(ctx, cmd)
	return o.bytes(), e.bytes(), err
}

// limited keeps the beginning of what is written to it. It has a lock because a program that hangs
// may write when nobody waits for it any more.
type limited struct {
	mu        sync.Mutex
	data      bytes.Buffer
	remaining int
}

func (l *limited) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.data.Bytes())
}

func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(p), l.remaining)
	l.remaining -= n
	l.data.Write(p[:n])
	return len(p), nil
}
