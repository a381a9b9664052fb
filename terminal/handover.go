package terminal

import (
	"context"
	"io"
	"sync"
	"time"
)

// Suspend restores all modes and calls f, which may use the terminal until it returns. Then Suspend
// takes the terminal again. Output that is written meanwhile is sent afterwards. Next then returns
// Resize, if the size has changed, and Resumed. The error is the one of f, or says that the
// terminal could not be released or taken. ctx only limits how long Suspend waits for another
// Suspend.
func (t *Terminal) Suspend(ctx context.Context, f func() error) (err error) {
	if err := lockContext(ctx, t.suspending.TryLock); err != nil {
		return err
	}
	defer t.suspending.Unlock()
	if err := t.giveAway(); err != nil {
		return err
	}
	defer func() { // also when f panics
		if e := t.takeBack(); err == nil {
			err = e
		}
	}()
	return f()
}

// Lend suspends the terminal, as Suspend does, for a program that runs inside of this process. f
// gets the device, stopped, and may start and stop it. When f returns the device is stopped. Bytes
// that f has read and not used it gives back by Unread.
func (t *Terminal) Lend(ctx context.Context, f func(*Lent) error) error {
	return t.Suspend(ctx, func() error {
		l := &Lent{TTY: t.tty}
		t.mu.Lock()
		t.loan.borrower = l
		t.mu.Unlock()
		defer func() {
			t.mu.Lock()
			t.loan.borrower = nil
			t.mu.Unlock()
			_ = t.tty.Stop()
			if l.lineMode != nil {
				l.lineMode.close()
			}
			if len(l.unread) > 0 {
				t.feedChunk(chunk{l.unread, time.Now()})
			}
		}()
		return f(l)
	})
}

// Lent is the device of a terminal during [Terminal.Lend].
type Lent struct {
	TTY
	mu       sync.Mutex
	notify   func()
	unread   []byte    // Bytes that were given back by Unread.
	lineMode *lineMode // nil: Lines was not called.
}

// NotifyResize sets the function that is called, from any goroutine, when the size may have
// changed; nil: none.
func (l *Lent) NotifyResize(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notify = f
}

// Unread gives back bytes that were read and not used. They become input of the terminal after
// Lend. It copies p.
func (l *Lent) Unread(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unread = append(l.unread, p...)
}

// sizeMayHaveChanged wakes Next, and tells the program that has borrowed the device, if there is
// one. The device calls it.
func (t *Terminal) sizeMayHaveChanged() {
	poke(t.resized)
	t.mu.Lock()
	l := t.loan.borrower
	t.mu.Unlock()
	if l == nil {
		return
	}
	l.mu.Lock()
	f := l.notify
	l.mu.Unlock()
	if f != nil {
		f()
	}
}

// lockContext calls try every 10 ms until it succeeds or ctx ends. A Suspend inside of a Suspend is
// a mistake that would wait for ever without a limit in ctx.
func lockContext(ctx context.Context, try func() bool) error {
	for !try() {
		timer := time.NewTimer(10 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
	return nil
}

// giveAway restores the terminal and stops reading from it, until takeBack.
func (t *Terminal) giveAway() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	switch {
	case t.handover.closed:
		return ErrClosed
	case t.handover.released: // it could not be taken back
		return t.endCause()
	}
	return t.releaseTTY()
}

// signalDelay is how long after a Suspend a signal may still have been meant for the other program,
// because Go delivers signals some time later.
const signalDelay = 150 * time.Millisecond

// endGrace is how long a process in the background waits before it uses the terminal again, in case
// a signal asks it to end.
const endGrace = 500 * time.Millisecond

// recentlyLent reports whether another program uses the terminal, or has used it a moment ago.
func (t *Terminal) recentlyLent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loan.active || time.Since(t.loan.returnedAt) < signalDelay
}

// releaseTTY does the work of giveAway. The caller holds t.handover.
func (t *Terminal) releaseTTY() error {
	if !t.writer.flush(flushTime) {
		t.log.Info("the terminal did not take everything before it was given away")
	}
	t.awaitReplies(drainTime)
	t.mu.Lock()
	var out []byte
	out, t.loan.modesLater = t.modes.leaveModes(nil)
	t.loan.active, t.modesDue = true, time.Time{}
	// A report may have been on its way when its mode was switched off (the focus, the mouse), and
	// the next reader would take it for keys: where the terminal has answered all that it was
	// asked, it tells that it has switched them off.
	ends := len(t.probes.replies.attributes) > 0 && !t.probes.inFlight() && t.requests.unanswered == 0
	if ends {
		out = t.probes.appendStep(out, pendingQuestion{question: askEnd})
		t.requests.askedAt = time.Now()
		t.setAnswered(false)
	}
	t.mu.Unlock()
	t.writer.enqueueLast(out)
	if t.writer.flush(flushTime) && ends {
		t.awaitReplies(endReplyTime)
	}
	t.handover.released = true
	close(t.handover.reader.stop)
	err := t.tty.Stop()
	<-t.handover.reader.done
	if t.handover.stderr != nil {
		t.handover.stderr.release()
		t.handover.stderr = nil
	}
	t.disarmGuard()
	return err
}

