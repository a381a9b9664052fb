package tui

import (
	"bytes"
	"iter"
)

// Transcript is what was said. Blocks are committed in order: one that is not Done holds back all
// that follow, also plain writes.
type Transcript struct {
	q      *queue
	blocks []*Block // that are not in history as a whole; the loop's
	fresh  int      // rows that became final since the last frame
	left   int      // rows that the last frame had no room for
	kept   retained
	spare  *Block // for plain writes: empty, in no place
}

// Write appends plain text. A line is final at its newline; controls are shown, not sent (see
// NewANSI). It waits while 1 MiB is not yet shown, but never while a callback runs on the loop. Any
// goroutine; one Write is never torn.
func (t *Transcript) Write(p []byte) (int, error) { return write(t.q, nil, p) }

// WriteString is Write without a copy of its own.
func (t *Transcript) WriteString(s string) (int, error) { return write(t.q, nil, s) }

// Print appends final rows; the caller does not change them any more. It waits as Write does. Any
// goroutine.
func (t *Transcript) Print(lines ...Line) { t.q.print(lines) }

// Append adds c at the end; it belongs to the loop from now on. Any goroutine.
func (t *Transcript) Append(c Component) *Block {
	b := &Block{q: t.q, comp: c, dirty: true}
	if n, ok := c.(*inferred); ok {
		n.bind(b)
	}
	t.q.add(op{kind: opAppend, block: b})
	return b
}

// Stream adds a block that is written; a nil c is plain text. Any goroutine.
func (t *Transcript) Stream(c WriterComponent) *Stream {
	b := &Block{q: t.q, stream: true, dirty: true}
	if c == nil {
		b.text = &plain{}
	} else {
		b.comp = c
	}
	t.q.add(op{kind: opAppend, block: b})
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

// apply does what o says to the transcript.
func (t *Transcript) apply(o op, s Space) {
	b := o.block
	switch o.kind {
	case opWrite:
		t.fresh += bytes.Count(o.data, []byte{'\n'})
		t.plain().write(o.data, false)
	case opPrint:
		t.fresh += len(o.lines)
		t.end()
		t.blocks = append(t.blocks, &Block{q: t.q, fixed: o.lines, print: o.lines, done: true})
	case opAppend:
		t.end()
		if b.keep = t.kept.on(); b.text != nil {
			b.text.keep = b.keep
		}
		t.blocks = append(t.blocks, b)
	case opUpdate:
		b.dirty = true
	case opStream:
		b.write(o.data, false)
	case opDone:
		t.fresh += o.rows
		b.finish()
	case opAbort:
		b.abort(o.note, s)
	}
}

// plain returns the block at the end that takes plain writes.
func (t *Transcript) plain() *Block {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].tail {
		return t.blocks[n-1]
	}
	b := t.spare
	if t.spare = nil; b == nil {
		b = &Block{q: t.q, text: &plain{keep: t.kept.on()}, tail: true}
	}
	t.blocks = append(t.blocks, b)
	return b
}

// end makes the unfinished line of plain writes final: something else follows.
func (t *Transcript) end() {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].tail {
		t.blocks[n-1].tail = false
		t.blocks[n-1].finish()
	}
}

// compose appends the rows that become final to commit, of about budget bytes, and the rows that
// may still change to live. What it commits it forgets. more: there is more than the budget
// allowed, and of the rows after that none are in live. With hold nothing is committed: all rows
// are live.
func (t *Transcript) compose(s Space, commit, live []Line, budget int, hold bool) (c, l []Line, more bool) {
	held := hold // then by a block that is not done
	keep := t.blocks[:0]
	for i, b := range t.blocks {
		if more {
			keep = append(keep, t.blocks[i:]...)
			break
		}
		b.look(s)
		if !held {
			n := len(commit)
			commit, more = b.final(s, commit, budget)
			for _, l := range commit[n:] {
				budget -= size(l)
			}
			if more {
				keep = append(keep, b)
				continue
			}
			if b.over() && (b.done || b.tail) {
				if b.tail && !t.kept.on() {
					t.spare = b
				}
				t.kept.add(b)
				continue
			}
		}
		keep = append(keep, b)
		held = held || !b.complete()
		live = b.live(s, live)
	}
	clear(t.blocks[len(keep):])
	t.blocks = keep
	t.fresh, t.left = 0, 0
	if more {
		t.left = t.waiting()
	}
	return commit, live, more
}

// streams reports whether some of the transcript may still change.
func (t *Transcript) streams() bool {
	for _, b := range t.blocks {
		if !b.complete() && !(b.tail && b.over()) {
			return true
		}
	}
	return false
}

// waiting returns about how many final rows wait for the next frame.
func (t *Transcript) waiting() int {
	n := 0
	for _, b := range t.blocks {
		n += len(b.fixed)
		if b.text != nil {
			n += bytes.Count(b.text.buf, []byte{'\n'})
		} else if b.complete() {
			n += len(b.view.Lines) - b.gone
		}
		if !b.complete() {
			break
		}
	}
	return n
}

// bytes returns about how much of what was written waits for the next frame after one whose budget
// was too small.
func (t *Transcript) bytes() int {
	n := 0
	for _, b := range t.blocks {
		for _, l := range b.fixed {
			n += size(l)
		}
		if b.text != nil {
			n += len(b.text.buf)
		}
		if !b.complete() {
			break
		}
	}
	return n
}

// close makes everything final.
func (t *Transcript) close() {
	for _, b := range t.blocks {
		b.tail, b.last = false, true
		b.finish()
	}
}

// redraw makes all components be asked again, also the ones that are done: what they show beside
// their own state has changed.
func (t *Transcript) redraw() {
	for _, b := range t.blocks {
		b.dirty = true
	}
}

// touch makes all components be asked again: a callback may have changed any of them.
func (t *Transcript) touch() {
	for _, b := range t.blocks {
		b.dirty = b.dirty || !b.complete()
	}
}
