// Package lazyregexp compiles regular expressions at their first use, so that the program starts
// faster.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression expr. Its first call compiles the
// expression. That call panics if expr is not valid, so a test must make it.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
