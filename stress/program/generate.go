package program

import "math/rand/v2"

// Nature says which changes of the window's size a program has.
type Nature uint8

const (
	Still Nature = iota // none: every row of the terminal is compared exactly
	// Only changes that leave no old rows on any terminal: the live rows fit without being wrapped
	// anew, and cursor reports come.
	Gentle
	Rough // changes of the size of any kind, at any time
	natures
)

// Nature returns which changes of the window's size the program has: Still, Gentle or Rough.
func (p Program) Nature() Nature {
	n := Still
	for _, o := range p.Ops {
		switch {
		case o.Kind == Via, o.Kind == Race, o.Kind == InFlight, o.Kind == Resize && o.How%Reports != Answered:
			return Rough
		case o.Kind == Resize, (o.Kind == Suspend || o.Kind == Pane) && o.Cols > 0:
			n = max(n, Gentle)
		}
	}
	return n
}

// sizes lists window sizes in columns and rows: first usual ones, then tiny ones.
var sizes = [][2]int{{80, 24}, {80, 24}, {100, 30}, {40, 10}, {40, 10}, {33, 5}, {24, 8}, {20, 6}, {20, 6}, {12, 3},
	{30, 2}, {60, 1}, {7, 4}, {2, 2}, {1, 1}, {3, 1}}

// Generate returns a random program of n operations for a terminal of that profile. The same
// arguments return the same program.
func Generate(seed uint64, profile string, n int) Program {
	rng := rand.New(rand.NewPCG(seed, 0x57e55))
	nature := Nature(rng.IntN(4)) % (natures) // half of them are still
	size := sizes[rng.IntN(len(sizes))]
	if nature != Still {
		size = sizes[rng.IntN(9)]
	}
	if profile == "urxvt" { // in one row it drops a combining mark of the last column, see its page
		size[1] = max(size[1], 2)
	}
	p := Program{Terminal: Terminal{
		Profile: profile, Cols: size[0], Rows: size[1], Scrollback: 100_000, Shell: rng.IntN(2*size[1] + 1),
		Partial: rng.IntN(4) == 0, Sync: rng.IntN(2) == 0, Wide: rng.IntN(4) == 0, Unknown: rng.IntN(4) == 0,
		Chunk: []int{0, 0, -1, 1, 3, 7}[rng.IntN(6)], Marks: seed%3 == 0,
	}}
	if nature == Still && rng.IntN(6) == 0 {
		p.Terminal.Scrollback = 2 * size[1]
	}
	g := generator{rng: rng, nature: nature, cols: size[0], rows: size[1], weights: weights}
	switch nature {
	case Gentle:
		g.weights[Resize] = 10
	case Rough:
		g.weights[Resize], g.weights[Via], g.weights[Race] = 6, 4, 4
	}
	for i := range n {
		o := g.op(uint32(i + 1))
		if o.Kind == Via {
			p.Ops = append(p.Ops, g.resizeBurst()...)
			continue
		}
		p.Ops = append(p.Ops, o)
	}
	return p
}

type generator struct {
	rng        *rand.Rand
	nature     Nature
	cols, rows int
	weights    [kinds]int
}

// weights says how often each kind of operation is chosen, without changes of size.
var weights = [kinds]int{
	Idle: 2, Commit: 14, Paragraph: 5, Insert: 10, Change: 16, Remove: 6, Slide: 8, Finalise: 8, Rewind: 2, Overlay: 5,
	Caret: 6, Sync: 1, Careful: 1, Scroll: 4,
	Stall: 2, Suspend: 2, Session: 1, Pager: 1, Pane: 1, Picture: 3,
}

func (g *generator) kind() Kind {
	w := g.weights
	sum := 0
	for _, n := range w {
		sum += n
	}
	n := g.rng.IntN(sum)
	for k, weight := range w {
		if n -= weight; n < 0 {
			return Kind(k)
		}
	}
	return Idle
}

// smallNumber returns a random number from 1 to 3, now and then any number up to limit.
func (g *generator) smallNumber(limit int) int {
	if g.rng.IntN(8) == 0 {
		return g.rng.IntN(limit + 1)
	}
	return 1 + g.rng.IntN(3)
}

func (g *generator) look() int {
	if g.nature == Gentle && g.rng.IntN(3) > 0 {
		return Short
	}
	return []int{Plain, Plain, Styled, Styled, Full, OverWide, Doubtful, Empty, Coloured, Short}[g.rng.IntN(10)]
}

