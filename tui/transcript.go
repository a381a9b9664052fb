package tui

import (
	"bytes"
	"iter"
)

// Transcript is the conversation so far. Blocks are committed in order: a block that is not Done
// holds back everything after it, even plain writes.
type Transcript struct {
	queue      *queue
	blocks     []*Block // that are not completely in history; for the loop
	freshRows  int      // rows that became final since the last frame
	leftRows   int      // rows that did not fit into the last frame
	retained   retained
	sparePlain *Block // an empty block for plain writes, for reuse
}

// Write appends plain text. A line is final at its newline. Controls are shown, not sent (see
// NewANSI). It waits while 1 MiB is not yet shown, but never while a callback runs on the loop. Any
// goroutine; one Write is never split by another.
func (t *Transcript) Write(p []byte) (int, error) { return write(t.queue, nil, p) }

// WriteString writes a string as Write does, without another copy.
func (t *Transcript) WriteString(s string) (int, error) { return write(t.queue, nil, s) }

// Print appends final rows. The caller does not change them any more. It waits as Write does. Any
// goroutine.
func (t *Transcript) Print(lines ...Line) { t.queue.print(lines) }

// Append adds c at the end. From now on c belongs to the loop. Any goroutine.
func (t *Transcript) Append(c Component) *Block {
	b := &Block{queue: t.queue, comp: c, dirty: true}
	if n, ok := c.(*inferred); ok {
		n.setBlock(b)
	}
	t.queue.add(op{kind: opAppend, block: b})
	return b
}

// Stream adds a block to which the program writes. A nil c is plain text. Any goroutine.
func (t *Transcript) Stream(c WriterComponent) *Stream {
	b := &Block{queue: t.queue, stream: true, dirty: true}
	if c == nil {
		b.text = &plainText{}
	} else {
		b.comp = c
	}
	t.queue.add(op{kind: opAppend, block: b})
	return &Stream{b}
}

// Blocks returns the blocks that are not in history yet, in order, without plain text. Loop only.
func (t *Transcript) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for _, b := range t.blocks {
			if b.comp != nil && !yield(b) {
				return
			}
		}
	}
}

// applyOp does operation o.
func (t *Transcript) applyOp(o op, s Space) {
	b := o.block
	switch o.kind {
	case opWrite:
		t.freshRows += bytes.Count(o.data, []byte{'\n'})
		t.plainBlock().writeBytes(o.data, false)
	case opPrint:
		t.freshRows += len(o.lines)
		t.endPlainLine()
		t.blocks = append(t.blocks, &Block{queue: t.queue, fixedRows: o.lines, replayLines: o.lines, done: true})
	case opAppend:
		t.endPlainLine()
		if b.retain = t.retained.enabled(); b.text != nil {
			b.text.retain = b.retain
		}
		t.blocks = append(t.blocks, b)
	case opUpdate:
		b.dirty = true
	case opStream:
		b.writeBytes(o.data, false)
	case opDone:
		t.freshRows += o.rows
		b.markDone()
	case opAbort:
		b.abortWith(o.text, s)
	}
}

// plainBlock returns the block at the end that takes plain writes.
func (t *Transcript) plainBlock() *Block {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].isTail {
		return t.blocks[n-1]
	}
	b := t.sparePlain
	if t.sparePlain = nil; b == nil {
		b = &Block{queue: t.queue, text: &plainText{retain: t.retained.enabled()}, isTail: true}
	}
	t.blocks = append(t.blocks, b)
	return b
}

// endPlainLine makes the unfinished line of plain writes final: another block follows.
func (t *Transcript) endPlainLine() {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].isTail {
		t.blocks[n-1].isTail = false
		t.blocks[n-1].markDone()
	}
}

// compose appends the rows that become final to commit, of about budget bytes, and the rows that
// may still change to live. It drops the rows that it commits. more says that final rows are left;
// then no rows after them are in live. With hold nothing is committed: all rows are live.
func (t *Transcript) compose(s Space, commit, live []Line, budget int, hold bool) (c, l []Line, more bool) {
	holdRest := hold // then by a block that is not done
	remaining := t.blocks[:0]
	for i, b := range t.blocks {
		if more {
			remaining = append(remaining, t.blocks[i:]...)
			break
		}
		b.updateView(s)
		if !holdRest {
			n := len(commit)
			commit, more = b.takeFinal(s, commit, budget)
			for _, l := range commit[n:] {
				budget -= wireSize(l)
			}
			if more {
				remaining = append(remaining, b)
				continue
			}
			if b.isCommitted() && (b.done || b.isTail) {
				if b.isTail && !t.retained.enabled() {
					t.sparePlain = b
				}
				t.retained.add(b)
				continue
			}
		}
		remaining = append(remaining, b)
		holdRest = holdRest || !b.isComplete()
		live = b.appendLive(s, live)
	}
	clear(t.blocks[len(remaining):])
	t.blocks = remaining
	t.freshRows, t.leftRows = 0, 0
	if more {
		t.leftRows = t.waitingRows()
	}
	return commit, live, more
}

// isStreaming reports whether some of the transcript may still change.
func (t *Transcript) isStreaming() bool {
	for _, b := range t.blocks {
		if !b.isComplete() && !(b.isTail && b.isCommitted()) {
			return true
		}
	}
	return false
}

// waitingRows returns about how many final rows wait for the next frame.
func (t *Transcript) waitingRows() int {
	n := 0
	for _, b := range t.blocks {
		n += len(b.fixedRows)
		if b.text != nil {
			n += bytes.Count(b.text.buf, []byte{'\n'})
		} else if b.isComplete() {
			n += len(b.view.Lines) - b.committedRows
		}
		if !b.isComplete() {
			break
		}
	}
	return n
}

// waitingBytes returns about how many bytes of final text wait for the next frame.
func (t *Transcript) waitingBytes() int {
	n := 0
	for _, b := range t.blocks {
		for _, l := range b.fixedRows {
			n += wireSize(l)
		}
		if b.text != nil {
			n += len(b.text.buf)
		}
		if !b.isComplete() {
			break
		}
	}
	return n
}

// closeAll makes everything final.
func (t *Transcript) closeAll() {
	for _, b := range t.blocks {
		b.isTail, b.ending = false, true
		b.markDone()
	}
}

// markAllDirty makes every View be called again, even of blocks that are done: something outside of
// their state has changed.
func (t *Transcript) markAllDirty() {
	for _, b := range t.blocks {
		b.dirty = true
	}
}

// markLiveDirty makes the View of every block be called again that is not complete: a callback may
// have changed any.
func (t *Transcript) markLiveDirty() {
	for _, b := range t.blocks {
		b.dirty = b.dirty || !b.isComplete()
	}
}
