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

var (
	// noVerb finds a function that is said to be something. It does or returns something.
	noVerb = regexp.MustCompile(`^(is|are|was|were) `)
	// defined finds one that is said to be a pronoun: "size is how many bytes it has".
	defined = regexp.MustCompile(
		`^(is|are) (what|how|where|why|when|whether|who|whose|those|that (of|which)|the one)\b`)
	// twiceRead are words that make a first sentence be read twice.
	twiceRead = regexp.MustCompile(`\b(of which|of whom|whoever)\b`)
)

// commentFault returns what is wrong with a function's comment, "" if nothing is. strict: it is not
// in a test; there a comment may still say "X is text without blanks".
func commentFault(fn *ast.FuncDecl, strict bool) string {
	text := strings.Join(strings.Fields(fn.Doc.Text()), " ")
	rest, named := strings.CutPrefix(text, fn.Name.Name+" ")
	first, _, _ := strings.Cut(rest, ". ")
	switch {
	case strict && !named:
		return "its comment does not begin with its name"
	case strict && noVerb.MatchString(rest), defined.MatchString(rest):
		return "its comment says what it is, not what it does or returns"
	case twiceRead.MatchString(first):
		return "the first sentence of its comment has to be read twice: " + twiceRead.FindString(first)
	}
	return ""
}

func TestCommentsOnFunctionsSayWhatTheyDo(t *testing.T) {
	n := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "peers" ||
			d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		strict := !strings.HasSuffix(name, "_test.go")
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Doc == nil || strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			n++
			if fault := commentFault(fn, strict); fault != "" {
				t.Errorf("%s: %s: %s", fset.Position(fn.Pos()), fn.Name.Name, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 4000 {
		t.Errorf("only %d comments were found", n)
	}
}

func TestACommentThatSaysWhatAFunctionIsIsFound(t *testing.T) {
	for comment, fault := range map[string]struct{ strict, ever bool }{
		"// f returns n.": {}, "// f writes what is left. It is that of a file.": {},
		"// f is text without blanks.": {true, false}, "// It returns n.": {true, false},
		"// f is what is left.": {true, true}, "// f are those that wait.": {true, true},
		"// f returns rows, of which some are blank.": {true, true},
		"// f drops rows for whoever has them.":       {true, true},
	} {
		src := "package p\n\n" + comment + "\nfunc f() {}\n"
		file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		fn := file.Decls[0].(*ast.FuncDecl)
		if strict, ever := commentFault(fn, true) != "", commentFault(fn, false) != ""; strict != fault.strict ||
			ever != fault.ever {
			t.Errorf("%q: %v if strict, %v else", comment, strict, ever)
		}
	}
}
