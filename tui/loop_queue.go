package tui

import (
	"sync"
	"time"
)

// maxQueuedBytes is how many bytes a writer may be ahead of the screen before it waits.
const maxQueuedBytes = 1 << 20

// op is one operation for the loop. All are done in the order in which they were queued, whoever
// queued them.
type op struct {
	kind  opKind
	block *Block
	data  []byte
	lines []Line
	fn    func()
	event Event
	at    time.Time // of event: when it was read
	text  string
	rows  int // of opDone: the number of rows that become final
	err   error
}

// opKind is the kind of an operation. The comments name the fields that it uses.
type opKind uint8

const (
	opDo     opKind = iota // fn
	opEvent                // event
	opWrite                // data: plain text at the end of the transcript
	opPrint                // lines
	opAppend               // block
	opUpdate               // fn, then block is redrawn
	opStream               // data into block
	opDone                 // block
	opAbort                // block, text
	opLine                 // text: a line of standard input
	opQuiet                // fn, of this package: nothing has to be drawn
	opShown                // fn, once everything before it is shown
	opFlush                // the same, in a frame that waits for no other
	opGone                 // err: the terminal is gone
)

// frameUrgency returns how soon the frame has to come for which the caller waits.
func (k opKind) frameUrgency() urgency {
	if k == opFlush {
		return flushed
	}
	return ordinary
}

// queue is the only way to the loop: unbounded, in order, never waiting. Only writers wait, while
// the screen is too far behind.
type queue struct {
	mu             sync.Mutex
	roomCond       sync.Cond // writers wait here
	ops            []op
	spareOps       []op     // the operations that the loop has done, for reuse
	buffers        [][]byte // of writes that the loop has done, for reuse
	waitingWriters int      // in roomCond
	queuedBytes    int      // written, not taken by the loop yet
	unshownBytes   int      // taken by the loop, not handed to the renderer yet
	crowded        bool     // more than four windows of final rows wait
	// Above 0 the loop is in a callback, and no writer waits: a callback that writes, or waits for
	// a lock of a writer, would wait for ever.
	callbacks int
	writers   int // of NewANSI, that are not closed
	closed    bool
	idle      bool          // the loop has nothing to do but animations
	wake      chan struct{} // wakes the loop; of size 1
}

// newQueue returns a queue. Writers do not wait before allowWaiting.
func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1), callbacks: 1} // nobody waits before Run either, see open
	q.roomCond.L = &q.mu
	return q
}

// add queues o. It returns false after close.
func (q *queue) add(o op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.push(o)
	return true
}

// push appends o. mu is held.
func (q *queue) push(o op) {
	q.idle = false
	q.ops = append(q.ops, o)
	q.signal()
}

// signal wakes the loop.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// write queues a copy of p for b, or for the end of the transcript if b is nil, once the queue has
// room. It returns ErrClosed after close, or if b was closed.
func write[T []byte | string](q *queue, b *Block, p T) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.waitForRoom(b) {
		return 0, ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	q.queuedBytes += len(p)
	kind := opWrite
	if b != nil {
		kind = opStream
	}
	if n := len(q.ops); n > 0 && q.ops[n-1].kind == kind && q.ops[n-1].block == b {
		q.ops[n-1].data = append(q.ops[n-1].data, p...)
		return len(p), nil // whoever queued that op has signalled
	}
	q.push(op{kind: kind, block: b, data: append(q.takeBuffer(), p...)})
	return len(p), nil
}

// takeBuffer returns an empty buffer, a used one if there is one. mu is held.
func (q *queue) takeBuffer() []byte {
	n := len(q.buffers)
	if n == 0 {
		return nil
	}
	b := q.buffers[n-1]
	q.buffers = q.buffers[:n-1]
	return b
}

// recycleBuffers keeps the small buffers of ops that were done. mu is held.
func (q *queue) recycleBuffers(ops []op) {
	for _, o := range ops {
		if n := cap(o.data); n > 0 && n <= 4<<10 && len(q.buffers) < 8 {
			q.buffers = append(q.buffers, o.data[:0])
		}
	}
	clear(ops)
}

// waitForRoom waits until a writer may write. It returns false after close, or if b was closed. mu
// is held.
func (q *queue) waitForRoom(b *Block) bool {
	for q.isOverLimit() && q.callbacks == 0 && !q.closed && (b == nil || !b.closed) {
		q.waitingWriters++
		q.roomCond.Wait()
		q.waitingWriters--
	}
	return !q.closed && (b == nil || !b.closed)
}

// print queues final rows once the queue has room.
func (q *queue) print(lines []Line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waitForRoom(nil) {
		for _, l := range lines {
			q.queuedBytes += wireSize(l)
		}
		q.push(op{kind: opPrint, lines: lines})
	}
}

// isOverLimit reports whether writers have to wait. mu is held.
func (q *queue) isOverLimit() bool { return q.crowded || q.queuedBytes+q.unshownBytes > maxQueuedBytes }

// closeBlock queues the last op of b, once.
func (q *queue) closeBlock(b *Block, o op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if b.closed || q.closed {
		return false
	}
	b.closed = true
	q.push(o)
	if q.waitingWriters > 0 {
		q.roomCond.Broadcast()
	}
	return true
}

// takeAll returns everything that is queued. The loop may use it until the next takeAll.
func (q *queue) takeAll() []op {
	q.mu.Lock()
	defer q.mu.Unlock()
	ops := q.ops
	q.recycleBuffers(q.spareOps)
	q.ops, q.spareOps = q.spareOps[:0], ops
	q.unshownBytes += q.queuedBytes
	q.queuedBytes = 0
	return ops
}

// reportBacklog sets how far the screen is behind: unshown are the bytes not yet handed to the
// renderer, crowded says that too many final rows wait.
func (q *queue) reportBacklog(unshown int, crowded bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unshownBytes, q.crowded = unshown, crowded
	if q.waitingWriters > 0 && !q.isOverLimit() {
		q.roomCond.Broadcast()
	}
}

// blockWriters makes writers wait until the next reportBacklog.
func (q *queue) blockWriters() {
	q.mu.Lock()
	q.crowded = true
	q.mu.Unlock()
}

// allowWaiting begins the time in which writers may wait.
func (q *queue) allowWaiting() { q.leaveCallback() }

// enterCallback and leaveCallback have to be called around every callback.
func (q *queue) enterCallback() {
	q.mu.Lock()
	q.callbacks++
	if q.waitingWriters > 0 {
		q.roomCond.Broadcast()
	}
	q.mu.Unlock()
}

// leaveCallback ends what enterCallback began.
func (q *queue) leaveCallback() {
	q.mu.Lock()
	q.callbacks--
	q.mu.Unlock()
}

// inCallback reports whether the loop is in a callback, or has not begun.
func (q *queue) inCallback() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.callbacks > 0
}

// addWriters adds n to the number of open writers. Without a terminal the program does not end
// before they are closed.
func (q *queue) addWriters(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writers += n
	q.signal()
}

// hasOpenWriter reports whether a writer is open.
func (q *queue) hasOpenWriter() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writers > 0
}

// setIdle notes whether the loop has nothing to do but animations, now that the queue is empty.
func (q *queue) setIdle(yes bool) {
	q.mu.Lock()
	q.idle = yes && len(q.ops) == 0
	q.mu.Unlock()
}

// isIdle reports the last setIdle, unless something was queued since.
func (q *queue) isIdle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.idle || q.closed
}

// isClosed reports whether the queue was closed.
func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// close ends the queue. Queued operations can still be taken.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.roomCond.Broadcast()
}
