package tui

import (
	"sync"
	"time"
)

// waitBytes is how much a writer may be ahead of the screen before it waits.
const waitBytes = 1 << 20

// op is one thing for the loop to do. Ops are done in the order in which they were queued, whoever
// queued them.
type op struct {
	kind  opKind
	block *Block
	data  []byte
	lines []Line
	f     func()
	event Event
	at    time.Time // of event: when it was read
	note  string
	rows  int // of opDone: that become final
	err   error
}

type opKind uint8

const (
	opDo     opKind = iota // f
	opEvent                // event
	opWrite                // data: plain text at the end of the transcript
	opPrint                // lines
	opAppend               // block
	opUpdate               // f, then block is redrawn
	opStream               // data into block
	opDone                 // block
	opAbort                // block, note
	opLine                 // note: a line of standard input
	opQuiet                // f, of this package: nothing has to be drawn
	opShown                // f, once all before it is shown
	opFlush                // the same, in a frame that waits for no other
	opGone                 // err: the terminal is gone
)

// urgency returns how soon who waits for a frame is given one.
func (k opKind) urgency() urgency {
	if k == opFlush {
		return forced
	}
	return ordinary
}

// queue is the one door to the loop: unbounded, in order, never waiting, except for writers, who
// wait while the screen is behind.
type queue struct {
	mu      sync.Mutex
	room    sync.Cond // writers wait here
	ops     []op
	spare   []op     // the slice that the loop has done with
	buffers [][]byte // of writes that the loop has done with
	waiting int      // writers in room
	bytes   int      // written, not taken by the loop yet
	behind  int      // bytes that the loop has taken and not yet handed to the renderer
	full    bool     // more than four windows of final rows wait
	// The loop is in a callback: nobody waits, or a callback that writes (or waits for a lock of a
	// writer) would stop all.
	callback int
	writers  int // of NewANSI, that are not closed
	closed   bool
	resting  bool          // the loop has nothing to do but animations
	wake     chan struct{} // of size 1
}

func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1), callback: 1} // nobody waits before Run either, see open
	q.room.L = &q.mu
	return q
}

// add queues o; false after close.
func (q *queue) add(o op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.push(o)
	return true
}

func (q *queue) push(o op) {
	q.resting = false
	q.ops = append(q.ops, o)
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// write queues a copy of p for b, or for the end of the transcript if b is nil, once there is room.
// It returns ErrClosed after close, or if b was closed.
func write[T []byte | string](q *queue, b *Block, p T) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.admit(b) {
		return 0, ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	q.bytes += len(p)
	kind := opWrite
	if b != nil {
		kind = opStream
	}
	if n := len(q.ops); n > 0 && q.ops[n-1].kind == kind && q.ops[n-1].block == b {
		q.ops[n-1].data = append(q.ops[n-1].data, p...)
		return len(p), nil // whoever queued that op has signalled
	}
	q.push(op{kind: kind, block: b, data: append(q.buffer(), p...)})
	return len(p), nil
}

// buffer returns an empty buffer, a used one if there is one. q.mu is held.
func (q *queue) buffer() []byte {
	n := len(q.buffers)
	if n == 0 {
		return nil
	}
	b := q.buffers[n-1]
	q.buffers = q.buffers[:n-1]
	return b
}

// recycle keeps small buffers of ops that were done. q.mu is held.
func (q *queue) recycle(ops []op) {
	for _, o := range ops {
		if n := cap(o.data); n > 0 && n <= 4<<10 && len(q.buffers) < 8 {
			q.buffers = append(q.buffers, o.data[:0])
		}
	}
	clear(ops)
}

// admit waits for room; false after close, or if b was closed. q.mu is held.
func (q *queue) admit(b *Block) bool {
	for q.over() && q.callback == 0 && !q.closed && (b == nil || !b.closed) {
		q.waiting++
		q.room.Wait()
		q.waiting--
	}
	return !q.closed && (b == nil || !b.closed)
}

// print queues final rows once there is room.
func (q *queue) print(lines []Line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.admit(nil) {
		for _, l := range lines {
			q.bytes += size(l)
		}
		q.push(op{kind: opPrint, lines: lines})
	}
}

func (q *queue) over() bool { return q.full || q.bytes+q.behind > waitBytes }

// finish queues the last op of b, once.
func (q *queue) finish(b *Block, o op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if b.closed || q.closed {
		return false
	}
	b.closed = true
	q.push(o)
	if q.waiting > 0 {
		q.room.Broadcast()
	}
	return true
}

// take gives all that is queued to the loop, until the next take.
func (q *queue) take() []op {
	q.mu.Lock()
	defer q.mu.Unlock()
	ops := q.ops
	q.recycle(q.spare)
	q.ops, q.spare = q.spare[:0], ops
	q.behind += q.bytes
	q.bytes = 0
	return ops
}

// report says how far the screen is behind: bytes not yet handed to the renderer, and whether too
// many final rows wait.
func (q *queue) report(behind int, full bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.behind, q.full = behind, full
	if q.waiting > 0 && !q.over() {
		q.room.Broadcast()
	}
}

// crowd makes writers wait until the next report.
func (q *queue) crowd() {
	q.mu.Lock()
	q.full = true
	q.mu.Unlock()
}

// open begins the time in which writers may wait.
func (q *queue) open() { q.leave() }

// enter and leave stand around every callback.
func (q *queue) enter() {
	q.mu.Lock()
	q.callback++
	if q.waiting > 0 {
		q.room.Broadcast()
	}
	q.mu.Unlock()
}

func (q *queue) leave() {
	q.mu.Lock()
	q.callback--
	q.mu.Unlock()
}

// calls reports whether the loop is in a callback, or has not begun.
func (q *queue) calls() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.callback > 0
}

// hold counts writers, which keep a program without a terminal from its end.
func (q *queue) hold(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writers += n
	q.signal()
}

// held reports whether a writer is open.
func (q *queue) held() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writers > 0
}

// rest says whether the loop has nothing to do but animations, now that the queue is empty.
func (q *queue) rest(yes bool) {
	q.mu.Lock()
	q.resting = yes && len(q.ops) == 0
	q.mu.Unlock()
}

// rests reports what the loop has said last, unless something was queued since.
func (q *queue) rests() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.resting || q.closed
}

// ended reports whether the queue was closed.
func (q *queue) ended() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// close ends the queue; what is in it can still be taken.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.room.Broadcast()
}