func (g *generator) op(seed uint32) Op {
	rng := g.rng
	o := Op{Kind: g.kind(), Seed: seed}
	switch o.Kind {
	case Commit:
		o.N, o.How = g.smallNumber(3*g.rows), g.look()
	case Paragraph:
		o.N = 1 + rng.IntN(4)
		if rng.IntN(4) == 0 {
			o.N = 1 + rng.IntN(g.rows+3)
		}
		if rng.IntN(4) == 0 {
			o.At = 1
		}
	case Insert:
		o.N, o.At, o.How = g.smallNumber(g.rows+4), rng.IntN(1+g.rows), g.look()
		if g.nature == Gentle {
			o.N, o.How = 1, Short
		} else if rng.IntN(4) == 0 {
			o.How = SoftWrapped + rng.IntN(4)/3
		}
	case Change:
		o.At, o.How = rng.IntN(1+g.rows), rng.IntN(8)
	case Remove:
		o.N, o.At = g.smallNumber(g.rows), rng.IntN(1+g.rows)
	case Slide:
		o.N, o.At, o.How = g.smallNumber(g.rows), rng.IntN(3), g.look()
		o.Cols, o.Rows = 3+rng.IntN(g.rows+2), rng.IntN(2)
		if g.nature == Gentle {
			o.N, o.How, o.Cols = 1, Short, 3
		}
	case Finalise:
		o.N = rng.IntN(g.rows + 3)
	case Rewind:
		o.N, o.At, o.How = 1+rng.IntN(g.rows+3), rng.IntN(3), rng.IntN(2)
	case Overlay:
		o.N, o.At, o.How = 1+rng.IntN(g.rows+1), rng.IntN(3), rng.IntN(1+g.cols/2)
		if rng.IntN(2) == 0 {
			o.Cols = 1 + rng.IntN(g.cols)
		}
	case Caret:
		o.N, o.At, o.How = min(1, rng.IntN(4)), rng.IntN(g.rows), rng.IntN(g.cols)
		if rng.IntN(4) == 0 {
			o.How = g.cols - 1
		}
	case Sync, Careful:
		o.N = rng.IntN(2)
	case Scroll:
		o.N = rng.IntN(2 * g.rows)
	case Stall:
		o.N = 1 + rng.IntN(5)
	case Suspend, Session:
		o.N, o.At, o.How = g.smallNumber(2*g.rows), rng.IntN(2), rng.IntN(2)
		if o.Kind == Suspend && g.nature != Still && rng.IntN(2) == 0 {
			o.Cols, o.Rows = g.nextSize()
		}
	case Pager:
		o.N = 1 + rng.IntN(2*g.rows)
	case Pane:
		o.N = 1 + rng.IntN(4)
		if g.nature != Still && rng.IntN(2) == 0 {
			o.Cols, o.Rows = g.nextSize()
			o.How = g.randomReport()
		}
	case Picture:
		o.N, o.At, o.How = 1+rng.IntN(5), rng.IntN(3), rng.IntN(3)
		if rng.IntN(4) == 0 {
			o.N = 1 + rng.IntN(g.rows+2)
		}
	case Resize, Race:
		o.Cols, o.Rows = g.nextSize()
		o.How = g.randomReport()
		if o.Kind == Race {
			o.N, o.At = rng.IntN(6), rng.IntN(4)
		}
	}
	o.Hold = rng.IntN(8) == 0 && o.Kind < Scroll
	return o
}

// randomReport returns a random kind of answer to the request for the cursor position after a
// resize.
func (g *generator) randomReport() int {
	if g.nature == Rough {
		return g.rng.IntN(Reports)
	}
	return Answered
}

// least is the smallest width, in columns, that a window is changed to. A window of one column has
// no place for a wide character, and each terminal does something else with it. In two columns,
// text that was printed for a wider window takes so many rows that not all of them can be found
// again (VTE, foot: 2 of 15,000 programs of 200 operations).
const least = 3

// resizeBurst returns a change of the window's size with some other sizes on the way. Now and then
// the window returns to its first size.
func (g *generator) resizeBurst() []Op {
	var list []Op
	for range 1 + g.rng.IntN(4) {
		list = append(list, Op{Kind: Via, Cols: max(least, 1+g.rng.IntN(101)), Rows: 1 + g.rng.IntN(40),
			How: g.rng.IntN(3)})
	}
	last := Op{Kind: Resize, Cols: g.cols, Rows: g.rows, How: g.randomReport()}
	if g.rng.IntN(4) > 0 {
		last.Cols, last.Rows = g.nextSize()
	}
	return append(list, last)
}

// nextSize returns a random new size of the window: another width, another height, or both.
func (g *generator) nextSize() (cols, rows int) {
	which := g.rng.IntN(3)
	if which != 0 {
		g.cols = 20 + g.rng.IntN(100)
	}
	if which != 1 {
		g.rows = 4 + g.rng.IntN(36)
	}
	if g.nature == Rough {
		switch g.rng.IntN(24) {
		case 0, 1, 2:
			g.cols, g.rows = 8+g.rng.IntN(30), 2+g.rng.IntN(6)
		case 3:
			g.rows = 1 + g.rng.IntN(2)
		case 4:
			g.cols = max(least, 1+g.rng.IntN(3))
		case 5:
			g.cols, g.rows = max(least, 1+g.rng.IntN(8)), 1+g.rng.IntN(3)
		}
	}
	return g.cols, g.rows
}

// String returns "still", "gentle" or "rough".
func (n Nature) String() string { return [...]string{"still", "gentle", "rough"}[n%natures] }
