package helper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// The limits of a helper whose Options leave them out.
const (
	startTime = 30 * time.Second
	idleTime  = 10 * time.Minute
	maxMemory = 4 << 30
	// lookPause is the time between two checks of a running program's memory.
	lookPause = 2 * time.Second
)

// ErrClosed is the error of [Helper.Use] after [Helper.Close].
var ErrClosed = errors.New("the session ends: no helper is started any more")

// Options holds the limits of a helper program.
type Options struct {
	Start time.Duration // longest time until the program can be used; 0: 30 s
	Idle  time.Duration // time without use after which the program is ended; 0: 10 minutes
	// bytes of memory that the program and its descendants may use before it is ended; 0: 4 GiB
	Memory int64
	Pause  time.Duration // pause before the first restart; 0: 1 s
	// Retries is the number of restarts after the program has ended by itself; 0: 5. A run of the
	// length Settled sets the count back; 0: a minute.
	Retries int
	Settled time.Duration
	// Once says that a program which ends before it can be used is not restarted. Otherwise it is
	// started a second time, see [Helper.Use].
	Once bool
}

// Greet creates a client for a program that has just started, and waits until the program can be
// used. ctx limits the start, not the life of the client. The client ends with the process. If it
// cannot understand the program's output, it calls [Process.Fail].
type Greet[T any] func(ctx context.Context, p *Process) (T, error)

// Helper runs one program, such as a language server, from its first use on, and restarts it when
// it has ended by itself. T is the type of the client that talks to the program. It is safe for use
// by several goroutines.
type Helper[T any] struct {
	program Program
	options Options
	greet   Greet[T]
	leave   func(T) // tells a running program that it is going to be ended; nil: it is not told

	mu      sync.Mutex
	run     *run[T] // the current run; nil: the program does not run
	retries retries
	status  Status
	closed  bool
	wg      sync.WaitGroup
	look    time.Duration // time between two checks of its memory
}

// run represents one run of the program, from its start to its end.
type run[T any] struct {
	started chan struct{}   // closed when client or err is set
	ended   chan struct{}   // closed when the program and all its descendants have ended
	stop    context.Context // ends when the run has to end
	cancel  context.CancelFunc
	used    chan struct{} // receives a value when users has changed
	client  T
	err     error
	users   int
	process *Process
}

// gone reports whether the program could be used once, and can no longer be talked to.
func (r *run[T]) gone() bool {
	if r.process == nil {
		return false
	}
	select {
	case <-r.started:
	default:
		return false
	}
	select {
	case <-r.process.Gone():
		return true
	default:
		return false
	}
}

// New returns a helper for the program p. The program is not started yet. leave is called before a
// running program is ended; it may be nil.
func New[T any](p Program, o Options, greet Greet[T], leave func(T)) *Helper[T] {
	o.Start, o.Idle = cmp.Or(o.Start, startTime), cmp.Or(o.Idle, idleTime)
	o.Memory, o.Pause = cmp.Or(o.Memory, maxMemory), cmp.Or(o.Pause, firstPause)
	o.Retries, o.Settled = cmp.Or(o.Retries, maxRetries), cmp.Or(o.Settled, settled)
	return &Helper[T]{program: p, options: o, greet: greet, leave: leave, status: Status{State: NotStarted},
		look: lookPause}
}

// Use returns the client of the program. If the program does not run, Use starts it, after a pause
// if it has ended by itself before. Call release when the client is no longer used.
//
// A program that ends while it starts is started a second time after the shortest pause, because on
// a busy machine some servers do not wait long enough for their own child processes.
func (h *Helper[T]) Use(ctx context.Context) (client T, release func(), err error) {
	var none T
	for {
		r, wait, err := h.take()
		if err != nil {
			return none, nil, err
		}
		if r == nil {
			select {
			case <-wait:
				continue
			case <-ctx.Done():
				return none, nil, ctx.Err()
			}
		}
		release := sync.OnceFunc(func() { h.release(r) })
		select {
		case <-r.started:
		case <-ctx.Done():
			release()
			return none, nil, ctx.Err()
		}
		var early *endedEarly
		switch {
		case r.err == nil:
			return r.client, release, nil
		case errors.As(r.err, &early) && h.failedOnce():
			release()
		default:
			release()
			return none, nil, r.err
		}
	}
}

// endedEarly is the error of a program that ended, or closed its output, before it could be used.
type endedEarly struct {
	name string
	why  error
}

func (e *endedEarly) Error() string { return e.name + " does not start: " + e.why.Error() }
func (e *endedEarly) Unwrap() error { return e.why }

// failedOnce reports whether the program has ended by itself exactly once since its last run that
// lasted long enough.
func (h *Helper[T]) failedOnce() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.status.State == Waiting && h.retries == 1
}

// take returns the current run, started if necessary, and counts its caller as a user. If no run
// can begin now, it returns a channel that is closed when the caller should try again.
func (h *Helper[T]) take() (r *run[T], wait <-chan struct{}, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch now := time.Now(); {
	case h.closed:
		return nil, nil, ErrClosed
	case h.run != nil && (h.run.stop.Err() != nil || h.run.gone()): // it is about to end
		return nil, h.run.ended, nil
	case h.run != nil:
	case h.status.State == Failed:
		return nil, nil, errors.New(h.program.Name + " failed: " + h.status.Why)
	case h.status.State == Waiting && now.Before(h.status.Again):
		pause := make(chan struct{})
		time.AfterFunc(h.status.Again.Sub(now), func() { close(pause) })
		return nil, pause, nil
	default:
		h.start()
	}
	h.run.users++
	return h.run, nil, nil
}

