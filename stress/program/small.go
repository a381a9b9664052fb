package program

import "math/rand/v2"

// smallWeights says how often each kind of operation is chosen in a small program.
var smallWeights = [kinds]int{
	Commit: 2, Paragraph: 3, Insert: 4, Change: 3, Remove: 1, Slide: 1, Finalise: 3, Rewind: 1, Overlay: 3, Caret: 2,
	Careful: 2, Stall: 1, Suspend: 1,
	Via: 1, Resize: 4, Race: 1,
}

// Small returns a random program of a few operations for a small terminal of that profile.
// Soft-wrapped lines, overlays and resizes often meet in it. Thousands of small programs run in the
// time of one that [Generate] returns, and a failing one is short. The same arguments return the
// same program.
func Small(seed uint64, profile string) Program {
	rng := rand.New(rand.NewPCG(seed, 0x5a11))
	cols, rows := 2+rng.IntN(12), 1+rng.IntN(8)
	p := Program{Terminal: Terminal{Profile: profile, Cols: cols, Rows: rows, Scrollback: 100_000, Shell: rng.IntN(2),
		Unknown: rng.IntN(8) == 0, Chunk: -1}}
	g := generator{rng: rng, nature: Rough, cols: cols, rows: rows, weights: smallWeights}
	for range 3 + rng.IntN(6) {
		o := g.smallOp(uint32(rng.IntN(500)), rows)
		if o.Kind == Resize || o.Kind == Race || o.Kind == Via {
			o.Cols, o.Rows = g.nearbySize()
		}
		if o.Kind != Via {
			p.Ops = append(p.Ops, o)
			continue
		}
		o.How = rng.IntN(3)
		last := Op{Kind: Resize, Cols: cols, Rows: rows, How: g.randomReport()}
		if rng.IntN(2) == 0 {
			last.Cols, last.Rows = g.nearbySize()
		}
		p.Ops = append(p.Ops, o, last)
		g.cols, g.rows = last.Cols, last.Rows
	}
	return p
}

// smallOp returns a random operation that fits a small terminal of the given number of rows.
func (g *generator) smallOp(seed uint32, rows int) Op {
	o := g.op(seed)
	switch o.Kind {
	case Insert:
		o.N, o.At, o.How = 1+g.rng.IntN(3), g.rng.IntN(3),
			[]int{Plain, Full, Doubtful, Empty, Short, SoftWrapped, SoftWrapped, SoftWrapped,
				SoftDoubtful}[g.rng.IntN(9)]
	case Overlay:
		o.N, o.How, o.Cols = 1+g.rng.IntN(rows), 0, 0
	case Suspend:
		if o.Cols > 0 {
			o.Cols, o.Rows = g.nearbySize()
		}
	}
	return o
}

// nearbySize returns a new window size that is a few columns and rows away from the last one.
func (g *generator) nearbySize() (cols, rows int) {
	g.cols, g.rows = max(2, g.cols+g.rng.IntN(9)-4), max(1, g.rows+g.rng.IntN(5)-2)
	return g.cols, g.rows
}
