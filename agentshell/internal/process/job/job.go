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

// State says what became of a job.
type State string

// The states. A job that is cancelled stays cancelled, whatever its work gives.
const (
	Running   State = "running"
	Completed State = "completed"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

const (
	mostRunning = 15
	retention   = 5 * time.Minute // after its end has been told
)

// The errors of Run.
var (
	ErrClosed = errors.New("the session ends: no job is started any more")
	ErrMany   = fmt.Errorf("%d jobs run already: wait for one, or cancel one", mostRunning)
)

// Work is what a job does until ctx ends. out takes its output, harmless to show but for controls,
// one call at a time and none after the return. text is what the model is told of it.
type Work func(ctx context.Context, out func(string)) (text string, err error)

// Job is a job as it was at one moment.
type Job struct {
	ID, Label string
	State     State
	Over      bool // nothing of it runs; a cancelled job takes a moment
	Took      time.Duration
	Text      string // of Work; "" while it runs
	Output    string // what it has printed, without the middle if it was much
	Total     int    // bytes of all that it has printed
}

// Manager holds the jobs of one session. It is safe for use by several goroutines.
type Manager struct {
	now func() time.Time

	mu      sync.Mutex
	jobs    []*entry // in their order
	count   int      // of all ids
	active  int      // work that is under way, in the foreground too
	closed  bool
	changed chan struct{} // closed at the next change
}

// entry is a job. The lock of the Manager guards all but progress.
type entry struct {
	Job
	began    time.Time
	ended    time.Time
	cancel   context.CancelFunc
	done     chan struct{}
	tape     tape
	told     bool
	watchers int

	passing  sync.Mutex // guards progress, also while it is called
	progress func(string)
}

// New makes a manager without jobs. now is the clock; ids begin behind job-first.
func New(now func() time.Time, first int) *Manager {
	return &Manager{now: now, count: first, changed: make(chan struct{})}
}

// Skip makes ids begin behind job-n, if they do not yet.
func (m *Manager) Skip(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count = max(m.count, n)
}

// Changed is closed when a job begins or ends after this call.
func (m *Manager) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

// change wakes those that wait. The lock is held.
func (m *Manager) change() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Run starts work. For as long as patience it stands in the foreground: progress gets its output,
// and the end of ctx cancels it. If it ends there, Run returns then, and id is "". Else it goes on
// as a job of that id, and ctx and progress are left behind. With no patience it is a job at once;
// below 0 it never becomes one.
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
	case m.active >= mostRunning:
		m.mu.Unlock()
		return "", ErrMany
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &entry{Job: Job{Label: label, State: Running}, began: m.now(), cancel: cancel, done: make(chan struct{})}
	if patience != 0 {
		e.progress = progress
	} else {
		m.list(e)
	}
	m.active++
	m.mu.Unlock()
	go m.work(own, e, work)
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
	e.passing.Lock()
	e.progress = nil
	e.passing.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Over {
		return "", nil
	}
	m.list(e)
	return e.ID, nil
}

// list makes e a job of the session. The lock is held.
func (m *Manager) list(e *entry) {
	m.count++
	e.ID = fmt.Sprintf("job-%d", m.count)
	m.jobs = append(m.jobs, e)
	m.change()
}

// work does the work of e.
func (m *Manager) work(ctx context.Context, e *entry, work Work) {
	defer e.cancel()
	text, err := attempt(ctx, work, func(s string) {
		m.mu.Lock()
		e.tape.write(s)
		m.mu.Unlock()
		e.passing.Lock()
		defer e.passing.Unlock()
		if e.progress != nil {
			e.progress(s)
		}
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	e.Over, e.Text, e.ended = true, text, m.now()
	if err != nil && text == "" {
		e.Text = err.Error()
	}
	switch {
	case e.State == Cancelled:
	case err != nil:
		e.State = Failed
	default:
		e.State = Completed
	}
	m.active--
	close(e.done)
	m.change()
}

// attempt turns a panic of work into an error.
func attempt(ctx context.Context, work Work, out func(string)) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the job broke: %v", p)
		}
	}()
	return work(ctx, out)
}

// List returns all jobs, those that have ended as long as they are kept.
func (m *Manager) List() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.evict()
	return m.snap(m.jobs)
}

// Running returns how many jobs run.
func (m *Manager) Running() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.jobs {
		if !e.Over {
			n++
		}
	}
	return n
}

// evict forgets what has ended long ago. The lock is held.
func (m *Manager) evict() {
	now := m.now()
	m.jobs = slices.DeleteFunc(m.jobs, func(e *entry) bool {
		return e.Over && e.told && e.watchers == 0 && now.Sub(e.ended) > retention
	})
}

// snap returns entries as they are. The lock is held.
func (m *Manager) snap(entries []*entry) (list []Job) {
	for _, e := range entries {
		j := e.Job
		j.Output, j.Total = e.tape.text(), e.tape.total
		if j.Took = m.now().Sub(e.began); e.Over {
			j.Took = e.ended.Sub(e.began)
		}
		list = append(list, j)
	}
	return list
}

// find returns the jobs of those ids, without those that are not there. The lock is held.
func (m *Manager) find(ids []string) (found []*entry) {
	for _, e := range m.jobs {
		if slices.Contains(ids, e.ID) {
			found = append(found, e)
		}
	}
	return found
}

// Cancel ends a job, and does not wait for that. was is its state before, "" if there is none of
// that id. silent: the end need not be told, since who is told of it has done it.
func (m *Manager) Cancel(id string, silent bool) (was State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.find([]string{id}) {
		was = e.State
		if was == Running {
			e.State, e.told = Cancelled, silent
			e.cancel()
			m.change()
		}
	}
	return was
}

// Poll waits until one of the jobs, or with all each of them, does not run any more, at most so
// long. No ids: those that run. Their ends count as told, and are not [Manager.Ended] meanwhile.
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
			e.told = e.told || e.Over
		}
		m.mu.Unlock()
	}()
	for {
		over := 0
		for _, e := range watched {
			if e.Over {
				over++
			}
		}
		if over == len(watched) || over > 0 && !all {
			return m.snap(watched)
		}
		changed := m.changed
		m.mu.Unlock()
		enough := false
		select {
		case <-changed:
		case <-late.C:
			enough = true
		case <-ctx.Done():
			enough = true
		}
		m.mu.Lock()
		if enough {
			return m.snap(watched)
		}
	}
}

// Ended returns the jobs that have ended since, each of them once.
func (m *Manager) Ended() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	var over []*entry
	for _, e := range m.jobs {
		if e.Over && !e.told && e.watchers == 0 {
			e.told = true
			over = append(over, e)
		}
	}
	return m.snap(over)
}

// Close ends all jobs and waits until they have, or ctx does. It gives those that ran.
func (m *Manager) Close(ctx context.Context) []Job {
	m.mu.Lock()
	m.closed = true
	var ran []*entry
	for _, e := range m.jobs {
		if !e.Over {
			e.State, e.told = Cancelled, true
			ran = append(ran, e)
			e.cancel()
		}
	}
	list := m.snap(ran)
	m.mu.Unlock()
	for _, e := range ran {
		select {
		case <-e.done:
		case <-ctx.Done():
		}
	}
	return list
}
