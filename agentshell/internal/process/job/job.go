// Package job runs the background jobs of one session: work that a model has started and does not
// wait for.
package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// State is the state of a job.
type State string

// The states. A cancelled job stays cancelled, whatever its work returns.
const (
	Running   State = "running"
	Completed State = "completed"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

const (
	maxRunning = 15              // commands
	maxAgents  = 100             // agents
	retention  = 5 * time.Minute // how long a job is kept after its end was reported
)

// The errors of Run.
var (
	ErrClosed = errors.New("the session ends: no job is started any more")
	ErrMany   = fmt.Errorf("%d jobs run already: wait for one, or cancel one", maxRunning)

	ErrManyAgents = fmt.Errorf("%d agents work in the background already: wait for one, or cancel one", maxAgents)
)

// Work is the function that does a job, until ctx ends. It passes output to out, one call at a time
// and none after it returns. Output may hold controls but is harmless otherwise. text is what the
// model gets as the result.
type Work func(ctx context.Context, out func(string)) (text string, err error)

// Job is the state of a job at one moment.
type Job struct {
	ID, Label   string
	Agent       string // the id of the agent that works; "" for a command
	State       State
	Ended       bool // its work has returned; after Cancel that takes a moment
	Took        time.Duration
	Result      string // what Work returned; "" while it runs
	Output      string // what Work has passed to out; the middle is left out if it is long
	OutputBytes int    // length of the complete output as a terminal shows it
}

// Manager holds the jobs of one session. It is safe for use by several goroutines.
type Manager struct {
	now func() time.Time

	mu      sync.Mutex
	jobs    []*entry // in the order in which they began
	count   int      // the number of the last id
	running int      // how many commands run, also in the foreground
	agents  int      // how many agents work
	closed  bool
	changed chan struct{} // closed at the next change
}

// entry is a job in the Manager. The lock of the Manager guards all fields but progress.
type entry struct {
	Job
	started  time.Time
	ended    time.Time
	cancel   context.CancelFunc
	done     chan struct{}
	output   outputBuffer
	reported bool
	watchers int

	progressMu sync.Mutex // guards progress, also while it is called
	progress   func(string)
}

// New returns a manager without jobs. now is the clock. The first job gets the number first+1.
func New(now func() time.Time, first int) *Manager {
	return &Manager{now: now, count: first, changed: make(chan struct{})}
}

// Skip makes sure that the next job gets a number greater than n.
func (m *Manager) Skip(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count = max(m.count, n)
}

// Changed returns a channel that is closed when the next job begins or ends.
func (m *Manager) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

// notify wakes all that wait for a change. The lock is held.
func (m *Manager) notify() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Run starts work, in the foreground for as long as patience: there progress gets its output, and
// the end of ctx cancels it. If the work ends in that time, Run returns an empty id. Otherwise the
// work goes on as a background job with that id, and no longer depends on ctx and progress. With a
// patience of 0 it is a background job at once; with a negative one it never becomes one.
func (m *Manager) Run(ctx context.Context, label string, patience time.Duration, progress func(string),
	work Work) (id string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	m.mu.Lock()
	switch {
	case m.closed:
		m.mu.Unlock()
		return "", ErrClosed
	case m.running >= maxRunning:
		m.mu.Unlock()
		return "", ErrMany
	}
	jobCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &entry{Job: Job{Label: label, State: Running}, started: m.now(), cancel: cancel, done: make(chan struct{})}
	if patience != 0 {
		e.progress = progress
	} else {
		m.addJob(e)
	}
	m.running++
	m.mu.Unlock()
	go m.work(jobCtx, e, work)
	if patience == 0 {
		return e.ID, nil
	}
	var late <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-e.done:
		return "", nil
	case <-ctx.Done():
		cancel()
		<-e.done
		return "", nil
	case <-late:
	}
	e.progressMu.Lock()
	e.progress = nil
	e.progressMu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Ended {
		return "", nil
	}
	m.addJob(e)
	return e.ID, nil
}

// RunAgent starts the work of an agent as a background job, and returns its id.
func (m *Manager) RunAgent(ctx context.Context, agent, label string, work Work) (id string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case m.closed:
		return "", ErrClosed
	case m.agents >= maxAgents:
		return "", ErrManyAgents
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &entry{Job: Job{Label: label, Agent: agent, State: Running}, started: m.now(), cancel: cancel,
		done: make(chan struct{})}
	m.addJob(e)
	m.agents++
	go m.work(ctx, e, work)
	return e.ID, nil
}

// addJob gives e an id and adds it to the jobs of the session. The lock is held.
func (m *Manager) addJob(e *entry) {
	m.count++
	e.ID = fmt.Sprintf("job-%d", m.count)
	m.jobs = append(m.jobs, e)
	m.notify()
}

