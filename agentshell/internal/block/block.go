// Package block finds the block of a source text that begins on a line: a function, a class, a
// statement.
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

// Finder gives the last line of the block that begins on a line of a text, both counted from 1.
// !ok: there is none.
type Finder func(text string, line int) (last int, ok bool)

// indented are the languages whose blocks are their indentation, and bracketed those whose blocks
// end with a bracket.
var (
	indented  = []string{"Python", "YAML"}
	bracketed = []string{"C", "C++", "C#", "Java", "Kotlin", "Scala", "Swift", "Dart", "JavaScript", "TypeScript",
		"Rust",
		"Zig", "PHP", "Protobuf", "Perl", "R", "HCL", "JSON", "CSS", "SCSS"}
)

// Of finds the blocks of a file by its name; nil: nothing knows the blocks of its language.
// Go is parsed. In languages with brackets a block goes on to the bracket that ends it, and in
// those of indentation over all lines that are indented more. Both are guesses where a lexer is not
// enough, so what does not add up is no block.
func Of(name string) Finder {
	lang := code.Of(name)
	switch {
	case lang == nil:
		return nil
	case path.Ext(name) == ".go":
		return goBlock
	case slices.Contains(indented, lang.Name):
		return func(text string, line int) (int, bool) { return newSource(lang, text).block(line-1, true) }
	case slices.Contains(bracketed, lang.Name):
		return func(text string, line int) (int, bool) { return newSource(lang, text).block(line-1, false) }
	}
	return nil
}

// goBlock finds the largest part of the syntax of a Go file that begins with a line, and ends with
// its last one.
func goBlock(text string, at int) (last int, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return 0, false
	}
	lines := split(text)
	indent := len(lines[at-1]) - len(strings.TrimLeft(lines[at-1], " \t"))
	for n := range ast.Preorder(file) {
		switch n.(type) {
		case *ast.File, *ast.CommentGroup, *ast.Comment:
			continue
		}
		begin, end := fset.Position(n.Pos()), fset.Position(n.End())
		if begin.Line != at || begin.Column != indent+1 || n.Pos() == n.End() {
			continue
		}
		if end.Line > len(lines) || end.Column-1 > len(lines[end.Line-1]) {
			return 0, false
		}
		rest := strings.TrimSpace(lines[end.Line-1][end.Column-1:])
		if rest = strings.TrimLeft(rest, ",;"); rest == "" || strings.HasPrefix(strings.TrimSpace(rest), "//") {
			return end.Line, true // the outermost one comes first
		}
	}
	return 0, false
}

// split gives the lines of a text without their ends.
func split(text string) (lines []string) {
	for l := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(l, "\r\n"))
	}
	return lines
}

// source is a text in the lines of a language.
type source struct {
	lines []string // without their ends
	text  *code.Text
}

func newSource(lang *code.Language, text string) source {
	return source{split(text), lang.Text(strings.ReplaceAll(text, "\r\n", "\n"))}
}

// plain returns a line without its strings and comments, whose bytes are blanks. open: it ends
// within a string.
func (s source) plain(i int) (text string, open bool) {
	b := []byte(s.lines[i])
	from := 0
	for _, p := range s.text.Line(i) {
		to := min(p.To, len(b))
		if p.Class == code.String || p.Class == code.Comment {
			for k := from; k < to; k++ {
				b[k] = ' '
			}
		}
		open = p.Class == code.String
		from = to
	}
	if open {
		open = false
		if i+1 < len(s.lines) {
			if next := s.text.Line(i + 1); len(next) > 0 && next[0].Class == code.String {
				open = true
			}
		}
	}
	return string(b), open
}

// block finds the last line, from 1, of the block that begins on line i, from 0.
func (s source) block(i int, indented bool) (last int, ok bool) {
	head := strings.TrimSpace(s.lines[i])
	code, _ := s.plain(i)
	if head == "" || strings.TrimSpace(code) == "" || strings.ContainsAny(head[:1], ")]}") {
		return 0, false
	}
	at, ok := s.statement(i)
	if !ok {
		return 0, false
	}
	for strings.HasPrefix(head, "@") && at+1 < len(s.lines) { // what a decorator is of belongs to it
		if i = at + 1; s.indent(i) < 0 {
			return 0, false
		}
		head = strings.TrimSpace(s.lines[i])
		if at, ok = s.statement(i); !ok {
			return 0, false
		}
	}
	for {
		if indented {
			at = s.deeper(i, at)
		}
		next := at + 1
		for next < len(s.lines) && s.indent(next) < 0 {
			next++
		}
		if next == len(s.lines) || s.indent(next) != s.indent(i) || !s.goesOn(next, indented) {
			return at + 1, true
		}
		if at, ok = s.statement(next); !ok {
			return 0, false
		}
	}
}

// statement finds the line, from 0, in which all brackets are closed that line i and those behind
// it open. !ok: they are not, or one is closed that was opened above.
func (s source) statement(i int) (last int, ok bool) {
	var open []byte
	for ; i < len(s.lines); i++ {
		text, inString := s.plain(i)
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

// deeper returns the last line that is indented more than line i, down from line at.
func (s source) deeper(i, at int) int {
	for k := at + 1; k < len(s.lines); k++ {
		switch d := s.indent(k); {
		case d < 0:
		case d <= s.indent(i):
			return at
		default:
			if end, ok := s.statement(k); ok && end > k {
				k = end
			}
			at = k
		}
	}
	return at
}

// indent returns the blanks before a line; -1: it is blank.
func (s source) indent(i int) int {
	text := s.lines[i]
	body := strings.TrimLeft(text, " \t")
	if body == "" {
		return -1
	}
	return len(text) - len(body)
}

// goesOn reports whether a line belongs to the block before it: a brace of its own line, or another
// branch.
func (s source) goesOn(i int, indented bool) bool {
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
