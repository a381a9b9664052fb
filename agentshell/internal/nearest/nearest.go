// Package nearest finds the name that a mistyped one may have meant.
package nearest

import "strings"

// Name returns the name of names that text, in any case, is nearest to, the first of several; "" if
// none is within so many letters put in, taken out or exchanged.
func Name(text string, within int, names ...string) (near string) {
	for _, name := range names {
		if d := distance(strings.ToLower(text), strings.ToLower(name)); d <= within {
			near, within = name, d-1
		}
	}
	return near
}

// distance returns how many letters have to be put in, taken out or exchanged to make a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
