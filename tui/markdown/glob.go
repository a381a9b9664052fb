package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// isPatternRun reports whether run, a run of stars or underscores, belongs to a file pattern or a
// Python name and so is not emphasis: **/*.go, src/**, *.go, __init__.py, a.__dict__. CommonMark
// takes two of them on a line for emphasis, but users copy such names and want them complete.
// before and after are the text of the line before and after run.
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
	begins := !isWordByte(last) && last < 0x80 && last != '/' && last != '*'
	switch {
	case len(run) > 2:
		return false
	case last == '/': // src/**, src/*.go, src/**/x, not either/**or**
		return next == '/' || next == '.' || isBlankByte(next) || bytes.IndexByte([]byte("),;:\"'"), next) >= 0
	case begins && next == '/': // **/*.go, not **/help**
		return len(after) > 1 && after[1] == '*'
	case begins && next == '.': // *.go
		return len(run) == 1 && len(after) > 1 && (isWordByte(after[1]) || after[1] == '{')
	}
	return false
}

// startsDunder reports whether "__" followed by after is a Python name such as __init__.py or
// __call__().
func startsDunder(after []byte) bool {
	n := 0
	for n < len(after) && isWordByte(after[n]) {
		n++
	}
	rest := after[n:]
	return n > 0 && bytes.HasPrefix(rest, []byte("__")) && len(rest) > 3 &&
		(rest[2] == '.' && isWordByte(rest[3]) || rest[2] == '(' && rest[3] == ')')
}

// endsDunder reports whether a "__" behind before ends a Python name such as __init__: before ends
// with "__" and a word, and the byte behind the name is a dot or an opening parenthesis.
func endsDunder(before []byte, next byte) bool {
	name := bytes.TrimRightFunc(before, func(r rune) bool { return r < 0x80 && isWordByte(byte(r)) })
	return len(name) < len(before) && bytes.HasSuffix(name, []byte("__")) && (next == '.' || next == '(')
}

// patternParser is a goldmark parser for the runs of stars and underscores that [isPatternRun]
// accepts. They become plain text.
type patternParser struct{}

// Trigger returns the star and the underscore.
func (patternParser) Trigger() []byte { return []byte{'*', '_'} }

// Parse reads a run of stars or underscores as text. It returns nil if the run may mark emphasis.
func (patternParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before := block.Source()[:segment.Start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	k := runLength(line, line[0])
	if !isPatternRun(before, line[:k], line[k:]) {
		return nil
	}
	block.Advance(k)
	return ast.NewTextSegment(segment.WithStop(segment.Start + k))
}
