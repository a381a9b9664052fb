// Package reduce makes a failing list of operations small.
package reduce

import "slices"

// Ops takes runs of operations away, from halves down to single ones, and then replaces each by the
// first of its simpler forms, as long as fails says yes. It is one pass: call it until changed is
// false. ops itself is not written to; fails may keep its argument.
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
