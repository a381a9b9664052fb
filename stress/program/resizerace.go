package program

import "math/rand/v2"

// ResizeRace returns a random program of a few operations for a small terminal of that profile,
// whose window changes while an ordinary frame is on its way. The same arguments return the same
// program.
func ResizeRace(seed uint64, profile string) Program {
	rng := rand.New(rand.NewPCG(seed, 0x3ee7))
	cols, rows := 4+rng.IntN(30), 3+rng.IntN(8)
	p := Program{Terminal: Terminal{Profile: profile, Cols: cols, Rows: rows, Scrollback: 100_000,
		Shell: rng.IntN(2 * rows), Chunk: -1}}
	w := smallWeights
	w[Resize], w[Via], w[Race], w[Suspend], w[Stall] = 0, 0, 0, 0, 0
	g := generator{rng: rng, nature: Rough, cols: cols, rows: rows, weights: w}
	ops := func(n int, hold bool) {
		for range n {
			o := g.smallOp(uint32(1+rng.IntN(500)), rows)
			o.Hold = hold
			p.Ops = append(p.Ops, o)
		}
	}
	ops(1+rng.IntN(5), false)
	ops(1+rng.IntN(2), true)
	o := Op{Kind: InFlight, N: rng.IntN(200), At: rng.IntN(3), How: g.randomReport()}
	o.Cols, o.Rows = g.nearbySize()
	p.Ops = append(p.Ops, o)
	ops(rng.IntN(3), false)
	return p
}
