package block

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/tui/code"
)

// The maximum number of lines of a body that a summary shows: for a function, and for another
// declaration.
const (
	shortBody  = 2
	shortTable = 10
)

// Bodies returns the ranges of lines that a summary of a source file omits: the bodies of
// functions, and long values. The remaining lines are the declarations. A range is the first and
// the last line, numbered from 1. Bodies returns nil if the language is not supported or the text
// cannot be parsed.
func Bodies(name, text string) [][2]int {
	lang := code.Of(name)
	switch {
	case lang == nil:
		return nil
	case path.Ext(name) == ".go":
		return goBodies(text)
	case slices.Contains(indentLanguages, lang.Name):
		return newSource(lang, text).bodies(true)
	case slices.Contains(bracketLanguages, lang.Name):
		return newSource(lang, text).bodies(false)
	}
	return nil
}

// goBodies does what [Bodies] does, for Go.
func goBodies(text string) (spans [][2]int) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		from, to, maxShort := d.Pos(), d.End(), shortTable
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			from, to, maxShort = d.Body.Lbrace, d.Body.Rbrace, shortBody
		case *ast.GenDecl:
			if d.Tok == token.TYPE || d.Tok == token.IMPORT { // what they declare is what is asked for
				continue
			}
		}
		first, last := fset.Position(from).Line+1, fset.Position(to).Line-1
		if last-first+1 > maxShort {
			spans = append(spans, [2]int{first, last})
		}
	}
	return spans
}

// containerWords matches the keywords of declarations that contain other declarations, such as
// class.
var containerWords = lazyregexp.New(
	`\b(class|struct|interface|impl|trait|module|mod|namespace|object|enum|protocol|` +
		`extension|union|record|message|service|package)\b`)

// bodies returns the ranges of lines that a summary omits. It also looks inside of blocks that
// contain declarations, such as classes.
func (s source) bodies(indented bool) (spans [][2]int) {
	for i := 0; i < len(s.lines); i++ {
		last, ok := s.block(i, indented) // from 1
		if !ok || last-1 <= i {
			continue
		}
		text, _ := s.code(i)
		if containerWords().MatchString(text) && !strings.Contains(text, "=") {
			continue // line by line
		}
		to := last
		if tail := strings.TrimSpace(s.lines[last-1]); tail != "" && strings.Trim(tail, ")]};,") == "" {
			to-- // its bracket stays
		}
		if to-i-1 > shortBody {
			spans = append(spans, [2]int{i + 2, to})
		}
		i = last - 1
	}
	return spans
}
