package tui

import (
	"sync"
	"time"
)

// maxQueuedBytes is the number of bytes by which writers may be ahead of the screen before they
// block.
const maxQueuedBytes = 1 << 20

// op is one queued operation for the loop. Operations of all goroutines are carried out in the
// order in which they were queued.
type op struct {
	kind  opKind
	block *Block
	data  []byte
	lines []Line
	fn    func()
	event Event
	at    time.Time // time at which event was read
	text  string
	rows  int // for opDone: the number of rows that become final
	err   error
}

// opKind is the kind of an operation. The comments of its values name the fields of op that it
// uses.
type opKind uint8

const (
	opDo     opKind = iota // calls fn
	opEvent                // handles event
	opWrite                // appends data as plain text to the transcript
	opPrint                // appends lines to the transcript
	opAppend               // appends block to the transcript
	opUpdate               // calls fn, then redraws block
	opStream               // writes data to block
	opDone                 // makes block final
	opAbort                // ends block with the message text
	opLine                 // takes text as a line of standard input
	opQuiet                // calls fn, an internal function after which nothing needs to be drawn
	opShown                // calls fn once everything queued before it is shown
	opFlush                // like opShown, but in a frame that does not wait
	opGone                 // reports with err that the terminal is gone
)

// frameUrgency returns the urgency of the frame that an opShown or opFlush waits for.
func (k opKind) frameUrgency() urgency {
	if k == opFlush {
		return flushed
	}
	return ordinary
}

// queue passes operations to the loop, in order, from all goroutines. It is unbounded, and adding
// never blocks. Only writers block while the screen is too far behind.
type queue struct {
	mu             sync.Mutex
	roomCond       sync.Cond // writers wait on it
	ops            []op
	spareOps       []op     // slice of operations that were carried out, for reuse
	buffers        [][]byte // data of writes that were carried out, for reuse
	waitingWriters int      // number of writers that wait on roomCond
	queuedBytes    int      // number of written bytes that the loop has not taken yet
	unshownBytes   int      // number of bytes that the loop has taken but not passed to the renderer
	crowded        bool     // more than four windows of final rows wait to be shown
	// callbackDepth is above 0 while the loop runs a callback. No writer blocks in that time: a
	// callback that writes, or waits for a lock that a writer holds, would wait forever.
	callbackDepth int
	openWriters   int // number of writers of NewANSI that are not closed
	closed        bool
	idle          bool          // the loop has nothing to do except animations
	wake          chan struct{} // wakes the loop; has a buffer of one
}

// newQueue returns an empty queue. Writers do not block before the call of allowWaiting.
func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1), callbackDepth: 1} // nobody waits before Run either, see open
	q.roomCond.L = &q.mu
	return q
}

// add queues o. It returns false if the queue is closed.
func (q *queue) add(o op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.push(o)
	return true
}

// push appends o and wakes the loop. The caller must hold q.mu.
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

// write waits until the queue has room, and queues a copy of p for b, or for the end of the
// transcript if b is nil. It returns ErrClosed if the queue or b is closed.
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

// takeBuffer returns an empty buffer, reusing an old one if possible. The caller must hold q.mu.
func (q *queue) takeBuffer() []byte {
	n := len(q.buffers)
	if n == 0 {
		return nil
	}
	b := q.buffers[n-1]
	q.buffers = q.buffers[:n-1]
	return b
}

// recycleBuffers keeps small buffers of finished operations for reuse. The caller must hold q.mu.
func (q *queue) recycleBuffers(ops []op) {
	for _, o := range ops {
		if n := cap(o.data); n > 0 && n <= 4<<10 && len(q.buffers) < 8 {
			q.buffers = append(q.buffers, o.data[:0])
		}
	}
	clear(ops)
}

// waitForRoom waits until a writer to b may write. It returns false if the queue or b is closed.
// The caller must hold q.mu.
func (q *queue) waitForRoom(b *Block) bool {
	for q.isOverLimit() && q.callbackDepth == 0 && !q.closed && (b == nil || !b.closed) {
		q.waitingWriters++
		q.roomCond.Wait()
		q.waitingWriters--
	}
	return !q.closed && (b == nil || !b.closed)
}

// print waits until the queue has room, and queues final rows.
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

// isOverLimit reports whether writers must wait. The caller must hold q.mu.
func (q *queue) isOverLimit() bool { return q.crowded || q.queuedBytes+q.unshownBytes > maxQueuedBytes }

// closeBlock closes b and queues o as its last operation. It returns false if b or the queue is
// closed already.
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

// takeAll returns all queued operations. The slice is valid until the next call.
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

// reportBacklog records how far the screen is behind, and lets writers continue if they may.
// unshown is the number of bytes not yet passed to the renderer; crowded says that too many final
// rows wait.
func (q *queue) reportBacklog(unshown int, crowded bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unshownBytes, q.crowded = unshown, crowded
	if q.waitingWriters > 0 && !q.isOverLimit() {
		q.roomCond.Broadcast()
	}
}

// blockWriters makes writers wait until the next call of reportBacklog.
func (q *queue) blockWriters() {
	q.mu.Lock()
	q.crowded = true
	q.mu.Unlock()
}

// allowWaiting lets writers block from now on.
func (q *queue) allowWaiting() { q.leaveCallback() }

// enterCallback must be called before every callback, and leaveCallback after it.
func (q *queue) enterCallback() {
	q.mu.Lock()
	q.callbackDepth++
	if q.waitingWriters > 0 {
		q.roomCond.Broadcast()
	}
	q.mu.Unlock()
}

// leaveCallback must be called after every callback.
func (q *queue) leaveCallback() {
	q.mu.Lock()
	q.callbackDepth--
	q.mu.Unlock()
}

// inCallback reports whether the loop runs a callback, or has not started yet.
func (q *queue) inCallback() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.callbackDepth > 0
}

// addWriters adds n to the number of open writers. Without a terminal the program waits for them to
// be closed.
func (q *queue) addWriters(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.openWriters += n
	q.signal()
}

func (q *queue) hasOpenWriter() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.openWriters > 0
}

// setIdle records whether the loop has nothing to do except animations. Queued operations override
// that.
func (q *queue) setIdle(yes bool) {
	q.mu.Lock()
	q.idle = yes && len(q.ops) == 0
	q.mu.Unlock()
}

// isIdle reports the value of the last setIdle. It returns false if anything was queued since, and
// true if the queue is closed.
func (q *queue) isIdle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.idle || q.closed
}

func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// close closes the queue. Operations that are queued already can still be taken.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.roomCond.Broadcast()
}
