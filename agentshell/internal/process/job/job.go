// Package job runs the background jobs of one session: commands and agents that the model has
// started without waiting for their results.
package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// State is the state of a background job.
type State string

// The states of a job. A cancelled job stays cancelled, whatever its function returns.
const (
	Running   State = "running"
	Completed State = "completed"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

const (
	maxRunning = 15              // commands that may run at the same time
	maxAgents  = 100             // agents that may work in the background at the same time
	retention  = 5 * time.Minute // how long a job is listed after its end, once that was reported
)

// The errors of [Manager.Run] and [Manager.RunAgent] when a job cannot be started.
var (
	ErrClosed = errors.New("the session ends: no job is started any more")
	ErrMany   = fmt.Errorf("%d jobs run already: wait for one, or cancel one", maxRunning)

	ErrManyAgents = fmt.Errorf("%d agents work in the background already: wait for one, or cancel one", maxAgents)
)

// Work is the function that does a job until it is finished or ctx ends. It passes output to out,
// with one call at a time, and no calls after it has returned. The output may have control
// characters, but no harmful ones. text is the result for the model.
type Work func(ctx context.Context, out func(string)) (text string, err error)

// Job describes a background job at one moment.
type Job struct {
	ID, Label   string
	Agent       string // id of the agent that works; "" for a command
	State       State
	Ended       bool // its function has returned, which takes a moment after Cancel
	Took        time.Duration
	Result      string // the text that its function returned; "" while it runs
	Output      string // the output so far; the middle of a long output is left out
	OutputBytes int    // length of the complete output, as a terminal shows it
}

// Manager runs the background jobs of one session and keeps their results. It is safe for use by
// several goroutines.
type Manager struct {
	now func() time.Time

	mu      sync.Mutex
	jobs    []*entry // in the order in which they began
	count   int      // number in the last id
	running int      // number of running commands, even in the foreground
	agents  int      // number of working agents
	closed  bool
	changed chan struct{} // closed when the next job begins or ends
}

// entry is a job in the Manager, with its private state. The lock of the Manager guards all fields
// but progress.
type entry struct {
	Job
	started  time.Time
	ended    time.Time
	cancel   context.CancelFunc
	done     chan struct{}
	output   outputBuffer
	reported bool
	watchers int

	progressMu sync.Mutex // guards progress, even while it is called
	progress   func(string)
}

// New returns a manager without jobs. The function now returns the current time. The first job gets
// the number first+1.
func New(now func() time.Time, first int) *Manager {
	return &Manager{now: now, count: first, changed: make(chan struct{})}
}

// Skip makes sure that the next job gets a number greater than n. A resumed session uses it for the
// ids of earlier jobs.
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

// notify wakes all goroutines that wait for the channel of Changed. The caller holds m.mu.
func (m *Manager) notify() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Run runs work in the foreground for at most patience: meanwhile its output goes to progress, and
// the end of ctx cancels it. If work ends in that time, Run returns an empty id.
//
// Otherwise work goes on as a background job, whose id Run returns. From then on it does not depend
// on ctx and progress. A patience of 0 makes it a background job at once; with a negative patience
// it stays in the foreground.
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

// RunAgent starts work, the work of the agent with the given id, as a background job, and returns
// the id of the job.
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

// addJob gives e an id and adds it to the list of jobs. The caller holds m.mu.
func (m *Manager) addJob(e *entry) {
	m.count++
	e.ID = fmt.Sprintf("job-%d", m.count)
	m.jobs = append(m.jobs, e)
	m.notify()
}

// work calls the function of the job e, and records how it ended.
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

// runRecovered calls work and returns a panic as an error.
func runRecovered(ctx context.Context, work Work, out func(string)) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the job broke: %v", p)
		}
	}()
	return work(ctx, out)
}

// List returns all jobs that run, and those that have ended not long ago.
func (m *Manager) List() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.evict()
	return m.snapshot(m.jobs)
}

// Running returns the number of background jobs that have not ended.
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

// evict removes jobs whose end was reported, after some minutes. The caller holds m.mu.
func (m *Manager) evict() {
	now := m.now()
	m.jobs = slices.DeleteFunc(m.jobs, func(e *entry) bool {
		return e.Ended && e.reported && e.watchers == 0 && now.Sub(e.ended) > retention
	})
}

// snapshot returns the current state of the entries. The caller holds m.mu.
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

// find returns the jobs with the given ids. It ignores unknown ids. The caller holds m.mu.
func (m *Manager) find(ids []string) (found []*entry) {
	for _, e := range m.jobs {
		if slices.Contains(ids, e.ID) {
			found = append(found, e)
		}
	}
	return found
}

// Cancel cancels a job without waiting for its end. It returns the job's state before, or "" for an
// unknown id. If silent is true, TakeEnded does not return the job later, because the caller knows
// of its end.
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

// Poll waits until one of the jobs with these ids has ended, or all of them if all is true, but not
// longer than wait. Without ids it waits for the jobs that run. It returns the state of the jobs.
//
// The ends of these jobs count as reported. [Manager.TakeEnded] does not return them meanwhile.
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

// TakeEnded returns the jobs that have ended since the last call and were not reported in another
// way. It returns each job once.
func (m *Manager) TakeEnded() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	ended := m.unreported()
	for _, e := range ended {
		e.reported = true
	}
	return m.snapshot(ended)
}

// Unreported returns the jobs that TakeEnded would return, and leaves them unreported.
func (m *Manager) Unreported() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshot(m.unreported())
}

// unreported returns the entries whose end was not reported and that nobody polls. The caller holds
// m.mu.
func (m *Manager) unreported() (ended []*entry) {
	for _, e := range m.jobs {
		if e.Ended && !e.reported && e.watchers == 0 {
			ended = append(ended, e)
		}
	}
	return ended
}

// Close cancels all jobs and waits until they have ended or ctx ends. It returns the jobs that were
// running. No job can be started afterwards.
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
