// Package child runs other programs, and ends them together with all their descendants within a
// limited time.
//
// A program that does not end by itself is asked to end (SIGTERM) and killed after a grace period
// (SIGKILL). On every system the signals reach its process group. On Linux, after
// [Family.AdoptOrphans], they also reach descendants that have left the group, the session and
// their parents, because this process inherits them as orphans.
//
// No wait depends on a process that still holds a pipe: once a program has ended, this side of its
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
	// outputDelay is the longest time for which the output of a program is read after its end, if a
	// descendant still holds its pipe.
	outputDelay = time.Second
	// killWait is the longest wait for a process that was killed. A process that hangs in the
	// kernel is left alone after that.
	killWait = time.Second
	// lentGrace is the time that a program gets to restore the terminal before it is killed.
	lentGrace = 500 * time.Millisecond
	// pollInterval is the time between two checks whether processes have ended that were asked to
	// end.
	pollInterval = 2 * time.Millisecond
)

// ErrClosed is the error of [Family.Start] and its variants after [Family.Close].
var ErrClosed = errors.New("no program is started any more: the shell ends")

// Family holds all programs that this process has started, with their descendants, so that it can
// end them. The zero value is ready to use. It is safe for use by several goroutines.
//
// After AdoptOrphans every program must be started by the Family, because it takes any other child
// process for a descendant of one of its programs.
type Family struct {
	// Programs finds the files of programs by their names; nil: on the PATH of this process.
	Programs *Programs

	mu      sync.Mutex
	members map[int]*Process // processes by id, until they are reaped
	// AdoptOrphans was called
	adopts bool
	claims map[int]claim // orphans of programs that have ended, by process id
	reaped int           // number of orphans that this process has reaped
	closed bool
	guard  guard
}

// claim says which program has left an orphan, a descendant that goes on after the program's end.
type claim struct {
	start uint64   // start time of the orphan
	owner *Process // the program; nil: a program of the user's, whose orphans are not ended
	group int      // the orphan's process group, which the guard was told; 0: none
}

// Process represents one program that a [Family] has started.
type Process struct {
	// ownSession says that the program leads a session of its own, without a terminal.
	ownSession bool
	// isShell says that the descendants still running at the program's end are recorded.
	isShell bool
	// guarded says that the program is killed when this process ends, even if this process is
	// killed.
	guarded       bool
	survivors     []Survivor
	cmd           *exec.Cmd
	pid           int
	family        *Family
	startTime     uint64         // in clock ticks since the boot
	orphansBefore map[int]uint64 // the orphans at the time of its start: start times by process id
	exited        chan struct{}  // closed when the program has ended; it is not reaped then
	done          chan struct{}  // closed when the program is reaped
	err           error
}

// Start starts cmd in a new session without a terminal, so that cmd leads a process group. When cmd
// ends, the remaining processes of that group are killed. Descendants that have left the group run
// until [Process.End] or [Family.Close].
func (f *Family) Start(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true})
}

// StartShell starts cmd, the shell of a command line, as StartGuarded does. It also records the
// descendants that still run when the shell ends, see [Process.Survivors].
func (f *Family) StartShell(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true, isShell: true, guarded: true})
}

// StartGuarded starts cmd as Start does. The process group of cmd is killed when this process ends,
// even if this process is killed by SIGKILL.
func (f *Family) StartGuarded(cmd *exec.Cmd) (*Process, error) {
	setOwnSession(cmd)
	return f.start(cmd, Process{ownSession: true, guarded: true})
}

// start starts cmd with the properties of as, and a goroutine that waits for its end.
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

// startLocked does the work of start. The caller holds f.mu.
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

// wait waits until the program ends, kills what remains in its process group, and reaps it.
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

