package terminal

import (
	"errors"
	"io"
	"sync"
	"time"
)

// piece is how much is handed to the device at once, in bytes: what it has taken shows in the
// backlog, and a long write cannot look like a stall.
const piece = 16 << 10

// late is how long a terminal that keeps up takes for a piece at most: one that takes longer gets
// no more frames than it can show.
const late = 100 * time.Millisecond

// writer is the only goroutine that writes to the device. What was queued goes out whole and in
// order.
type writer struct {
	out  io.Writer
	gone func(error) // the device failed or takes nothing; called once, on any goroutine
	// The backlog fell to half of the limit after having been above it, or to nothing after the
	// terminal was late.
	room     func()
	limit    int // bytes
	patience time.Duration

	mu      sync.Mutex
	queue   [][]byte  // what is to be sent
	backlog int       // bytes of queue and of what is being sent
	above   bool      // somebody was told that the terminal is behind, and waits for room
	since   time.Time // when the piece that is being written was begun; zero if none is
	slow    bool      // it was behind because of late: there is room when nothing is left
	waits   time.Time // since when something has been waiting, or being sent; zero: nothing is
	taken   time.Time // when the device had taken the last of it
	even    time.Time // the end of the last time that something waited for longer than late
	allowed int       // how many of queue may be sent; -1: all. The rest is kept while the terminal is given away
	busy    bool      // a write is under way
	failed  error
	closed  bool
	plain   bool          // strings are left out, see Caps.Strings
	free    [][]byte      // buffers to use again
	watch   *time.Timer   // looks whether the piece that is being written takes too long; nil: nobody does
	watched bool          // watch runs: it is not stopped with each piece, but finds out when its time comes
	wake    chan struct{} // something to do
	idle    chan struct{} // closed when nothing is under way and nothing queued; nil if nobody waits
}

func newWriter(out io.Writer, limit int, patience time.Duration, gone func(error), room func()) *writer {
	w := &writer{out: out, limit: limit, patience: patience, gone: gone, room: room, allowed: -1,
		wake: make(chan struct{}, 1)}
	w.taken = time.Now()
	w.even = w.taken
	if patience > 0 {
		w.watch = time.AfterFunc(patience, w.look)
		w.watch.Stop()
	}
	return w
}

// put queues a copy of p.
func (w *writer) put(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.failed != nil:
		return 0, w.failed
	case w.closed:
		return 0, ErrClosed
	case len(p) == 0:
		return 0, nil
	}
	b := w.copy(p)
	w.queue = append(w.queue, b)
	w.grow(len(b))
	if w.backlog > w.limit {
		w.above = true
	}
	w.signal()
	return len(p), nil
}

// shut says whether strings are left out of what is queued from now on.
func (w *writer) shut(on bool) {
	w.mu.Lock()
	w.plain = on
	w.mu.Unlock()
}

// copy returns a copy of p as it is sent. mu is held.
func (w *writer) copy(p []byte) []byte {
	if w.plain {
		return appendWithoutStrings(w.buffer(), p)
	}
	return append(w.buffer(), p...)
}

// buffer returns an empty buffer, a used one if there is one. mu is held.
func (w *writer) buffer() []byte {
	n := len(w.free)
	if n == 0 {
		return nil
	}
	b := w.free[n-1]
	w.free = w.free[:n-1]
	return b[:0]
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// waiting returns the backlog in bytes.
func (w *writer) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.backlog
}

// behind reports whether more waits than the limit, or the terminal has been late with what it was
// given. room follows.
func (w *writer) behind() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return false
	}
	if !w.since.IsZero() && time.Since(w.since) > late {
		w.above, w.slow = true, true
	}
	return w.slow || w.backlog > w.limit
}

// grow notes n bytes more that wait. mu is held.
func (w *writer) grow(n int) {
	if w.backlog == 0 && n > 0 {
		w.waits = time.Now()
	}
	w.backlog += n
}

// shrink notes n bytes that the device has taken. mu is held.
func (w *writer) shrink(n int) {
	if w.backlog -= n; w.backlog > 0 {
		return
	}
	w.taken = time.Now()
	if w.taken.Sub(w.waits) > late {
		w.even = w.taken
	}
}

// keeps is [Terminal.Taken].
func (w *writer) keeps() (all, even time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.backlog > 0 {
		return time.Time{}, w.even
	}
	return w.taken, w.even
}

