// Package child runs other programs and ends them together with everything that they have started,
// within a bound of time.
//
// A program ends by itself, or is asked to (SIGTERM) and after a grace made to (SIGKILL). That
// reaches its process group everywhere. On Linux, where [Family.Adopt] has made this process the
// one that inherits orphans, it also reaches what has left the group, its session and its parents.
//
// No wait here depends on who still holds a pipe: streams of a program that has ended are closed on
// our side.
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
	// drain is how long the output of a program that has ended is still waited for, where a
	// descendant holds its pipe.
	drain = time.Second
	// stubborn is how long a killed process is waited for. One that hangs in the kernel is left to
	// it.
	stubborn = time.Second
	// lentGrace is how long a program has to give the terminal back in order.
	lentGrace = 500 * time.Millisecond
	// look is how often a process is looked for that was asked to end.
	look = 2 * time.Millisecond
)

// ErrClosed is the error of Start after Close.
var ErrClosed = errors.New("no program is started any more: the shell ends")

// Family is every program that this process has started, and what those have started. The zero
// value works. It is safe for use by several goroutines. Where Adopt was called, every program must
// be started by it: an unknown child counts as the orphan of a known one.
type Family struct {
	// Programs finds what is started by its name; nil: on the PATH of this process.
	Programs *Programs

	mu      sync.Mutex
	members map[int]*Process // by process id, until they are reaped
	adopts  bool
	claims  map[int]claim // orphans of programs that have ended
	reaped  int           // orphans, so far
	closed  bool
}

// claim says whose an orphan is.
type claim struct {
	start uint64   // of the orphan
	owner *Process // nil: the person's, and not ours to end
}

// Process is a program that was started.
type Process struct {
	// own: it leads a session of its own, without a terminal.
	own    bool
	cmd    *exec.Cmd
	pid    int
	family *Family
	born   uint64         // when it was started, in ticks of the system
	before map[int]uint64 // orphans that were there then
	exited chan struct{}  // it has ended, but is not reaped
	done   chan struct{}  // it is reaped
	err    error
}

// Start starts cmd in a session of its own without a terminal, so that it leads a process group.
// What it leaves behind in that group is killed when it ends; what has left the group stays until
// End or Close.
func (f *Family) Start(cmd *exec.Cmd) (*Process, error) {
	alone(cmd)
	return f.start(cmd, true)
}

// start starts cmd and waits for its end.
func (f *Family) start(cmd *exec.Cmd, own bool) (*Process, error) {
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = drain
	}
	p := &Process{own: own, cmd: cmd, family: f, exited: make(chan struct{}), done: make(chan struct{})}
	f.mu.Lock() // also while it is started: an unknown child would be taken for an orphan
	defer f.mu.Unlock()
	if f.closed {
		return nil, ErrClosed
	}
	p.before = f.orphans()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.pid = cmd.Process.Pid
	p.born = started(p.pid)
	if f.members == nil {
		f.members = make(map[int]*Process)
	}
	f.members[p.pid] = p
	go p.wait()
	return p, nil
}

// wait waits for the end of p.
func (p *Process) wait() {
	reap := await(p.cmd)
	close(p.exited)
	if p.own {
		killGroup(p.pid) // its number still is its own
	}
	owner := p
	if !p.own {
		owner = nil
	}
	p.family.mu.Lock()
	p.claim(owner)
	p.family.mu.Unlock()
	p.err = reap()
	if errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // it has ended well, and a descendant holds its output
	}
	p.family.mu.Lock()
	delete(p.family.members, p.pid)
	p.family.mu.Unlock()
	close(p.done)
}

// hasExited reports whether the program has ended; its output may not be read yet.
func (p *Process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// Done is closed when the program has ended and its output is read. It does not wait for
// descendants.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns how the program ended, as [exec.Cmd.Wait] says it. It is for use after Done.
func (p *Process) Err() error { return p.err }

// End ends p and everything that it has started: it asks, and kills what is still there after
// grace. It returns when all are gone, at the latest a little over a second after grace.
func (p *Process) End(grace time.Duration) {
	p.family.end(p, grace)
	wait(p.done, stubborn)
}

// Close ends all programs and everything that they have started, as End does; none can be started
// any more. With a grace of 0 they are killed at once, also beside a Close that still waits.
func (f *Family) Close(grace time.Duration) {
	f.mu.Lock()
	f.closed = true
	var all []*Process
	for _, p := range f.members {
		all = append(all, p)
	}
	f.mu.Unlock()
	f.end(nil, grace)
	late := time.Now().Add(stubborn)
	for _, p := range all {
		wait(p.done, time.Until(late))
	}
}

// wait waits until c is closed, at most so long.
func wait(c <-chan struct{}, most time.Duration) {
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-c:
	case <-late.C:
	}
}