// hasExited reports whether the program has ended. Parts of its output may still have to be read.
func (p *Process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// Done returns a channel that is closed when the program has ended and its output has been read.
// Descendants of the program may still run then.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns the error with which the program ended, as [exec.Cmd.Wait] does, or nil. Call it
// after Done.
func (p *Process) Err() error { return p.err }

// End asks the program and all its descendants to end (SIGTERM), and kills those that still run
// after grace. It returns when all have ended, at the latest a little over a second after grace.
func (p *Process) End(grace time.Duration) {
	p.family.end(p, grace)
	waitFor(p.done, killWait)
}

// Close ends all programs and their descendants, as [Process.End] does. No program can be started
// afterwards. A grace of 0 kills them at once, even while another call of Close still waits.
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

// waitFor waits until c is closed, or until maxWait has passed.
func waitFor(c <-chan struct{}, maxWait time.Duration) {
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case <-c:
	case <-timer.C:
	}
}

// end asks p and its descendants to end, and kills those that still run after grace. If p is nil,
// it ends all programs of f.
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

// allEnded performs an action on every process that the search finds, and reports whether there is
// none any more. It visits the processes several times, because one visit can miss a child whose
// parent has just forked and ended.
func (s *search) allEnded(do action) bool {
	return noneFound(func() int { return s.visit(do) })
}

// noneFound reports whether five calls of visit in a row return 0, the number of processes found.
func noneFound(visit func() int) bool {
	for range 5 {
		if visit() > 0 {
			return false
		}
	}
	return true
}

// pause blocks for the duration d.
func pause(d time.Duration) { <-time.After(d) }

// relative holds the state of one process, a program or its descendant, at the moment when it was
// looked at.
type relative struct {
	pid, group, session int
	start               uint64 // start time in clock ticks since the boot; 0 where it is not known
	ended               bool   // the process has ended and is not reaped
	ownChild            bool   // the process is a child of this process
}

// search finds the running processes of one program, or of all, in several visits.
type search struct {
	family *Family
	// the program whose processes are looked for; nil: all programs that the Family has started
	root         *Process
	found        map[int]uint64 // the processes that were found: start times by process id
	foundNew     bool           // the last visit has found a new process
	reapedBefore int            // value of Family.reaped at the end of the last visit
}

// action says what a visit does with each process that it finds.
type action uint8

const (
	// only looks whether the process still runs
	nothing action = iota
	ask            // asks the process to end (SIGTERM)
	kill
)

// Renew treats p as if it had been started now: orphans that exist at this moment do not count as
// its descendants. Call it for a program that was started early and has waited since.
func (p *Process) Renew() {
	p.family.mu.Lock()
	defer p.family.mu.Unlock()
	p.orphansBefore = p.family.orphans()
}

// Run starts cmd as Start does, and waits until it ends. When ctx ends first, it kills cmd and its
// descendants, and returns the error of ctx.
func (f *Family) Run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.Start(cmd)
	if err != nil {
		return err
	}
	return p.Within(ctx, 0)
}

// Within waits until the program ends, and returns its error. When ctx ends first, it ends the
// program as End does, and returns the error of ctx.
func (p *Process) Within(ctx context.Context, grace time.Duration) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.End(grace)
		return ctx.Err()
	}
}

// Lend runs cmd in the session and on the terminal of this process, and waits until it ends.
// Processes that cmd leaves running are not ended, because they belong to the user: for example the
// window of an editor, or an agent that holds keys. When ctx ends, cmd and its descendants get half
// a second to end before they are killed.
func (f *Family) Lend(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.start(cmd, Process{})
	if err != nil {
		return err
	}
	return p.Within(ctx, lentGrace)
}

// Output runs cmd by the function run, which is [Family.Run] or [Family.Lend]. It returns what cmd
// wrote to standard output (out) and to standard error (problem), at most limit bytes of each.
func Output(ctx context.Context, run func(context.Context, *exec.Cmd) error, cmd *exec.Cmd,
	limit int) (out, problem []byte, err error) {
	o, e := &limited{remaining: limit}, &limited{remaining: limit}
	cmd.Stdout, cmd.Stderr = o, e
	err = run(ctx, cmd)
	return o.bytes(), e.bytes(), err
}

// limited is a writer that stores only the first bytes that are written to it. It has a lock
// because a program that hangs may still write when its caller has given up.
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
