package widget

import (
	"cmp"
	"strconv"
	"strings"
)

// compareNatural compares a and b in natural order, as people expect it. Numbers come before other
// texts, in the order of their values. In other texts upper and lower case are equal, and runs of
// digits count as numbers: "file 9" comes before "file 10".
func compareNatural(a, b string) int {
	x, errA := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, errB := strconv.ParseFloat(strings.TrimSpace(b), 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(x, y)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return compareParts(strings.ToLower(a), strings.ToLower(b))
}

// compareParts compares a and b byte by byte, but runs of digits by their value.
func compareParts(a, b string) int {
	for a != "" && b != "" {
		m, n := leadingDigits(a), leadingDigits(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingDigits returns the number of digits at the start of s.
func leadingDigits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}
