package harness

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// shifts are IL and DL.
var shifts = regexp.MustCompile(`\x1b\[[0-9]*[LM]`)

// A body that is scrolled by a frame which meets a window of another size, before anybody has heard
// of that, costs no final row: the rows that the terminal moves are live ones even then.
func TestRowsThatMoveWhileTheWindowChanges(t *testing.T) {
	moved, n := 0, 0
	for _, p := range profile.All() {
		for seed := range uint64(150) {
			m, ok, err := slideInRace(p.Name, seed)
			if err != nil {
				t.Errorf("%s, seed %d: %v", p.Name, seed, err)
			}
			if ok {
				n++
			}
			if m {
				moved++
			}
		}
	}
	t.Logf("%d frames of %d moved rows", moved, n)
	if moved < n/3 {
		t.Errorf("only %d frames of %d moved rows", moved, n)
	}
}

func slideInRace(name string, seed uint64) (moved, ok bool, err error) {
	rng := rand.New(rand.NewPCG(seed, 9))
	t := program.Terminal{Profile: name, Cols: 40 + rng.IntN(60), Rows: 14 + rng.IntN(20), Scrollback: 10_000,
		Shell: rng.IntN(10), Chunk: -1, Sync: rng.IntN(2) == 0}
	h, err := start(program.Program{Terminal: t}, false)
	if err != nil {
		return false, false, err
	}
	body := 6 + rng.IntN(t.Rows-10)
	slide := func(i uint32) program.Op {
		return program.Op{Kind: program.Slide, N: 1 + rng.IntN(3), At: 1, How: program.Short, Cols: body,
			Rows: rng.IntN(2), Seed: i}
	}
	for _, o := range []program.Op{
		{Kind: program.Commit, N: rng.IntN(2 * t.Rows), How: program.Short, Seed: 1},
		{Kind: program.Insert, N: 1, How: program.Short, Seed: 2}, slide(3), slide(4),
	} {
		if err := h.doOp(o); err != nil {
			return false, false, fmt.Errorf("%s: %w", o, err)
		}
	}
	cols, rows := max(20, t.Cols-15+rng.IntN(30)), max(8, t.Rows-6+rng.IntN(12))
	if !h.fitsWithoutReflow(min(cols, h.window.cols), min(rows, h.window.rows)-1) {
		return false, false, nil
	}
	h.wire.resize(cols, rows)
	h.slideBlocks(slide(5))
	p := h.nextFrame()
	if _, err := h.renderer.Render(renderer.Frame{Base: h.next.base, Live: p.live, Cursor: p.caret}); err != nil {
		return false, true, err
	}
	h.shown = p
	moved = shifts.Match(h.wire.last)
	h.resizeWindow(cols, rows)
	if err := h.settleSize(program.Answered, nil, false, 0); err != nil {
		return moved, true, err
	}
	for _, o := range []program.Op{{Kind: program.Idle}, {Kind: program.Commit, N: 3, How: program.Short, Seed: 6},
		slide(7), {Kind: program.Finalise, N: 3}} {
		h.history.untilFullCheck = 0
		if err := h.doOp(o); err != nil {
			return moved, true, fmt.Errorf("after the race, %s: %w", o, err)
		}
	}
	return moved, true, nil
}