// end asks p and its descendants to end and kills them after grace; nil: all of f.
func (f *Family) end(p *Process, grace time.Duration) {
	h := hunt{family: f, root: p}
	if grace > 0 {
		late := time.Now().Add(grace)
		for do := ask; time.Now().Before(late); do = nothing {
			if h.over(do) {
				return
			}
			nap(look)
		}
	}
	// One that forks faster than we look is met again and again: there is no pause as long as a
	// look finds somebody new.
	for late := time.Now().Add(stubborn); time.Now().Before(late); {
		if h.over(kill) {
			return
		}
		if !h.fresh {
			nap(look)
		}
	}
}

// over does something to everybody of the hunt and reports whether nobody was left. Between a
// process that has just forked and ended and its child a look may fall through, so that it takes
// several.
func (h *hunt) over(do deed) bool {
	return nobody(func() int { return h.meet(do) })
}

// nobody reports whether looks met nobody, five of them.
func nobody(meet func() int) bool {
	for range 5 {
		if meet() > 0 {
			return false
		}
	}
	return true
}

// nap waits.
func nap(d time.Duration) { <-time.After(d) }

// kin is a process of the family.
type kin struct {
	pid, group, session int
	start               uint64 // in ticks of the system; 0 where they are not known
	ended               bool   // and not reaped
	ours                bool   // it is a child of this process
}

// hunt looks for a process and its descendants.
type hunt struct {
	family *Family
	root   *Process       // nil: all
	known  map[int]uint64 // those that were found, with the time of their start
	fresh  bool           // the last look found somebody new
	reaped int            // orphans of the family, when the last look ended
}

// deed is what is done to a process that was met.
type deed uint8

const (
	nothing deed = iota
	ask          // it to end
	kill
)

// Renew counts p as started now: what earlier programs have left is not its own. It is for a
// program that was started ahead and waited.
func (p *Process) Renew() {
	p.family.mu.Lock()
	defer p.family.mu.Unlock()
	p.before = p.family.orphans()
}

// Run runs cmd to its end. When ctx ends, it and everything that it has started is killed.
func (f *Family) Run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.Start(cmd)
	if err != nil {
		return err
	}
	return p.Within(ctx, 0)
}

// Within waits for the end of p, and makes it end when ctx does, as End does.
func (p *Process) Within(ctx context.Context, grace time.Duration) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.End(grace)
		return ctx.Err()
	}
}

// Lend runs cmd to its end in our own session, on the terminal that it shares with us. It is a
// program of the person's: what it leaves running, the window of an editor or an agent that holds
// keys, is not ours to end. When ctx ends, everything has half a second to end.
func (f *Family) Lend(ctx context.Context, cmd *exec.Cmd) error {
	p, err := f.start(cmd, false)
	if err != nil {
		return err
	}
	return p.Within(ctx, lentGrace)
}

// Output runs cmd with run, which is Run or Lend of a family, and gives what it prints, at most
// limit bytes of each stream.
func Output(ctx context.Context, run func(context.Context, *exec.Cmd) error, cmd *exec.Cmd,
	limit int) (out, problem []byte, err error) {
	o, e := &limited{left: limit}, &limited{left: limit}
	cmd.Stdout, cmd.Stderr = o, e
	err = run(ctx, cmd)
	return o.bytes(), e.bytes(), err
}

// limited keeps the beginning of what is written. A program that the system holds may write when
// nobody waits for it any more.
type limited struct {
	mu   sync.Mutex
	kept bytes.Buffer
	left int
}

func (l *limited) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.kept.Bytes())
}

func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(p), l.left)
	l.left -= n
	l.kept.Write(p[:n])
	return len(p), nil
}
