package harness

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// play runs all operations of the test program p, with a check after each frame, and more checks at
// the end. It returns the first error. A panic is returned as an error.
func (h *harness) play(p program.Program) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, ownStack())
		}
	}()
	for i, o := range p.Ops {
		if err := h.doOp(o); err != nil {
			return fmt.Errorf("op %d, %s: %w", i+1, o, err)
		}
	}
	h.next.overlay, h.next.careful = nil, false
	h.history.untilFullCheck = 0
	if err := h.catchUp(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	if err := h.showFrame(); err != nil {
		return fmt.Errorf("the last frame: %w", err)
	}
	if err := h.checkRepaint(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	if err := h.releaseSession(len(p.Ops)%2 == 1); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// doOp runs one operation of the test program, and then shows and checks a frame unless the
// operation says to hold it.
func (h *harness) doOp(o program.Op) error {
	if h.stall > 0 {
		if h.stall--; h.stall == 0 || o.Kind >= program.Scroll {
			h.stall = 0
			if err := h.catchUp(); err != nil {
				return err
			}
		}
	}
	if o.Kind == program.Via {
		if o.Cols > 0 && o.Rows > 0 {
			h.window.detours = append(h.window.detours, o)
		}
		return nil
	}
	defer func() { h.window.detours = nil }()
	if err := h.act(o); err != nil || o.Hold {
		return err
	}
	return h.showFrame()
}

// act runs one operation of the test program. It shows no frame afterwards.
func (h *harness) act(o program.Op) error {
	switch o.Kind {
	case program.Sync:
		h.config.Sync = o.N > 0
		h.renderer.SetSync(h.config.Sync)
	case program.Scroll:
		h.scrollView(o.N)
	case program.Stall:
		if o.N > 0 {
			if err := h.showFrame(); err != nil {
				return err
			}
			h.stall, h.wire.stall = o.N, true
		}
	case program.Suspend, program.Session:
		return h.suspendSession(o)
	case program.Pager:
		h.runPager(o)
	case program.Pane:
		return h.showPane(o)
	case program.Resize, program.Race, program.InFlight:
		if o.Cols > 0 && o.Rows > 0 {
			return h.doResize(o)
		}
	default:
		h.changeContent(o)
	}
	return nil
}

// changeContent changes the content that the next frame is to show, as the operation says.
func (h *harness) changeContent(o program.Op) {
	next := &h.next
	switch o.Kind {
	case program.Commit:
		for i := range clamp(o.N, 4*h.window.rows) {
			b := h.newBlock(o.Seed, i, o.How%program.SoftWrapped)
			next.commit = append(next.commit, b.Layout(h.window.cols, h.model)...)
		}
	case program.Paragraph:
		b := program.NewParagraph(o.Seed, clamp(o.N, 3*h.window.rows), h.window.cols, o.At%2 == 1, h.model)
		next.commit = append(next.commit, b.Layout(h.window.cols, h.model)...)
	case program.Insert:
		at := o.At % (len(next.blocks) + 1)
		for i := range clamp(o.N, 2*h.window.rows) {
			next.blocks = slices.Insert(next.blocks, at, h.newBlock(o.Seed, i, o.How%program.Looks))
		}
	case program.Change:
		if len(next.blocks) > 0 {
			i := o.At % len(next.blocks)
			next.blocks[i] = next.blocks[i].Changed(o.Seed, o.How, h.window.cols, h.model)
		}
	case program.Remove:
		if len(next.blocks) > 0 {
			i := o.At % len(next.blocks)
			next.blocks = slices.Delete(next.blocks, i, min(len(next.blocks), i+clamp(o.N, 1<<20)))
		}
	case program.Slide:
		h.slideBlocks(o)
	case program.Finalise:
		h.finaliseRows(o.N)
	case program.Rewind:
		h.rewindRows(o)
	case program.Overlay:
		h.toggleOverlay(o)
	case program.Caret:
		next.caret, next.up, next.col = o.N > 0, o.At, o.How
	case program.Careful:
		next.careful = o.N > 0
	case program.Picture:
		h.addPicture(o)
	}
}

// clamp returns n, limited to the range from 0 to limit.
func clamp(n, limit int) int { return max(0, min(n, limit)) }

// newBlock returns a block of pseudo-random text for the current width. seed and i select the text,
// look its kind, such as [program.Plain].
func (h *harness) newBlock(seed uint32, i, look int) program.Block {
	return program.NewBlock(seed, i, look, h.window.cols, h.model)
}

// slideBlocks scrolls a number of neighbouring live blocks: new blocks come in at one end, and as
// many go at the other. If there are too few blocks, it first adds the missing ones.
func (h *harness) slideBlocks(o program.Op) {
	at, body := o.At%(len(h.next.blocks)+1), clamp(o.Cols, 2*h.window.rows)
	n := clamp(o.N, body)
	block := func(i int) program.Block {
		return h.newBlock(o.Seed, i, o.How%program.SoftWrapped)
	}
	for i := n; len(h.next.blocks) < at+body; i++ {
		h.next.blocks = append(h.next.blocks, block(i))
	}
	var come []program.Block
	for i := range n {
		come = append(come, block(i))
	}
	if o.Rows%2 == 1 {
		h.next.blocks = slices.Insert(slices.Delete(h.next.blocks, at+body-n, at+body), at, come...)
		return
	}
	h.next.blocks = slices.Delete(slices.Insert(h.next.blocks, at+body, come...), at, at+n)
}

// finaliseRows makes the first live blocks final, until they hold at least n rows. It takes whole
// blocks, so that it never ends within a line.
func (h *harness) finaliseRows(n int) {
	for n > 0 && len(h.next.blocks) > 0 {
		rows := h.next.blocks[0].Layout(h.window.cols, h.model)
		h.next.commit = append(h.next.commit, rows...)
		h.next.blocks = h.next.blocks[1:]
		n -= len(rows)
	}
}

// rewindRows lets the next frame hand the last o.N final rows to the renderer once more, some of
// them with another text if o.How says so.
func (h *harness) rewindRows(o program.Op) {
	n := min(o.N, len(h.ledger.handed))
	if n <= 0 || h.next.base < len(h.ledger.handed) {
		return
	}
	h.next.base = len(h.ledger.handed) - n
	again := slices.Clone(h.ledger.handed[h.next.base:])
	pixels := 0 // rows of a picture to come
	for i := range again {
		if p := again[i].Picture; p != nil {
			if pixels = p.Rows; !areBlank(again[i:], pixels) { // some of them were handed over as others since
				again[i].Picture, pixels = nil, 0
			}
		}
		if pixels--; o.How%2 == 1 && i >= o.At && pixels < 0 {
			again[i] = h.newBlock(o.Seed, i, program.Plain).Layout(h.window.cols, h.model)[0]
		}
	}
	h.next.commit = append(again, h.next.commit...)
}

// toggleOverlay opens an overlay of pseudo-random lines, or closes the open one.
func (h *harness) toggleOverlay(o program.Op) {
	if h.next.overlay != nil {
		h.next.overlay = nil
		return
	}
	v := &renderer.Overlay{Up: clamp(o.At, h.window.rows-1), Col: o.How % h.window.cols, Width: o.Cols}
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 5))
	for i := range clamp(o.N, h.window.rows) {
		l := program.NewBlock(o.Seed, i, []int{program.Short, program.Full, program.Styled,
			program.Empty}[rng.IntN(4)], max(1, h.window.cols/2), h.model).Layout(h.window.cols, h.model)[0]
		v.Lines = append(v.Lines, l)
	}
	if len(v.Lines) == 0 {
		return
	}
	if rng.IntN(2) == 0 {
		v.Cursor = &renderer.Pos{Col: rng.IntN(3), Row: rng.IntN(len(v.Lines))}
	}
	h.next.overlay = v
}
