package width

import "unicode/utf8"

// Limits in bytes of the search for the end of a cluster.
const (
	maxCluster = 256 // A longer cluster may be cut between its characters.
	// How many bytes are read before the cut. A flag is a pair of letters, so that where it begins
	// depends on the flags before it.
	clusterContext = 1024
)

// Head returns the longest beginning of s that has at most n bytes and ends between grapheme
// clusters.
func Head(s string, n int) string {
	if n >= len(s) {
		return s
	}
	before, _ := clusterBounds(s, max(n, 0))
	return s[:before]
}

// Tail returns the longest end of s that has at most n bytes and begins between grapheme clusters.
func Tail(s string, n int) string {
	if n >= len(s) {
		return s
	}
	_, after := clusterBounds(s, len(s)-max(n, 0))
	return s[after:]
}

// clusterBounds returns the last boundary between clusters at or before the index at, and the first
// one at or after it.
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

// clusterStart returns an index shortly before at where a cluster begins: between two ASCII
// characters, or else a character that is clusterContext bytes away.
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

// runeBounds does what clusterBounds does, for characters instead of clusters.
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
