package tui

import (
	"fmt"
	"math"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// ResizeMode says what happens to the terminal's history when the width changes. A change of height
// never affects history.
type ResizeMode uint8

const (
	// ResizePreserve leaves history to the terminal, which wraps or cuts its rows. The App never
	// writes a row in history again.
	ResizePreserve ResizeMode = iota
	// ResizeRebuild erases the terminal's history, including what was there before the program, and
	// writes the transcript again at the new width. In a multiplexer, or with App.Strict, it acts
	// as ResizePreserve.
	ResizeRebuild
	// ResizeAppend writes the transcript again at the new width, below the old copy.
	ResizeAppend
)

// String returns the name of the mode that SCROLLKEEP_RESIZE accepts.
func (m ResizeMode) String() string { return [...]string{"preserve", "rebuild", "append"}[m%3] }

// reset returns the renderer's mode that carries out m.
func (m ResizeMode) reset() renderer.ResetMode {
	switch m {
	case ResizeRebuild:
		return renderer.Rebuild
	case ResizeAppend:
		return renderer.Append
	}
	return renderer.Redraw
}

// retained stores the blocks that are in history, the oldest first, so that they can be written
// again.
type retained struct {
	limit        int // maximum number of bytes of text; 0: nothing is stored
	blocks       []*Block
	bytes        int // number of bytes in blocks
	droppedBytes int // number of bytes in blocks that were dropped
}

// retainLimit returns the limit in bytes for the field Retain of an App with the resize mode m.
func retainLimit(retain int, m ResizeMode) int {
	switch {
	case retain < 0, retain == 0 && m == ResizePreserve:
		return 0
	case retain == 0:
		return math.MaxInt
	}
	return retain
}

// isEnabled reports whether blocks are stored.
func (r *retained) isEnabled() bool { return r.limit > 0 }

// add stores b, which is completely in history, and drops the oldest blocks beyond the limit.
func (r *retained) add(b *Block) {
	if !r.isEnabled() {
		return
	}
	if n := len(r.blocks); b.text != nil && n > 0 && r.blocks[n-1].isTail && b.isTail &&
		r.blocks[n-1].historyBytes < maxFrameBytes {
		last := r.blocks[n-1]
		last.text.history = append(last.text.history, b.text.history...)
		last.historyBytes += len(b.text.history)
		r.bytes += len(b.text.history)
	} else {
		if b.text != nil {
			b.historyBytes = len(b.text.history)
		}
		r.blocks = append(r.blocks, b)
		r.bytes += b.historyBytes
	}
	for r.bytes > r.limit {
		r.bytes -= r.blocks[0].historyBytes
		r.droppedBytes += r.blocks[0].historyBytes
		r.blocks[0] = nil
		r.blocks = r.blocks[1:]
	}
}

// prepareReplay puts all stored blocks before the blocks that are not final, to be laid out and
// written again.
func (t *Transcript) prepareReplay(s Space) {
	var blocks []*Block
	if n := t.retained.droppedBytes; n > 0 {
		note := fmt.Sprintf("(%d kB of earlier text are not kept)", (n+999)/1000)
		blocks = append(blocks, &Block{queue: t.queue, done: true,
			replayLines: []Line{s.Cut(Span{Text: note, Style: s.Look().Dim})}})
	}
	blocks = append(append(blocks, t.retained.blocks...), t.blocks...)
	for _, b := range blocks {
		b.resetForReplay()
	}
	t.blocks, t.sparePlain = blocks, nil
	t.retained.blocks, t.retained.bytes = nil, 0
}

// resetForReplay resets b to the state before any of its rows was in history.
func (b *Block) resetForReplay() {
	b.committedRows, b.committedEnd, b.viewFrom, b.viewWidth, b.keepsWidth, b.historyBytes = 0, 0, 0, 0, false, 0
	b.fixedRows = b.replayLines
	if p := b.text; p != nil {
		p.buf = append(p.history, p.buf...)
		*p = plainText{buf: p.buf, retain: p.retain}
		b.done = b.done || b.isTail
		b.isTail = false
	}
	b.dirty = true
}

// replay writes the transcript again, as far as it is stored, in the given mode.
func (l *loop) replay(m renderer.ResetMode) {
	usedMode, err := l.canvas.Reset(m)
	if err != nil {
		l.fatalErr = fmt.Errorf("tui: painting: %w", err)
		return
	}
	if usedMode == renderer.Rebuild { // after the erasure, which frees some and leaves others
		l.erasePictures(&l.pictures.normal)
	}
	if usedMode != renderer.Redraw {
		l.frames.committedRows = 0
		l.transcript.prepareReplay(l.baseSpace(time.Now()))
	}
	l.requestFrame(forced, "replay")
}

// redrawWindow is the time within which a second Ctrl+L rebuilds history.
const redrawWindow = time.Second

// handleRedraw handles Ctrl+L, for a screen on which another program has written: it paints the
// live rows again. A second Ctrl+L within redrawWindow rebuilds history like [ResizeRebuild], if
// the transcript is stored.
func (l *loop) handleRedraw(at time.Time) {
	m := renderer.Redraw
	if l.transcript.retained.isEnabled() && at.Sub(l.clocks.lastRedraw) < redrawWindow {
		m = renderer.Rebuild
	}
	l.clocks.lastRedraw = at
	l.replay(m)
}