// takeBack takes the terminal again after giveAway, unless it was closed meanwhile.
func (t *Terminal) takeBack() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	return t.acquireTTY()
}

// acquireTTY does the work of takeBack. The caller holds t.handover.
func (t *Terminal) acquireTTY() error {
	if t.handover.closed || !t.handover.released {
		return nil
	}
	select {
	case <-t.done:
		// asked to end while it was away, perhaps in the background, where touching the terminal
		// would stop us again
		return t.endCause()
	default:
	}
	if d, ok := t.tty.(interface{ background() bool }); ok && d.background() {
		// SIGTERM comes together with SIGCONT when a stopped job is killed. Touching the terminal
		// would stop us again, before we hear of it.
		timer := time.NewTimer(endGrace)
		defer timer.Stop()
		select {
		case <-t.done:
			return t.endCause()
		case <-timer.C:
		}
	}
	if err := t.tty.Start(); err != nil {
		t.endReading(err)
		return err
	}
	t.handover.released = false
	t.startStderrCapture()
	t.mu.Lock()
	// What was on its way when the terminal was given away was drained, or went to who had it.
	t.probes.pending, t.probes.naming = nil, false
	out := t.enterModes(nil)
	t.loan.active, t.loan.returnedAt = false, time.Now()
	out = t.appendQuestions(out)
	if t.modes.active[modeTitle] {
		out = appendTitle(out, t.title, t.caps.Mux)
	}
	t.applyCaps()
	t.mu.Unlock()
	t.writer.enqueueFirst(out)
	t.armGuard()
	t.startReader()
	t.measureSize()
	t.pushEvent(Resumed{})
	return nil
}

// Stop restores the terminal and stops the process group, as Ctrl+Z does in a shell. It returns
// when the process continues. Next then returns Resumed.
func (t *Terminal) Stop() error {
	return t.Suspend(context.Background(), func() error {
		t.stopProcess()
		return nil
	})
}

// Close restores the terminal. It sends what is queued and waits a moment for replies that are
// still to come, so that the shell does not get them. Then it resets the modes, the last one first.
// A second call does nothing. Any goroutine may call it: defer it, and see [Terminal.Recover] for
// other goroutines.
func (t *Terminal) Close() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	if t.handover.closed {
		return nil
	}
	t.handover.closed = true
	var err error
	if !t.handover.released {
		err = t.releaseTTY()
	}
	t.writer.close()
	if t.signals != nil {
		t.signals.stop()
	}
	t.endReading(nil)
	if t.config.Guard != nil {
		t.config.Guard.stop()
	}
	if e := t.closeTTY(); err == nil {
		err = e
	}
	return err
}

// startStderrCapture captures standard error if Config asks for it. If that fails it is only
// logged.
func (t *Terminal) startStderrCapture() {
	if t.config.Stderr == nil || t.config.TTY != nil {
		return
	}
	s, err := captureStderr(t.config.Stderr)
	if err != nil {
		t.log.Warn(err.Error())
		return
	}
	t.handover.stderr = s
}

// closeTTY closes the device if it is an io.Closer.
func (t *Terminal) closeTTY() error {
	if c, ok := t.tty.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// awaitReplies reads until all requests are answered, for at most wait.
func (t *Terminal) awaitReplies(wait time.Duration) {
	t.mu.Lock()
	answered := t.requests.allAnswered
	if t.caps.SSH {
		wait = max(wait, slowDrainTime)
	}
	if !t.awaitsReplies() {
		wait = 0
	}
	t.mu.Unlock()
	if wait == 0 {
		return
	}
	limit := time.NewTimer(wait)
	defer limit.Stop()
	for {
		select {
		case <-answered:
			return
		case <-t.handover.reader.done: // nothing more will come
			return
		case <-limit.C:
			return
		case c := <-t.reads:
			t.feedChunk(c)
		}
	}
}

// Recover restores the terminal after a panic, so that its message can be read, and panics again.
// Use it as `defer t.Recover()` at the top of a goroutine that may panic. A panic in a goroutine
// without it, and a fatal error of the runtime, leave the terminal in raw mode.
func (t *Terminal) Recover() {
	if p := recover(); p != nil {
		t.Close()
		panic(p)
	}
}
