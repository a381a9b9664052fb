package tui

import (
	"fmt"
	"math"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// ResizeMode is what becomes of history at a new width (a new height never changes it).
type ResizeMode uint8

const (
	// ResizePreserve leaves history to the terminal, which wraps its rows anew or cuts them.
	// Nothing that is in history is ever written again.
	ResizePreserve ResizeMode = iota
	// ResizeRebuild erases history, also that from before the program, and writes the transcript
	// again at the new width. In a multiplexer, or with App.Strict, it is ResizePreserve.
	ResizeRebuild
	// ResizeAppend writes the transcript again at the new width, below the old copy.
	ResizeAppend
)

// String returns the name that SCROLLKEEP_RESIZE takes.
func (m ResizeMode) String() string { return [...]string{"preserve", "rebuild", "append"}[m%3] }

// reset does what m asks of the renderer.
func (m ResizeMode) reset() renderer.ResetMode {
	switch m {
	case ResizeRebuild:
		return renderer.Rebuild
	case ResizeAppend:
		return renderer.Append
	}
	return renderer.Redraw
}

// retained is what is in history and kept for a replay: finished blocks, oldest first.
type retained struct {
	limit  int // bytes of text; 0: nothing is kept
	blocks []*Block
	bytes  int
	lost   int // bytes that were dropped
}

// retainLimit returns the limit for an App's Retain.
func retainLimit(retain int, m ResizeMode) int {
	switch {
	case retain < 0, retain == 0 && m == ResizePreserve:
		return 0
	case retain == 0:
		return math.MaxInt
	}
	return retain
}

func (r *retained) on() bool { return r.limit > 0 }

// add keeps b, which is in history as a whole.
func (r *retained) add(b *Block) {
	if !r.on() {
		return
	}
	if n := len(r.blocks); b.text != nil && n > 0 && r.blocks[n-1].tail && b.tail && r.blocks[n-1].kept < maxFrame {
		last := r.blocks[n-1]
		last.text.past = append(last.text.past, b.text.past...)
		last.kept += len(b.text.past)
		r.bytes += len(b.text.past)
	} else {
		if b.text != nil {
			b.kept = len(b.text.past)
		}
		r.blocks = append(r.blocks, b)
		r.bytes += b.kept
	}
	for r.bytes > r.limit {
		r.bytes -= r.blocks[0].kept
		r.lost += r.blocks[0].kept
		r.blocks[0] = nil
		r.blocks = r.blocks[1:]
	}
}

// again puts all that is kept before the blocks that are not final, to be laid out and committed
// once more.
func (t *Transcript) again(s Space) {
	var blocks []*Block
	if n := t.kept.lost; n > 0 {
		note := fmt.Sprintf("(%d kB of earlier text are not kept)", (n+999)/1000)
		blocks = append(blocks, &Block{q: t.q, done: true, print: []Line{s.Cut(Span{Text: note, Style: s.Look().Dim})}})
	}
	blocks = append(append(blocks, t.kept.blocks...), t.blocks...)
	for _, b := range blocks {
		b.again()
	}
	t.blocks, t.spare = blocks, nil
	t.kept.blocks, t.kept.bytes = nil, 0
}

// again makes b as if nothing of it had been committed.
func (b *Block) again() {
	b.gone, b.end, b.from, b.width, b.frozen, b.kept = 0, 0, 0, 0, false, 0
	b.fixed = b.print
	if p := b.text; p != nil {
		p.buf = append(p.past, p.buf...)
		*p = plain{buf: p.buf, keep: p.keep}
		b.done = b.done || b.tail
		b.tail = false
	}
	b.dirty = true
}

// replay shows the whole transcript anew, as far as it is kept.
func (l *loop) replay(m renderer.ResetMode) {
	did, err := l.out.Reset(m)
	if err != nil {
		l.gone = fmt.Errorf("tui: painting: %w", err)
		return
	}
	if did == renderer.Rebuild { // after the erasure, which frees some and leaves others
		l.erasePictures(&l.pics.normal)
	}
	if did != renderer.Redraw {
		l.frames.base = 0
		l.t.again(l.space(time.Now()))
	}
	l.want(forced, "replay")
}

// redrawAgain is the time in which a second Ctrl+L means more.
const redrawAgain = time.Second

// redraw returns the gesture for a screen that another program has written on: the live rows are
// painted again. The second one within a second rebuilds history as [ResizeRebuild] does, if the
// transcript is kept for that.
func (l *loop) redraw(at time.Time) {
	m := renderer.Redraw
	if l.t.kept.on() && at.Sub(l.clocks.redrawn) < redrawAgain {
		m = renderer.Rebuild
	}
	l.clocks.redrawn = at
	l.replay(m)
}
