// Package nearest finds the existing name that a mistyped name may have meant.
package nearest

import "strings"

// Name returns the name that differs least from text, without regard to case. If several differ
// equally, it returns the first. It returns "" if more than maxDistance letters would have to be
// inserted, removed or replaced.
func Name(text string, maxDistance int, names ...string) (nearest string) {
	for _, name := range names {
		if d := distance(strings.ToLower(text), strings.ToLower(name)); d <= maxDistance {
			nearest, maxDistance = name, d-1
		}
	}
	return nearest
}

// distance returns the number of bytes to insert, remove or replace in order to turn a into b (the
// Levenshtein distance).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