// work runs the work of e and records how it ended.
func (m *Manager) work(ctx context.Context, e *entry, work Work) {
	defer e.cancel()
	text, err := runRecovered(ctx, work, func(s string) {
		m.mu.Lock()
		e.output.write(s)
		m.mu.Unlock()
		e.progressMu.Lock()
		defer e.progressMu.Unlock()
		if e.progress != nil {
			e.progress(s)
		}
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	e.output.end()
	e.Ended, e.Result, e.ended = true, text, m.now()
	if err != nil && text == "" {
		e.Result = err.Error()
	}
	switch {
	case e.State == Cancelled:
	case err != nil:
		e.State = Failed
	default:
		e.State = Completed
	}
	if e.Agent != "" {
		m.agents--
	} else {
		m.running--
	}
	close(e.done)
	m.notify()
}

// runRecovered runs work and turns a panic into an error.
func runRecovered(ctx context.Context, work Work, out func(string)) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the job broke: %v", p)
		}
	}()
	return work(ctx, out)
}

// List returns all jobs. Those that have ended are listed for a while.
func (m *Manager) List() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.evict()
	return m.snapshot(m.jobs)
}

// Running returns the number of jobs that run.
func (m *Manager) Running() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.jobs {
		if !e.Ended {
			n++
		}
	}
	return n
}

// evict removes jobs that ended long ago. The lock is held.
func (m *Manager) evict() {
	now := m.now()
	m.jobs = slices.DeleteFunc(m.jobs, func(e *entry) bool {
		return e.Ended && e.reported && e.watchers == 0 && now.Sub(e.ended) > retention
	})
}

// snapshot returns the present state of entries. The lock is held.
func (m *Manager) snapshot(entries []*entry) (list []Job) {
	for _, e := range entries {
		j := e.Job
		j.Output, j.OutputBytes = e.output.text()
		if j.Took = m.now().Sub(e.started); e.Ended {
			j.Took = e.ended.Sub(e.started)
		}
		list = append(list, j)
	}
	return list
}

// find returns the jobs with those ids. Unknown ids are ignored. The lock is held.
func (m *Manager) find(ids []string) (found []*entry) {
	for _, e := range m.jobs {
		if slices.Contains(ids, e.ID) {
			found = append(found, e)
		}
	}
	return found
}

// Cancel cancels a job and does not wait for its end. It returns the state before, "" for an
// unknown id. With silent the end is not reported later, because the caller knows of it.
func (m *Manager) Cancel(id string, silent bool) (was State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.find([]string{id}) {
		was = e.State
		if was == Running {
			e.State, e.reported = Cancelled, silent
			e.cancel()
			m.notify()
		}
	}
	return was
}

// Poll waits until one of the jobs has ended, or with all each of them, at most for wait. Without
// ids it waits for those that run. The ends of these jobs count as reported, and
// [Manager.TakeEnded] does not return them meanwhile.
func (m *Manager) Poll(ctx context.Context, ids []string, all bool, wait time.Duration) []Job {
	late := time.NewTimer(wait)
	defer late.Stop()
	m.mu.Lock()
	m.evict()
	var watched []*entry
	if len(ids) > 0 {
		watched = m.find(ids)
	} else {
		for _, e := range m.jobs {
			if e.State == Running {
				watched = append(watched, e)
			}
		}
	}
	for _, e := range watched {
		e.watchers++
	}
	defer func() {
		for _, e := range watched {
			e.watchers--
			e.reported = e.reported || e.Ended
		}
		m.mu.Unlock()
	}()
	for {
		ended := 0
		for _, e := range watched {
			if e.Ended {
				ended++
			}
		}
		if ended == len(watched) || ended > 0 && !all {
			return m.snapshot(watched)
		}
		changed := m.changed
		m.mu.Unlock()
		stop := false
		select {
		case <-changed:
		case <-late.C:
			stop = true
		case <-ctx.Done():
			stop = true
		}
		m.mu.Lock()
		if stop {
			return m.snapshot(watched)
		}
	}
}

// TakeEnded returns the jobs that have ended and were not reported yet. It returns each job once.
func (m *Manager) TakeEnded() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	ended := m.unreported()
	for _, e := range ended {
		e.reported = true
	}
	return m.snapshot(ended)
}

// Unreported returns the jobs that have ended and that TakeEnded would return.
func (m *Manager) Unreported() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshot(m.unreported())
}

// unreported returns the entries of Unreported. The lock is held.
func (m *Manager) unreported() (ended []*entry) {
	for _, e := range m.jobs {
		if e.Ended && !e.reported && e.watchers == 0 {
			ended = append(ended, e)
		}
	}
	return ended
}

// Close cancels all jobs and waits until they have ended or ctx ends. It returns the jobs that ran.
func (m *Manager) Close(ctx context.Context) []Job {
	m.mu.Lock()
	m.closed = true
	var ran []*entry
	for _, e := range m.jobs {
		if !e.Ended {
			e.State, e.reported = Cancelled, true
			ran = append(ran, e)
			e.cancel()
		}
	}
	list := m.snapshot(ran)
	m.mu.Unlock()
	for _, e := range ran {
		select {
		case <-e.done:
		case <-ctx.Done():
		}
	}
	return list
}
