// Package reduce makes a failing test program smaller, as long as it still fails.
package reduce

import "slices"

// Ops makes a list of operations smaller as long as fails returns true for the smaller list. It
// removes runs of operations, from halves down to single ones, and then replaces operations by
// simpler ones. It does this once; call it until changed is false. It does not write to ops. fails
// may keep its argument.
func Ops[T any](ops []T, simpler func(T) []T, fails func([]T) bool) (smaller []T, changed bool) {
	for n := max(1, len(ops)/2); n >= 1; n /= 2 {
		for i := len(ops) - n; i >= 0; i -= n {
			if i+n > len(ops) {
				continue
			}
			if q := slices.Delete(slices.Clone(ops), i, i+n); fails(q) {
				ops, changed = q, true
			}
		}
	}
	for i := 0; i < len(ops); i++ {
		for _, o := range simpler(ops[i]) {
			q := slices.Clone(ops)
			q[i] = o
			if fails(q) {
				ops, changed = q, true
				i--
				break
			}
		}
	}
	return ops, changed
}

// Program makes the failing program p smaller: it removes operations, makes them simpler, and
// replaces p by plainer forms, until nothing helps or fails was called tries times. ops returns a
// pointer to the operations of a program. The result fails, too.
func Program[P, T any](p P, tries int, ops func(*P) *[]T, simpler func(T) []T, plainer func(P) []P,
	fails func(P) bool,
) P {
	try := func(q P) bool {
		if tries <= 0 {
			return false
		}
		tries--
		if !fails(q) {
			return false
		}
		p = q
		return true
	}
	for changed := true; changed && tries > 0; {
		_, changed = Ops(*ops(&p), simpler, func(list []T) bool {
			q := p
			*ops(&q) = list
			return try(q)
		})
		for _, q := range plainer(p) {
			changed = try(q) || changed
		}
	}
	return p
}
