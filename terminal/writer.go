package terminal

import (
	"errors"
	"io"
	"sync"
	"time"
)

// maxPiece is the most bytes of one write to the device. Between pieces the backlog shows how much
// the device has taken, and a long output does not look like a stall.
const maxPiece = 16 << 10

// lateAfter is the longest time that a terminal which keeps up takes for one piece. A slower
// terminal gets no more frames than it can show.
const lateAfter = 100 * time.Millisecond

// writer is the only goroutine that writes to the device. Queued buffers are sent in order and each
// in one piece.
type writer struct {
	out    io.Writer
	onGone func(error) // Called once, on any goroutine, when the device fails or takes nothing for too long.
	// Called when the backlog has fallen to half of the limit after it was above it, or to nothing
	// after the terminal was late.
	onRoom   func()
	limit    int // In bytes.
	patience time.Duration

	mu           sync.Mutex
	queue        [][]byte  // The buffers that have to be sent.
	backlog      int       // The number of bytes that are queued or being sent.
	roomWanted   bool      // isBehind has returned true, so that onRoom has to be called.
	pieceStarted time.Time // When the write of the present piece began; zero: no write is running.
	// A piece took longer than lateAfter, so that onRoom is called only when nothing is queued.
	wasLate      bool
	waitingSince time.Time // Since when bytes have been queued or being sent; zero: none are.
	drainedAt    time.Time // When the device had taken the last byte.
	lastSlow     time.Time // The end of the last time that bytes had waited for longer than lateAfter.
	// How many buffers of queue may be sent; -1: all. The others wait while the terminal is
	// released.
	sendable    int
	sending     bool // A buffer is being sent.
	failed      error
	closed      bool
	dropStrings bool     // Control strings are removed from all output, see Caps.Strings.
	freeBuffers [][]byte // Used buffers, for reuse.
	// Fires when the present piece takes too long; nil: there is no limit.
	watchdog *time.Timer
	// The watchdog runs. It is not stopped after each piece, but compares the times when it fires.
	watchdogRuns bool
	wake         chan struct{} // Receives a value when there is something to do.
	idle         chan struct{} // Closed when nothing is queued or being sent; nil if nobody waits for that.
}

// newWriter returns a writer to out. Its goroutine has to be started by run.
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

// setDropStrings sets whether control strings are removed from what is queued from now on.
func (w *writer) setDropStrings(on bool) {
	w.mu.Lock()
	w.dropStrings = on
	w.mu.Unlock()
}

// copyBytes returns a copy of p in the form in which it is sent. The caller holds w.mu.
func (w *writer) copyBytes(p []byte) []byte {
	if w.dropStrings {
		return appendWithoutStrings(w.takeBuffer(), p)
	}
	return append(w.takeBuffer(), p...)
}

// takeBuffer returns an empty buffer, a used one if possible. The caller holds w.mu.
func (w *writer) takeBuffer() []byte {
	n := len(w.freeBuffers)
	if n == 0 {
		return nil
	}
	b := w.freeBuffers[n-1]
	w.freeBuffers = w.freeBuffers[:n-1]
	return b[:0]
}

// signalWork wakes the goroutine of run.
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

// isBehind reports whether the backlog is above the limit, or whether the terminal takes too long
// for the present piece. If so, onRoom is called later.
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

// addBacklog adds n bytes to the backlog. The caller holds w.mu.
func (w *writer) addBacklog(n int) {
	if w.backlog == 0 && n > 0 {
		w.waitingSince = time.Now()
	}
	w.backlog += n
}

// reduceBacklog removes n bytes from the backlog, which the device has taken. The caller holds
// w.mu.
func (w *writer) reduceBacklog(n int) {
	if w.backlog -= n; w.backlog > 0 {
		return
	}
	w.drainedAt = time.Now()
	if w.drainedAt.Sub(w.waitingSince) > lateAfter {
		w.lastSlow = w.drainedAt
	}
}

// caughtUp returns the two times of [Terminal.CaughtUp].
func (w *writer) caughtUp() (drainedAt, lastSlow time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.backlog > 0 {
		return time.Time{}, w.lastSlow
	}
	return w.drainedAt, w.lastSlow
}

// run sends queued buffers until close is called.
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

// sendOne sends the first buffer of the queue. It returns false if nothing may be sent now.
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

// beginPiece records that the write of a piece begins, and starts the watchdog. The caller holds
// w.mu.
func (w *writer) beginPiece() {
	w.pieceStarted = time.Now()
	if w.watchdog != nil && !w.watchdogRuns {
		w.watchdogRuns = true
		w.watchdog.Reset(w.patience)
	}
}

// checkStall ends the writer if the device has not taken the present piece for too long.
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

// fail ends the writer with an error. What is queued is dropped.
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

// notifyIdle closes idle if nothing is left to send. The caller holds w.mu.
func (w *writer) notifyIdle() {
	if w.idle != nil && (w.failed != nil || !w.sending && w.nothingToSend()) {
		close(w.idle)
		w.idle = nil
	}
}

// nothingToSend reports whether the queue is empty or waits. The caller holds w.mu.
func (w *writer) nothingToSend() bool { return len(w.queue) == 0 || w.sendable == 0 }

// enqueueLast queues p as the last bytes before the terminal is released. Bytes that are queued
// later wait for enqueueFirst.
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

// enqueueFirst queues p before all bytes that wait, and lets all of them be sent.
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

// flush waits until everything that may be sent is sent, for at most d. It returns false if that
// took too long or has failed.
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

// close ends the goroutine of run when the queue is empty.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signalWork()
}

// Backlog returns the number of bytes that the terminal has not taken yet.
func (t *Terminal) Backlog() int { return t.writer.backlogBytes() }

// Behind reports whether the next frame should wait for [Drained]. It should if the backlog is
// above Config.BacklogLimit, or if the terminal has taken more than 100 ms for the last bytes, as
// on a slow connection: more frames would only delay the answer to a key.
func (t *Terminal) Behind() bool { return t.writer.isBehind() }

// CaughtUp returns two times. drainedAt is when the terminal had taken the last byte, or zero while
// bytes wait. lastSlow is the last time at which it took bytes that had waited for more than 100
// ms.
func (t *Terminal) CaughtUp() (drainedAt, lastSlow time.Time) { return t.writer.caughtUp() }
