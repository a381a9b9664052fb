// Package block finds blocks of code in a source file: the function, class or statement that begins
// on a given line, and the bodies that a summary of the file omits.
package block

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui/code"
)

// Finder finds the block of code that begins on a line of text. It returns the number of the
// block's last line; lines are numbered from 1. ok is false if no block begins on that line.
type Finder func(text string, line int) (last int, ok bool)

// The languages whose blocks are recognized by indentation, and those whose blocks are recognized
// by brackets.
var (
	indentLanguages  = []string{"Python", "YAML"}
	bracketLanguages = []string{"C", "C++", "C#", "Java", "Kotlin", "Scala", "Swift", "Dart", "JavaScript",
		"TypeScript",
		"Rust",
		"Zig", "PHP", "Protobuf", "Perl", "R", "HCL", "JSON", "CSS", "SCSS"}
)

// Of returns the Finder for a file with the given name, or nil if its language is not supported.
//
// Go files are parsed. In a language with brackets, a block ends with the bracket that closes it.
// In one with indentation, it ends before the first line that is indented less. Both are only
// lexed, so that results can be wrong. If brackets do not match, no block is found.
func Of(name string) Finder {
	lang := code.Of(name)
	switch {
	case lang == nil:
		return nil
	case path.Ext(name) == ".go":
		return goBlock
	case slices.Contains(indentLanguages, lang.Name):
		return func(text string, line int) (int, bool) { return newSource(lang, text).block(line-1, true) }
	case slices.Contains(bracketLanguages, lang.Name):
		return func(text string, line int) (int, bool) { return newSource(lang, text).block(line-1, false) }
	}
	return nil
}

// goBlock returns the last line of the largest syntax node of Go that begins on line firstLine.
// Nothing but a comment may follow the node on its last line.
func goBlock(text string, firstLine int) (last int, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return 0, false
	}
	lines := split(text)
	indent := len(lines[firstLine-1]) - len(strings.TrimLeft(lines[firstLine-1], " \t"))
	for n := range ast.Preorder(file) {
		switch n.(type) {
		case *ast.File, *ast.CommentGroup, *ast.Comment:
			continue
		}
		begin, end := fset.Position(n.Pos()), fset.Position(n.End())
		if begin.Line != firstLine || begin.Column != indent+1 || n.Pos() == n.End() {
			continue
		}
		if end.Line > len(lines) || end.Column-1 > len(lines[end.Line-1]) {
			return 0, false
		}
		remaining := strings.TrimSpace(lines[end.Line-1][end.Column-1:])
		if remaining = strings.TrimLeft(remaining, ",;"); remaining == "" ||
			strings.HasPrefix(strings.TrimSpace(remaining), "//") {
			return end.Line, true // the outermost one comes first
		}
	}
	return 0, false
}

// split returns the lines of a text without their line ends.
func split(text string) (lines []string) {
	for l := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(l, "\r\n"))
	}
	return lines
}

// source is a source text, split into lines, with the lexer's tokens of each line.
type source struct {
	lines []string // The lines, without line ends.
	text  *code.Text
}

func newSource(lang *code.Language, text string) source {
	return source{split(text), lang.Text(strings.ReplaceAll(text, "\r\n", "\n"))}
}

// code returns line i with blanks in place of strings and comments. inString is true if the line
// ends within a string that the next line continues.
func (s source) code(i int) (text string, inString bool) {
	b := []byte(s.lines[i])
	from := 0
	for _, p := range s.text.Line(i) {
		to := min(p.To, len(b))
		if p.Class == code.String || p.Class == code.Comment {
			for k := from; k < to; k++ {
				b[k] = ' '
			}
		}
		inString = p.Class == code.String
		from = to
	}
	if inString {
		inString = false
		if i+1 < len(s.lines) {
			if next := s.text.Line(i + 1); len(next) > 0 && next[0].Class == code.String {
				inString = true
			}
		}
	}
	return string(b), inString
}

// block returns the number of the last line, from 1, of the block that begins at lines[i]. indented
// says that blocks are recognized by indentation, and not by brackets.
func (s source) block(i int, indented bool) (last int, ok bool) {
	head := strings.TrimSpace(s.lines[i])
	text, _ := s.code(i)
	if head == "" || strings.TrimSpace(text) == "" || strings.ContainsAny(head[:1], ")]}") {
		return 0, false
	}
	end, ok := s.statement(i)
	if !ok {
		return 0, false
	}
	for strings.HasPrefix(head, "@") && end+1 < len(s.lines) { // the block of a decorator includes what it decorates
		if i = end + 1; s.indent(i) < 0 {
			return 0, false
		}
		head = strings.TrimSpace(s.lines[i])
		if end, ok = s.statement(i); !ok {
			return 0, false
		}
	}
	for {
		if indented {
			end = s.lastIndented(i, end)
		}
		next := end + 1
		for next < len(s.lines) && s.indent(next) < 0 {
			next++
		}
		if next == len(s.lines) || s.indent(next) != s.indent(i) || !s.continuesBlock(next, indented) {
			return end + 1, true
		}
		if end, ok = s.statement(next); !ok {
			return 0, false
		}
	}
}

// statement returns the index of the first line at whose end all brackets are closed that were
// opened since the beginning of line i. ok is false if a bracket stays open, or does not match.
func (s source) statement(i int) (last int, ok bool) {
	var open []byte
	for ; i < len(s.lines); i++ {
		text, inString := s.code(i)
		for _, c := range []byte(text) {
			switch c {
			case '(', '[', '{':
				open = append(open, c)
			case ')', ']', '}':
				n := len(open) - 1
				if n < 0 || open[n] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
					return 0, false
				}
				open = open[:n]
			}
		}
		if len(open) == 0 && !inString {
			return i, true
		}
	}
	return 0, false
}

// lastIndented returns the index of the last line after line end that still is indented more than
// line i. It returns end if there is none.
func (s source) lastIndented(i, end int) int {
	for k := end + 1; k < len(s.lines); k++ {
		switch d := s.indent(k); {
		case d < 0:
		case d <= s.indent(i):
			return end
		default:
			if end, ok := s.statement(k); ok && end > k {
				k = end
			}
			end = k
		}
	}
	return end
}

// indent returns the number of blank characters at the beginning of line i, or -1 if the whole line
// is blank.
func (s source) indent(i int) int {
	text := s.lines[i]
	body := strings.TrimLeft(text, " \t")
	if body == "" {
		return -1
	}
	return len(text) - len(body)
}

// continuesBlock reports whether line i belongs to the block that ends above it: it begins with an
// opening brace, or with a word such as else or catch.
func (s source) continuesBlock(i int, indented bool) bool {
	head := strings.TrimSpace(s.lines[i])
	if !indented && strings.HasPrefix(head, "{") {
		return true
	}
	word := head
	if n := strings.IndexFunc(head, func(r rune) bool { return r < 'a' || r > 'z' }); n >= 0 {
		word = head[:n]
	}
	return slices.Contains([]string{"else", "elif", "elsif", "except", "catch", "finally"}, word)
}
