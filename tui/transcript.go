package tui

import (
	"bytes"
	"iter"
)

// Transcript is the conversation so far, as a sequence of blocks. Blocks become history in order: a
// block that is not Done holds back everything after it, even plain writes.
type Transcript struct {
	queue       *queue
	blocks      []*Block // blocks that are not completely in history; only for the loop
	freshRows   int      // number of rows that became final since the last frame
	unshownRows int      // number of rows that did not fit in the last frame
	retained    retained
	sparePlain  *Block // an empty block for plain writes, for reuse
}

// Write appends plain text. A line becomes final at its newline. Control characters are shown as
// tokens and not sent (see NewANSI). Write blocks while 1 MiB of text is not shown yet, but never
// while a callback runs on the loop. It may be called on any goroutine; the text of one Write stays
// together.
func (t *Transcript) Write(p []byte) (int, error) { return write(t.queue, nil, p) }

// WriteString writes like Write, without copying s to a byte slice first.
func (t *Transcript) WriteString(s string) (int, error) { return write(t.queue, nil, s) }

// Print appends final rows. The caller must not change them afterwards. Print blocks like Write. It
// may be called on any goroutine.
func (t *Transcript) Print(lines ...Line) { t.queue.print(lines) }

// Append adds c at the end. From now on c must be used only on the loop. Append may be called on
// any goroutine.
func (t *Transcript) Append(c Component) *Block {
	b := &Block{queue: t.queue, comp: c, dirty: true}
	if n, ok := c.(*inferred); ok {
		n.setBlock(b)
	}
	t.queue.add(op{kind: opAppend, block: b})
	return b
}

// Stream adds a block to which the program writes. If c is nil it shows plain text. Stream may be
// called on any goroutine.
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

// Blocks returns the blocks that are not in history yet, in order, without those of plain text.
// Call it only on the loop.
func (t *Transcript) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for _, b := range t.blocks {
			if b.comp != nil && !yield(b) {
				return
			}
		}
	}
}

// applyOp carries out the queued operation o.
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
		if b.retain = t.retained.isEnabled(); b.text != nil {
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

// plainBlock returns the block for plain writes at the end of the transcript. It adds one if there
// is none.
func (t *Transcript) plainBlock() *Block {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].isTail {
		return t.blocks[n-1]
	}
	b := t.sparePlain
	if t.sparePlain = nil; b == nil {
		b = &Block{queue: t.queue, text: &plainText{retain: t.retained.isEnabled()}, isTail: true}
	}
	t.blocks = append(t.blocks, b)
	return b
}

// endPlainLine makes the unfinished line of plain writes final, because another block follows.
func (t *Transcript) endPlainLine() {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].isTail {
		t.blocks[n-1].isTail = false
		t.blocks[n-1].markDone()
	}
}

// compose appends to commit the rows that become final, up to about budget bytes, and to live the
// rows that may still change. It drops the rows that it commits. more says that final rows are left
// for the next frame; live then has no rows behind them. If hold is true no rows are committed, and
// all of them are live.
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
				if b.isTail && !t.retained.isEnabled() {
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
	t.freshRows, t.unshownRows = 0, 0
	if more {
		t.unshownRows = t.waitingRows()
	}
	return commit, live, more
}

// isStreaming reports whether a part of the transcript may still change.
func (t *Transcript) isStreaming() bool {
	for _, b := range t.blocks {
		if !b.isComplete() && !(b.isTail && b.isCommitted()) {
			return true
		}
	}
	return false
}

// waitingRows returns the approximate number of final rows that wait for the next frame.
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

// waitingBytes returns the approximate number of bytes of final text that wait for the next frame.
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

// closeAll makes all blocks final.
func (t *Transcript) closeAll() {
	for _, b := range t.blocks {
		b.isTail, b.programEnds = false, true
		b.markDone()
	}
}

// markAllDirty makes the next frame call every View again, even of finished blocks, because
// something outside of them has changed.
func (t *Transcript) markAllDirty() {
	for _, b := range t.blocks {
		b.dirty = true
	}
}

// markLiveDirty makes the next frame call the View of every unfinished block again, because a
// callback may have changed any of them.
func (t *Transcript) markLiveDirty() {
	for _, b := range t.blocks {
		b.dirty = b.dirty || !b.isComplete()
	}
}
