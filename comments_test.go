package scrollkeep

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plainWords are the folders whose comments are held to house style. Add yours once it is.
var plainWords = []string{"stress", "internal/mutant"}

// A function is something that does or returns something, so that its comment says "X returns" or
// "X writes", not "X is what".
var noVerb = regexp.MustCompile(`^(is|are|was|were) `)

// twiceRead are words that make a first sentence be read twice.
var twiceRead = regexp.MustCompile(`\b(of which|of whom|whoever|that of)\b`)

func TestCommentsOnFunctionsSayWhatTheyDo(t *testing.T) {
	n := 0
	for _, root := range plainWords {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "peers"):
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc != nil {
					n++
					if fault := commentFault(fn); fault != "" {
						t.Errorf("%s: %s: %s", fset.Position(fn.Pos()), fn.Name.Name, fault)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 100 {
		t.Errorf("only %d comments were found", n)
	}
}

// commentFault returns what is wrong with a function's comment, "" if nothing is.
func commentFault(fn *ast.FuncDecl) string {
	text := strings.Join(strings.Fields(fn.Doc.Text()), " ")
	rest, ok := strings.CutPrefix(text, fn.Name.Name+" ")
	first, _, _ := strings.Cut(rest, ". ")
	switch {
	case !ok:
		return "its comment does not begin with its name"
	case noVerb.MatchString(rest):
		return "its comment says what it is, not what it does or returns"
	case twiceRead.MatchString(first):
		return "the first sentence of its comment has to be read twice: " + twiceRead.FindString(first)
	}
	return ""
}

func TestACommentThatSaysWhatAFunctionIsIsFound(t *testing.T) {
	for comment, fault := range map[string]bool{
		"// f returns n.": false, "// f writes what is left. It is that of a file.": false,
		"// f is what is left.": true, "// f are those that wait.": true, "// It returns n.": true,
		"// f returns rows, of which some are blank.": true,
	} {
		src := "package p\n\n" + comment + "\nfunc f() {}\n"
		file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := commentFault(file.Decls[0].(*ast.FuncDecl)); (got != "") != fault {
			t.Errorf("%q: %q", comment, got)
		}
	}
}
