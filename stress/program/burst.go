package program

import "math/rand/v2"

// Burst returns a random program of a few operations for a small terminal of that profile. The
// window changes its size several times in a row, and the renderer is not told some of these sizes.
// The same arguments return the same program.
func Burst(seed uint64, profile string) Program {
	rng := rand.New(rand.NewPCG(seed, 0x5a12))
	cols, rows := 2+rng.IntN(14), 2+rng.IntN(10)
	p := Program{Terminal: Terminal{Profile: profile, Cols: cols, Rows: rows, Scrollback: 100_000, Shell: rng.IntN(3),
		Unknown: rng.IntN(10) == 0, Chunk: -1}}
	w := smallWeights
	w[Resize], w[Via], w[Race] = 0, 0, 0
	g := generator{rng: rng, nature: Rough, cols: cols, rows: rows, weights: w}
	ops := func(n int) {
		for range n {
			o := g.smallOp(uint32(rng.IntN(500)), rows)
			p.Ops = append(p.Ops, o)
		}
	}
	ops(1 + rng.IntN(5))
	for range 1 + rng.IntN(2) {
		for range rng.IntN(4) {
			c, r := g.cols, g.rows
			if rng.IntN(3) == 0 {
				c = max(2, c+rng.IntN(15)-7)
			}
			if rng.IntN(3) == 0 {
				r = max(1, r+rng.IntN(7)-3)
			}
			if c == g.cols && r == g.rows {
				c, r = g.nearbySize()
			}
			g.cols, g.rows = c, r
			p.Ops = append(p.Ops, Op{Kind: Via, Cols: c, Rows: r, How: rng.IntN(3)})
		}
		o := Op{Kind: Resize, Cols: g.cols, Rows: g.rows, How: g.randomReport()}
		switch rng.IntN(3) {
		case 0:
			o.Cols, o.Rows = g.nearbySize()
		case 1:
			o.Cols, o.Rows = cols, rows
		}
		g.cols, g.rows = o.Cols, o.Rows
		p.Ops = append(p.Ops, o)
		ops(rng.IntN(3))
	}
	return p
}