// start begins a run. The caller holds h.mu.
func (h *Helper[T]) start() {
	r := &run[T]{started: make(chan struct{}), ended: make(chan struct{}), used: make(chan struct{}, 1)}
	r.stop, r.cancel = context.WithCancel(context.Background())
	h.run, h.status = r, Status{State: Starting}
	h.wg.Go(func() { h.live(r) })
}

func (h *Helper[T]) release(r *run[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r.users--
	select {
	case r.used <- struct{}{}:
	default:
	}
}

// live starts the program, waits until it has to end or has ended by itself, and ends it with its
// descendants.
func (h *Helper[T]) live(r *run[T]) {
	defer close(r.ended)
	began := time.Now()
	process, err := Start(h.program)
	if err != nil {
		h.finish(r, err, began)
		return
	}
	h.mu.Lock()
	r.process = process
	h.mu.Unlock()
	if err = h.greeted(r); err == nil {
		h.mu.Lock()
		h.status = Status{State: Ready}
		h.mu.Unlock()
		close(r.started)
		if err = h.watch(r); err == nil && h.leave != nil {
			h.leave(r.client)
		}
	}
	process.End()
	h.finish(r, err, began)
}

// greeted waits until the program can be used, and stores its client in r.
func (h *Helper[T]) greeted(r *run[T]) error {
	ctx, cancel := context.WithTimeout(r.stop, h.options.Start)
	defer cancel()
	client, err := h.greet(ctx, r.process)
	switch {
	case err == nil:
		r.client = client
		return nil
	case r.stop.Err() != nil:
		return ErrEnded
	case ctx.Err() != nil:
		return fmt.Errorf("%s was not ready after %v", h.program.Name, h.options.Start)
	}
	if why := r.process.Why(); why != nil {
		return &endedEarly{h.program.Name, why}
	}
	return fmt.Errorf("%s does not start: %w", h.program.Name, err)
}

// watch waits until the run ends. It returns the reason if the program has ended by itself or used
// too much memory, and nil if the helper ends it.
func (h *Helper[T]) watch(r *run[T]) error {
	look := time.NewTicker(h.look)
	defer look.Stop()
	idle := time.NewTimer(h.options.Idle)
	defer idle.Stop()
	for {
		select {
		case <-r.stop.Done():
			return nil
		case <-r.process.Gone():
			return r.process.Why()
		case <-r.process.Done():
			r.process.Fail(io.EOF)
			return r.process.Why()
		case <-r.used:
			idle.Reset(h.options.Idle)
		case <-idle.C:
			if h.retire(r) {
				return nil
			}
		case <-look.C:
			if n := r.process.Memory(); n > h.options.Memory {
				return fmt.Errorf("it was ended: it held %d MiB of memory, and %d are allowed", n>>20,
					h.options.Memory>>20)
			}
		}
	}
}

// retire tells a run to end if it has no users. It reports whether it did.
func (h *Helper[T]) retire(r *run[T]) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.users > 0 {
		return false
	}
	r.cancel()
	return true
}

// finish records that a run has ended, and when the program may start again. err is the reason; nil
// means that the helper has ended the program.
func (h *Helper[T]) finish(r *run[T], err error, began time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.run = nil
	var missing *Missing
	switch {
	case err == nil || errors.Is(err, ErrEnded):
		h.status = Status{State: NotStarted}
	case errors.As(err, &missing): // it is looked for again when it is used again
		h.status = Status{State: NotStarted, Why: err.Error(), Install: missing.Install}
	default:
		why := h.program.Secrets.Redact(err.Error())
		pause, giveUp := h.retries.next(time.Since(began), h.options)
		var early *endedEarly
		giveUp = giveUp || h.options.Once && errors.As(err, &early)
		h.status = Status{State: Waiting, Why: why, Again: time.Now().Add(pause)}
		if giveUp {
			h.status = Status{State: Failed, Why: why}
		}
	}
	r.cancel()
	select {
	case <-r.started:
	default:
		if r.err = err; err != nil {
			r.err = h.program.Secrets.Error(err)
		}
		close(r.started)
	}
}

// Ready reports whether the program runs and can be used. It is faster than [Helper.Status].
func (h *Helper[T]) Ready() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.status.State == Ready && h.run != nil && !h.run.gone()
}

// Status returns the state of the program, its memory, and what the user needs to know about it.
func (h *Helper[T]) Status() Status {
	h.mu.Lock()
	s, r := h.status, h.run
	if r != nil && r.process != nil && s.State == Ready {
		process := r.process
		h.mu.Unlock()
		s.Memory = process.Memory()
		h.mu.Lock()
	}
	h.mu.Unlock()
	s.Name, s.Reach = h.program.Name, h.program.Reach()
	if s.Install == "" {
		if _, err := h.program.Find(); err != nil {
			s.Install = h.program.Install
		}
	}
	return s
}

// Stop ends the program. The next use starts it again without a pause, even if it had failed.
func (h *Helper[T]) Stop() {
	h.mu.Lock()
	r := h.run
	h.retries = 0
	if r != nil {
		r.cancel()
	} else {
		h.status = Status{State: NotStarted}
	}
	h.mu.Unlock()
	if r != nil {
		<-r.ended
	}
}

// Close ends the program for good: it cannot be used any more.
func (h *Helper[T]) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.Stop()
	h.wg.Wait()
}
