package terminal

import (
	"errors"
	"io"
	"sync"
	"time"
)

// maxPiece is the most bytes of one write to the device: so the backlog shows what it has taken,
// and a long write cannot look like a stall.
const maxPiece = 16 << 10

// lateAfter is the longest time for a piece in a terminal that keeps up. A slower one gets no more
// frames than it can show.
const lateAfter = 100 * time.Millisecond

// writer is the only goroutine that writes to the device. Each queued buffer goes out in one piece
// and in order.
type writer struct {
	out    io.Writer
	onGone func(error) // the device failed or takes nothing; called once, on any goroutine
	// The backlog fell to half of the limit after it was above it, or to nothing after the terminal
	// was late.
	onRoom   func()
	limit    int // bytes
	patience time.Duration

	mu           sync.Mutex
	queue        [][]byte  // what is to be sent
	backlog      int       // bytes that are queued or being sent
	roomWanted   bool      // somebody was told that the terminal is behind, and waits for onRoom
	pieceStarted time.Time // when the device got the piece that is being written; zero: none is
	wasLate      bool      // a piece took longer than lateAfter: onRoom waits until nothing is queued
	waitingSince time.Time // since when something has been queued or being sent; zero: nothing is
	drainedAt    time.Time // when the device had taken the last byte
	lastSlow     time.Time // the end of the last time that something waited for longer than lateAfter
	// How many buffers of queue may be sent; -1: all. The others wait while the terminal is given
	// away.
	sendable    int
	sending     bool // a write is under way
	failed      error
	closed      bool
	dropStrings bool     // strings are left out, see Caps.Strings
	freeBuffers [][]byte // for reuse
	// Fires when the piece that is being written takes too long; nil: there is no limit.
	watchdog     *time.Timer
	watchdogRuns bool          // it is not stopped after each piece, but compares the times when it fires
	wake         chan struct{} // something to do
	idle         chan struct{} // closed when nothing is queued or being sent; nil if nobody waits
}

// newWriter returns a writer to out that does not run yet.
func newWriter(out io.Writer, limit int, patience time.Duration, onGone func(error), onRoom func()) *writer {
	w := &writer{out: out, limit: limit, patience: patience, onGone: onGone, onRoom: onRoom, sendable: -1,
		wake: make(chan struct{}, 1)}
	w.drainedAt = time.Now()
	w.lastSlow = w.drainedAt
	if patience > 0 {
		w.watchdog = time.AfterFunc(patience, w.checkStall)
		w.watchdog.Stop()
	}
	return w
}

// enqueue queues a copy of p.
func (w *writer) enqueue(p []byte) (int, error) {
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
	b := w.copyBytes(p)
	w.queue = append(w.queue, b)
	w.addBacklog(len(b))
	if w.backlog > w.limit {
		w.roomWanted = true
	}
	w.signalWork()
	return len(p), nil
}

// setDropStrings sets whether strings are left out of what is queued from now on.
func (w *writer) setDropStrings(on bool) {
	w.mu.Lock()
	w.dropStrings = on
	w.mu.Unlock()
}

// copyBytes returns a copy of p as it is sent. mu is held.
func (w *writer) copyBytes(p []byte) []byte {
	if w.dropStrings {
		return appendWithoutStrings(w.takeBuffer(), p)
	}
	return append(w.takeBuffer(), p...)
}

// takeBuffer returns an empty buffer, a used one if there is one. mu is held.
func (w *writer) takeBuffer() []byte {
	n := len(w.freeBuffers)
	if n == 0 {
		return nil
	}
	b := w.freeBuffers[n-1]
	w.freeBuffers = w.freeBuffers[:n-1]
	return b[:0]
}

// signalWork wakes run.
func (w *writer) signalWork() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// backlogBytes returns the backlog in bytes.
func (w *writer) backlogBytes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.backlog
}

// isBehind reports whether the backlog is above the limit, or the terminal late with its last
// piece. onRoom follows.
func (w *writer) isBehind() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return false
	}
	if !w.pieceStarted.IsZero() && time.Since(w.pieceStarted) > lateAfter {
		w.roomWanted, w.wasLate = true, true
	}
	return w.wasLate || w.backlog > w.limit
}

// addBacklog notes n more bytes that wait. mu is held.
func (w *writer) addBacklog(n int) {
	if w.backlog == 0 && n > 0 {
		w.waitingSince = time.Now()
	}
	w.backlog += n
}

// reduceBacklog notes n bytes that the device has taken. mu is held.
func (w *writer) reduceBacklog(n int) {
	if w.backlog -= n; w.backlog > 0 {
		return
	}
	w.drainedAt = time.Now()
	if w.drainedAt.Sub(w.waitingSince) > lateAfter {
		w.lastSlow = w.drainedAt
	}
}

// caughtUp returns the times of [Terminal.CaughtUp].
func (w *writer) caughtUp() (drainedAt, lastSlow time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.backlog > 0 {
		return time.Time{}, w.lastSlow
	}
	return w.drainedAt, w.lastSlow
}

