package program

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/stress/reduce"
)

// Shrink makes a failing program smaller: it removes operations, lowers numbers and simplifies the
// terminal, as long as fails returns true for the smaller program. It calls fails at most tries
// times. The result fails, too.
func Shrink(p Program, tries int, fails func(Program) bool) Program {
	return reduce.Program(p, tries, func(p *Program) *[]Op { return &p.Ops }, simpler, plainer, fails)
}

// simpler lists operations that are one step easier to read than o. Each step lowers a number or
// removes something, so that shrinking ends.
func simpler(o Op) []Op {
	var list []Op
	if o.Hold {
		q := o
		q.Hold = false
		list = append(list, q)
	}
	for i := range o.numbers() {
		n := *o.numbers()[i]
		if n == 0 || fields[o.Kind%kinds].of[i] == "" {
			continue
		}
		for _, m := range []int{0, n / 2, n - 1} {
			q := o
			*q.numbers()[i] = m
			if o.Kind != Overlay && (q.Cols < min(8, o.Cols) || q.Rows < min(2, o.Rows)) {
				continue // smaller windows cut everything
			}
			if m < n && !slices.Contains(list, q) {
				list = append(list, q)
			}
		}
	}
	return list
}

// plainer lists the same program on terminals that are one step smaller or simpler.
func plainer(p Program) []Program {
	var list []Program
	add := func(change func(*Terminal)) {
		q := p
		if change(&q.Terminal); q.Terminal != p.Terminal {
			list = append(list, q)
		}
	}
	add(func(q *Terminal) { q.Shell = 0 })
	add(func(q *Terminal) { q.Shell /= 2 })
	add(func(q *Terminal) { q.Partial = false })
	add(func(q *Terminal) { q.Sync = false })
	add(func(q *Terminal) { q.Wide = false })
	add(func(q *Terminal) { q.Unknown = false })
	add(func(q *Terminal) { q.Chunk = -1 })
	for _, n := range []int{1, 2, 10} {
		add(func(q *Terminal) { q.Cols = max(min(q.Cols, 10), q.Cols-n) })
		add(func(q *Terminal) { q.Rows = max(1, q.Rows-n) })
	}
	return list
}
