package width

import "unicode/utf8"

// Bounds of the search for the place of a cut, in bytes.
const (
	maxCluster = 256 // a longer one may be cut between its characters
	// read before the cut: flags are pairs, so that a flag depends on the flags before it
	clusterContext = 1024
)

// Head returns the beginning of s in at most n bytes, in whole grapheme clusters.
func Head(s string, n int) string {
	if n >= len(s) {
		return s
	}
	before, _ := clusterBounds(s, max(n, 0))
	return s[:before]
}

// Tail returns the end of s in at most n bytes, in whole grapheme clusters.
func Tail(s string, n int) string {
	if n >= len(s) {
		return s
	}
	_, after := clusterBounds(s, len(s)-max(n, 0))
	return s[after:]
}

// clusterBounds returns the last end of a cluster at or before at, and the first one at or after
// it.
func clusterBounds(s string, at int) (before, after int) {
	before = clusterStart(s, at)
	for before < at {
		cluster, _ := firstCluster(s[before:])
		next := before + len(cluster)
		switch {
		case next < at:
			before = next
		case next > at && len(cluster) > maxCluster:
			return runeBounds(s, at)
		case next == at:
			return at, at
		default:
			return before, next
		}
	}
	return at, at
}

// clusterStart returns a place not far before at where a cluster begins: after an ASCII character
// with one before it, or else a character as far away as the context goes.
func clusterStart(s string, at int) int {
	limit := max(at-clusterContext, 0)
	for i := at - 1; i > limit; i-- {
		if s[i] < utf8.RuneSelf && s[i-1] < utf8.RuneSelf && s[i] != '\n' {
			return i
		}
	}
	before, _ := runeBounds(s, limit)
	return before
}

// runeBounds returns for characters what clusterBounds does for clusters.
func runeBounds(s string, at int) (before, after int) {
	before, after = at, at
	for i := 0; i < utf8.UTFMax && before > 0 && before < len(s) && !utf8.RuneStart(s[before]); i++ {
		before--
	}
	for i := 0; i < utf8.UTFMax && after < len(s) && !utf8.RuneStart(s[after]); i++ {
		after++
	}
	return before, after
}
