package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// isPatternRun reports whether a run of stars or underscores belongs to a file pattern or to a name
// of Python, and marks no emphasis: **/*.go, src/**, *.go, __init__.py, a.__dict__. CommonMark
// would take most of them for emphasis where two stand in a line; a person who copies one wants it
// whole. before and after are the bytes of the line around run.
func isPatternRun(before, run, after []byte) bool {
	last, next := byte(' '), byte(' ')
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	if len(after) > 0 {
		next = after[0]
	}
	if run[0] == '_' {
		return len(run) == 2 && (startsDunder(after) || endsDunder(before, next))
	}
	begins := !isWord(last) && last < 0x80 && last != '/' && last != '*'
	switch {
	case len(run) > 2:
		return false
	case last == '/': // src/**, src/*.go, src/**/x, not either/**or**
		return next == '/' || next == '.' || isBlankByte(next) || bytes.IndexByte([]byte("),;:\"'"), next) >= 0
	case begins && next == '/': // **/*.go, not **/help**
		return len(after) > 1 && after[1] == '*'
	case begins && next == '.': // *.go
		return len(run) == 1 && len(after) > 1 && (isWord(after[1]) || after[1] == '{')
	}
	return false
}

// startsDunder reports whether "__" and after begin a name of Python such as __init__.py or
// __call__().
func startsDunder(after []byte) bool {
	n := 0
	for n < len(after) && isWord(after[n]) {
		n++
	}
	rest := after[n:]
	return n > 0 && bytes.HasPrefix(rest, []byte("__")) && len(rest) > 3 &&
		(rest[2] == '.' && isWord(rest[3]) || rest[2] == '(' && rest[3] == ')')
}

// endsDunder reports whether "__" ends a name of Python such as __init__: before ends with "__" and
// a word, and next may follow such a name.
func endsDunder(before []byte, next byte) bool {
	name := bytes.TrimRightFunc(before, func(r rune) bool { return r < 0x80 && isWord(byte(r)) })
	return len(name) < len(before) && bytes.HasSuffix(name, []byte("__")) && (next == '.' || next == '(')
}

// patterns is goldmark's parser of the runs that are no emphasis.
type patterns struct{}

// Trigger returns the bytes of such a run.
func (patterns) Trigger() []byte { return []byte{'*', '_'} }

// Parse takes a run.
func (patterns) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before := block.Source()[:segment.Start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	k := runOf(line, line[0])
	if !isPatternRun(before, line[:k], line[k:]) {
		return nil
	}
	block.Advance(k)
	return ast.NewTextSegment(segment.WithStop(segment.Start + k))
}