// run sends until close.
func (w *writer) run() {
	for range w.wake {
		for w.sendOne() {
		}
		w.mu.Lock()
		done := w.closed && (w.nothing() || w.failed != nil)
		w.mu.Unlock()
		if done {
			if w.watch != nil {
				w.watch.Stop()
			}
			return
		}
	}
}

// sendOne sends the first of the queue; false: there is nothing to send now.
func (w *writer) sendOne() bool {
	w.mu.Lock()
	if w.nothing() || w.failed != nil {
		w.settle()
		w.mu.Unlock()
		return false
	}
	p := w.queue[0]
	n := copy(w.queue, w.queue[1:])
	w.queue[n] = nil
	w.queue = w.queue[:n]
	if w.allowed > 0 {
		w.allowed--
	}
	w.busy = true
	whole := p
	var err error
	for len(p) > 0 && err == nil {
		n := min(len(p), piece)
		w.begin()
		w.mu.Unlock()
		err = w.write(p[:n])
		p = p[n:]
		w.mu.Lock()
		w.since = time.Time{}
		if w.failed == nil {
			w.shrink(n)
		}
		if w.above && (w.backlog == 0 || !w.slow && w.backlog <= w.limit/2) {
			w.above, w.slow = false, false
			w.mu.Unlock()
			w.room()
			w.mu.Lock()
		}
	}
	w.busy = false
	if cap(whole) <= 4*piece && len(w.free) < 4 {
		w.free = append(w.free, whole)
	}
	w.mu.Unlock()
	if err != nil {
		w.fail(err)
		return false
	}
	return true
}

// begin notes when the device is given a piece, and sees to it that somebody watches. mu is held.
func (w *writer) begin() {
	w.since = time.Now()
	if w.watch != nil && !w.watched {
		w.watched = true
		w.watch.Reset(w.patience)
	}
}

// look gives up if the device has not taken a piece for too long.
func (w *writer) look() {
	w.mu.Lock()
	writing := !w.since.IsZero()
	left := w.patience - time.Since(w.since)
	if w.watched = writing && left > 0; w.watched {
		w.watch.Reset(left)
	}
	w.mu.Unlock()
	if writing && left <= 0 {
		w.fail(errStalled)
	}
}

// write hands one piece to the device.
func (w *writer) write(p []byte) error {
	n, err := w.out.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

var errStalled = errors.New("terminal: it has taken nothing for a long time")

// fail ends the writer for good: what is queued is dropped.
func (w *writer) fail(err error) {
	w.mu.Lock()
	first := w.failed == nil
	if first {
		w.failed = err
		w.queue, w.backlog = nil, 0
	}
	w.settle()
	w.mu.Unlock()
	if first {
		w.gone(err)
	}
	w.signal()
}

// settle tells who waits that nothing is left. mu is held.
func (w *writer) settle() {
	if w.idle != nil && (w.failed != nil || !w.busy && w.nothing()) {
		close(w.idle)
		w.idle = nil
	}
}

// nothing reports whether nothing may be sent. mu is held.
func (w *writer) nothing() bool { return len(w.queue) == 0 || w.allowed == 0 }

// last queues p as the last bytes before the terminal is given away: what is queued from now on is
// kept until first.
func (w *writer) last(p []byte) {
	w.mu.Lock()
	if w.failed == nil {
		b := w.copy(p)
		w.queue = append(w.queue, b)
		w.grow(len(b))
		w.allowed = len(w.queue)
	}
	w.mu.Unlock()
	w.signal()
}

// first sends p before everything that was kept, and then that too.
func (w *writer) first(p []byte) {
	w.mu.Lock()
	if w.failed == nil {
		b := w.copy(p)
		w.queue = append([][]byte{b}, w.queue...)
		w.grow(len(b))
		w.allowed = -1
	}
	w.mu.Unlock()
	w.signal()
}

// flush waits until everything that was queued has been sent, at most for d. It reports whether it
// was.
func (w *writer) flush(d time.Duration) bool {
	w.mu.Lock()
	if w.failed != nil || !w.busy && w.nothing() {
		ok := w.failed == nil
		w.mu.Unlock()
		return ok
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	w.signal()
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-idle:
		return true
	case <-limit.C:
		return false
	}
}

// close ends the goroutine once the queue is empty.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
}
