package width

import "unicode/utf8"

// Bounds of the search for the place of a cut, in bytes.
const (
	longestCluster = 256  // a longer one may be cut between its characters
	clusterContext = 1024 // read before the cut: what a flag is depends on the flags before it
)

// Head returns the beginning of s in at most n bytes, in whole grapheme clusters.
func Head(s string, n int) string {
	if n >= len(s) {
		return s
	}
	before, _ := around(s, max(n, 0))
	return s[:before]
}

// Tail returns the end of s in at most n bytes, in whole grapheme clusters.
func Tail(s string, n int) string {
	if n >= len(s) {
		return s
	}
	_, after := around(s, len(s)-max(n, 0))
	return s[after:]
}

// around returns the last end of a cluster at or before a place in s, and the first one at or
// behind it.
func around(s string, at int) (before, after int) {
	before = clusterStart(s, at)
	for before < at {
		cluster, _ := first(s[before:])
		next := before + len(cluster)
		switch {
		case next < at:
			before = next
		case next > at && len(cluster) > longestCluster:
			return aroundRune(s, at)
		case next == at:
			return at, at
		default:
			return before, next
		}
	}
	return at, at
}

// clusterStart returns a place not far before at where a cluster begins: behind an ASCII character
// with one before it, or else a character as far away as the context goes.
func clusterStart(s string, at int) int {
	limit := max(at-clusterContext, 0)
	for i := at - 1; i > limit; i-- {
		if s[i] < utf8.RuneSelf && s[i-1] < utf8.RuneSelf && s[i] != '\n' {
			return i
		}
	}
	before, _ := aroundRune(s, limit)
	return before
}

// aroundRune is around for characters.
func aroundRune(s string, at int) (before, after int) {
	before, after = at, at
	for i := 0; i < utf8.UTFMax && before > 0 && before < len(s) && !utf8.RuneStart(s[before]); i++ {
		before--
	}
	for i := 0; i < utf8.UTFMax && after < len(s) && !utf8.RuneStart(s[after]); i++ {
		after++
	}
	return before, after
}