// run sends until close.
func (w *writer) run() {
	for range w.wake {
		for w.sendOne() {
		}
		w.mu.Lock()
		done := w.closed && (w.nothingToSend() || w.failed != nil)
		w.mu.Unlock()
		if done {
			if w.watchdog != nil {
				w.watchdog.Stop()
			}
			return
		}
	}
}

// sendOne sends the first buffer of the queue. It returns false if there is nothing to send now.
func (w *writer) sendOne() bool {
	w.mu.Lock()
	if w.nothingToSend() || w.failed != nil {
		w.notifyIdle()
		w.mu.Unlock()
		return false
	}
	p := w.queue[0]
	n := copy(w.queue, w.queue[1:])
	w.queue[n] = nil
	w.queue = w.queue[:n]
	if w.sendable > 0 {
		w.sendable--
	}
	w.sending = true
	sent := p
	var err error
	for len(p) > 0 && err == nil {
		n := min(len(p), maxPiece)
		w.beginPiece()
		w.mu.Unlock()
		err = w.writePiece(p[:n])
		p = p[n:]
		w.mu.Lock()
		w.pieceStarted = time.Time{}
		if w.failed == nil {
			w.reduceBacklog(n)
		}
		if w.roomWanted && (w.backlog == 0 || !w.wasLate && w.backlog <= w.limit/2) {
			w.roomWanted, w.wasLate = false, false
			w.mu.Unlock()
			w.onRoom()
			w.mu.Lock()
		}
	}
	w.sending = false
	if cap(sent) <= 4*maxPiece && len(w.freeBuffers) < 4 {
		w.freeBuffers = append(w.freeBuffers, sent)
	}
	w.mu.Unlock()
	if err != nil {
		w.fail(err)
		return false
	}
	return true
}

// beginPiece notes that the device gets a piece, and starts the watchdog. mu is held.
func (w *writer) beginPiece() {
	w.pieceStarted = time.Now()
	if w.watchdog != nil && !w.watchdogRuns {
		w.watchdogRuns = true
		w.watchdog.Reset(w.patience)
	}
}

// checkStall gives up if the device has not taken a piece for too long.
func (w *writer) checkStall() {
	w.mu.Lock()
	writing := !w.pieceStarted.IsZero()
	remaining := w.patience - time.Since(w.pieceStarted)
	if w.watchdogRuns = writing && remaining > 0; w.watchdogRuns {
		w.watchdog.Reset(remaining)
	}
	w.mu.Unlock()
	if writing && remaining <= 0 {
		w.fail(errStalled)
	}
}

// writePiece writes one piece to the device.
func (w *writer) writePiece(p []byte) error {
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
	w.notifyIdle()
	w.mu.Unlock()
	if first {
		w.onGone(err)
	}
	w.signalWork()
}

// notifyIdle closes idle if nothing is left to send. mu is held.
func (w *writer) notifyIdle() {
	if w.idle != nil && (w.failed != nil || !w.sending && w.nothingToSend()) {
		close(w.idle)
		w.idle = nil
	}
}

// nothingToSend reports whether nothing may be sent. mu is held.
func (w *writer) nothingToSend() bool { return len(w.queue) == 0 || w.sendable == 0 }

// enqueueLast queues p as the last bytes before the terminal is given away. Bytes that are queued
// after it wait for enqueueFirst.
func (w *writer) enqueueLast(p []byte) {
	w.mu.Lock()
	if w.failed == nil {
		b := w.copyBytes(p)
		w.queue = append(w.queue, b)
		w.addBacklog(len(b))
		w.sendable = len(w.queue)
	}
	w.mu.Unlock()
	w.signalWork()
}

// enqueueFirst sends p before all bytes that wait, and then those.
func (w *writer) enqueueFirst(p []byte) {
	w.mu.Lock()
	if w.failed == nil {
		b := w.copyBytes(p)
		w.queue = append([][]byte{b}, w.queue...)
		w.addBacklog(len(b))
		w.sendable = -1
	}
	w.mu.Unlock()
	w.signalWork()
}

// flush waits until everything that was queued has been sent, at most for d. It reports whether it
// was.
func (w *writer) flush(d time.Duration) bool {
	w.mu.Lock()
	if w.failed != nil || !w.sending && w.nothingToSend() {
		ok := w.failed == nil
		w.mu.Unlock()
		return ok
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	w.signalWork()
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
	w.signalWork()
}

// Backlog returns the number of bytes that the terminal has not taken yet.
func (t *Terminal) Backlog() int { return t.writer.backlogBytes() }

// Behind reports whether a frame should wait for [Drained]. That is so if the backlog is above
// Config.BacklogLimit. It is so, too, if the terminal has taken more than 100 ms for the last
// bytes, as on a slow line: frames would only queue up before the answer to a key.
func (t *Terminal) Behind() bool { return t.writer.isBehind() }

// CaughtUp returns two times. drainedAt is when the terminal had taken the last byte, zero while
// something waits. lastSlow is when it last took something that had waited for more than 100 ms.
func (t *Terminal) CaughtUp() (drainedAt, lastSlow time.Time) { return t.writer.caughtUp() }
