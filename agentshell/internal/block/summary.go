package block

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui/code"
)

// How many lines of a body are not worth being left out, and of a declaration that is no function.
const (
	shortBody  = 2
	shortTable = 10
)

// Bodies returns the lines that a summary of a source text leaves out, each run by its first and
// its last line, from 1: the bodies of functions, and long values. What is left are the
// declarations. nil: nothing is known of the language of the file name, or its text is not what it
// should be.
func Bodies(name, text string) [][2]int {
	lang := code.Of(name)
	switch {
	case lang == nil:
		return nil
	case path.Ext(name) == ".go":
		return goBodies(text)
	case slices.Contains(indented, lang.Name):
		return newSource(lang, text).bodies(true)
	case slices.Contains(bracketed, lang.Name):
		return newSource(lang, text).bodies(false)
	}
	return nil
}

func goBodies(text string) (spans [][2]int) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		from, to, short := d.Pos(), d.End(), shortTable
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			from, to, short = d.Body.Lbrace, d.Body.Rbrace, shortBody
		case *ast.GenDecl:
			if d.Tok == token.TYPE || d.Tok == token.IMPORT { // what they declare is what is asked for
				continue
			}
		}
		first, last := fset.Position(from).Line+1, fset.Position(to).Line-1
		if last-first+1 > short {
			spans = append(spans, [2]int{first, last})
		}
	}
	return spans
}

// holders are the words of declarations whose members are declarations, too.
var holders = regexp.MustCompile(`\b(class|struct|interface|impl|trait|module|mod|namespace|object|enum|protocol|` +
	`extension|union|record|message|service|package)\b`)

// bodies returns the bodies of the blocks of a text. A block that holds declarations is looked
// into.
func (s source) bodies(indented bool) (spans [][2]int) {
	for i := 0; i < len(s.lines); i++ {
		last, ok := s.block(i, indented) // from 1
		if !ok || last-1 <= i {
			continue
		}
		text, _ := s.plain(i)
		if holders.MatchString(text) && !strings.Contains(text, "=") {
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
