// Package lazyregexp compiles regular expressions when they are first used, so that a start of the
// program does not pay for those that it does not need.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles expr in its first call, and returns the same expression in
// each. It panics there if expr is no expression: a test has to call it.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
