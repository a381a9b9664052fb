package oracle

import (
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/stress/reduce"
)

// Shrink makes a failing program smaller: it removes operations, halves texts, lowers numbers and
// sizes, as long as fails returns true for the smaller program. It calls fails at most tries times.
// The result fails, too.
func Shrink(p Program, tries int, fails func(Program) bool) Program {
	return reduce.Program(p, tries, func(p *Program) *[]Op { return &p.Ops }, simpler, smaller, fails)
}

// smaller lists the same program on screens with fewer rows or columns.
func smaller(p Program) []Program {
	var list []Program
	for _, next := range []func(*Program){
		func(q *Program) { q.Size.Rows-- }, func(q *Program) { q.Size.Cols-- },
		func(q *Program) { q.Size.Rows /= 2 }, func(q *Program) { q.Size.Cols /= 2 },
	} {
		q := p
		next(&q)
		if q.Size.Rows > 0 && q.Size.Cols > 0 {
			list = append(list, q)
		}
	}
	return list
}

// simpler lists operations that are one step easier to read than op. Each step makes the operation
// shorter or a number lower, so that shrinking ends.
func simpler(op Op) []Op {
	var list []Op
	add := func(change func(*Op)) {
		o := op
		change(&o)
		list = append(list, o)
	}
	if op.Dump {
		add(func(o *Op) { o.Dump = false })
	}
	if op.Cols != 0 {
		if op.Cols > 1 {
			add(func(o *Op) { o.Cols-- })
		}
		if op.Rows > 1 {
			add(func(o *Op) { o.Rows-- })
		}
		return list
	}
	// an image: its data must fit its size
	if i := strings.IndexByte(op.Bytes, '='); strings.HasPrefix(op.Bytes, "\x1b_G") && i > 0 {
		return nil
	}
	if !strings.Contains(op.Bytes, "\x1b") { // text
		if op.Bytes == "" {
			return nil
		}
		n := utf8.RuneCountInString(op.Bytes)
		if n > 3 {
			half := cutRunes(op.Bytes, n/2)
			add(func(o *Op) { o.Bytes = op.Bytes[:half] })
			add(func(o *Op) { o.Bytes = op.Bytes[half:] })
		}
		for i := 0; i < n && n <= 40; i++ {
			from, to := cutRunes(op.Bytes, i), cutRunes(op.Bytes, i+1)
			add(func(o *Op) { o.Bytes = op.Bytes[:from] + op.Bytes[to:] })
		}
		for i, r := range op.Bytes {
			if r > 'a' && r <= 'z' {
				add(func(o *Op) { o.Bytes = op.Bytes[:i] + "a" + op.Bytes[i+1:] })
				break
			}
		}
		return list
	}
	// A sequence: drop a parameter, lower a number.
	for i := 0; i < len(op.Bytes); i++ {
		b := op.Bytes[i]
		if b == ';' {
			end := i + 1
			for end < len(op.Bytes) && (op.Bytes[end] >= '0' && op.Bytes[end] <= '9' || op.Bytes[end] == ':') {
				end++
			}
			add(func(o *Op) { o.Bytes = op.Bytes[:i] + op.Bytes[end:] })
		}
		if b < '0' || b > '9' {
			continue
		}
		end := i
		for end < len(op.Bytes) && op.Bytes[end] >= '0' && op.Bytes[end] <= '9' {
			end++
		}
		if end-i > 1 {
			add(func(o *Op) { o.Bytes = op.Bytes[:i] + op.Bytes[i+1:] })
			add(func(o *Op) { o.Bytes = op.Bytes[:end-1] + op.Bytes[end:] })
		} else if b > '1' {
			add(func(o *Op) { o.Bytes = op.Bytes[:i] + string(b-1) + op.Bytes[end:] })
		} else {
			add(func(o *Op) { o.Bytes = op.Bytes[:i] + op.Bytes[end:] })
		}
		i = end - 1
	}
	return list
}

// cutRunes returns the byte offset at which rune n of s begins.
func cutRunes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}
