package terminal

import (
	"context"
	"io"
	"sync"
	"time"
)

// Suspend gives the terminal to f with all modes restored and takes it back after; what is written
// meanwhile waits. When it is ours again, Next returns Resize, if the size has changed, and then
// Resumed. The error is that of f, or that the terminal could not be given or taken. ctx ends only
// the wait for another Suspend.
func (t *Terminal) Suspend(ctx context.Context, f func() error) (err error) {
	if err := lock(ctx, t.suspend.TryLock); err != nil {
		return err
	}
	defer t.suspend.Unlock()
	if err := t.give(); err != nil {
		return err
	}
	defer func() { // also when f panics
		if e := t.regain(); err == nil {
			err = e
		}
	}()
	return f()
}

// Lend is Suspend for a program that runs inside of this one: f gets the device, stopped, and may
// start and stop it as it likes; afterwards it is stopped. What f has read and not used it gives
// back with Unread.
func (t *Terminal) Lend(ctx context.Context, f func(*Lent) error) error {
	return t.Suspend(ctx, func() error {
		l := &Lent{TTY: t.tty}
		t.mu.Lock()
		t.lease = l
		t.mu.Unlock()
		defer func() {
			t.mu.Lock()
			t.lease = nil
			t.mu.Unlock()
			_ = t.tty.Stop()
			if l.lines != nil {
				l.lines.close()
			}
			if len(l.back) > 0 {
				t.feed(chunk{l.back, time.Now()})
			}
		}()
		return f(l)
	})
}

// Lent is the device while somebody else has it.
type Lent struct {
	TTY
	mu     sync.Mutex
	notify func()
	back   []byte
	lines  *lines // of Lines
}

// NotifyResize calls f, from any goroutine, when the size may have changed; nil ends that.
func (l *Lent) NotifyResize(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notify = f
}

// Unread gives back bytes that were read: they are input of the terminal when it is taken again. p
// is copied.
func (l *Lent) Unread(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = append(l.back, p...)
}

// sizeMayHaveChanged is called by the device.
func (t *Terminal) sizeMayHaveChanged() {
	poke(t.resized)
	t.mu.Lock()
	l := t.lease
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

// lock waits for try in small steps: Suspend inside Suspend is a mistake that a context can end.
func lock(ctx context.Context, try func() bool) error {
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

// give restores the terminal and stops using it.
func (t *Terminal) give() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	switch {
	case t.closed:
		return ErrClosed
	case t.away: // it could not be taken back
		return t.why()
	}
	return t.release()
}

// lateSignal is how long after a hand-over a signal may still be one that was meant for the other
// program: Go delivers it some time later.
const lateSignal = 150 * time.Millisecond

// endGrace is how long a process that goes on in the background waits for a signal to end before it
// touches the terminal.
const endGrace = 500 * time.Millisecond

// lent reports whether another program has the terminal, or had it a moment ago.
func (t *Terminal) lent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.given || time.Since(t.back) < lateSignal
}

// release is give without the lock.
func (t *Terminal) release() error {
	if !t.w.flush(flushTime) {
		t.log.Info("the terminal did not take everything before it was given away")
	}
	t.drain(drainTime)
	t.mu.Lock()
	var out []byte
	out, t.again = t.modes.leave(nil)
	t.given = true
	// A report may have been on its way when its mode was switched off (the focus, the mouse), and
	// the next reader would take it for keys: where the terminal has answered all that it was
	// asked, it tells that it has switched them off.
	ends := len(t.probes.got.attributes) > 0 && !t.probes.under() && t.asked == 0
	if ends {
		out = t.probes.ask(out, askEnd, 0)
		t.askedAt = time.Now()
		t.setAnswered(false)
	}
	t.mu.Unlock()
	t.w.last(out)
	if t.w.flush(flushTime) && ends {
		t.drain(endTime)
	}
	t.away = true
	close(t.reader.stop)
	err := t.tty.Stop()
	<-t.reader.done
	if t.stderr != nil {
		t.stderr.release()
		t.stderr = nil
	}
	t.disarm()
	return err
}

// regain takes the terminal again, unless it was closed meanwhile.
func (t *Terminal) regain() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	return t.acquire()
}

// acquire is regain without the lock.
func (t *Terminal) acquire() error {
	if t.closed || !t.away {
		return nil
	}
	select {
	case <-t.done:
		// asked to end while it was away, perhaps in the background, where touching the terminal
		// would stop us again
		return t.why()
	default:
	}
	if d, ok := t.tty.(interface{ background() bool }); ok && d.background() {
		// SIGTERM comes together with SIGCONT when a stopped job is killed. Touching the terminal
		// would stop us again, before we hear of it.
		timer := time.NewTimer(endGrace)
		defer timer.Stop()
		select {
		case <-t.done:
			return t.why()
		case <-timer.C:
		}
	}
	if err := t.tty.Start(); err != nil {
		t.die(err)
		return err
	}
	t.away = false
	t.captureStderr()
	t.mu.Lock()
	out := t.modes.enter(nil, t.again)
	t.given, t.back = false, time.Now()
	if t.modes.on[modeTitle] {
		out = appendTitle(out, t.title, t.caps.Mux)
	}
	t.settle()
	t.mu.Unlock()
	t.w.first(out)
	t.arm()
	t.read()
	t.measure()
	t.push(Resumed{})
	return nil
}

// Stop stops the process group as Ctrl+Z does in a shell, with the terminal restored. It returns
// when the process goes on; then Next returns Resumed.
func (t *Terminal) Stop() error {
	return t.Suspend(context.Background(), func() error {
		t.stopProcess()
		return nil
	})
}

// Close restores the terminal: it sends what is queued, waits a moment for replies that are under
// way, so that the shell does not get them, and resets in the opposite order what was set.
// Idempotent, any goroutine; put it into a defer, and see [Terminal.Recover] for other goroutines.
func (t *Terminal) Close() error {
	t.handover.Lock()
	defer t.handover.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	var err error
	if !t.away {
		err = t.release()
	}
	t.w.close()
	if t.sig != nil {
		t.sig.stop()
	}
	t.die(nil)
	if t.conf.Guard != nil {
		t.conf.Guard.stop()
	}
	if e := t.closeTTY(); err == nil {
		err = e
	}
	return err
}

// captureStderr takes standard error if that was asked for. Failing to is no reason not to start.
func (t *Terminal) captureStderr() {
	if t.conf.Stderr == nil || t.conf.TTY != nil {
		return
	}
	s, err := captureStderr(t.conf.Stderr)
	if err != nil {
		t.log.Warn(err.Error())
		return
	}
	t.stderr = s
}

func (t *Terminal) closeTTY() error {
	if c, ok := t.tty.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// drain reads on until the questions that are under way have their answers, or will not have them.
func (t *Terminal) drain(wait time.Duration) {
	t.mu.Lock()
	answered := t.answered
	if t.caps.SSH {
		wait = max(wait, drainSlow)
	}
	if !t.outstanding() {
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
		case <-t.reader.done: // nothing more will come
			return
		case <-limit.C:
			return
		case c := <-t.reads:
			t.feed(c)
		}
	}
}

// Recover is for `defer t.Recover()` at the top of a goroutine that may panic: it restores the
// terminal first, so that the message can be read, and panics on. A panic in a goroutine without
// it, and the runtime's fatal errors, leave the terminal raw.
func (t *Terminal) Recover() {
	if p := recover(); p != nil {
		t.Close()
		panic(p)
	}
}
