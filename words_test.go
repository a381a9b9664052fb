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

// defined is a comment that defines a function as a noun or a pronoun instead of saying what it
// does: "size is how many bytes it has", "fields are those of all pages".
var defined = regexp.MustCompile(
	`^\S+ (is|are) (what|how|where|why|when|whether|who|whose|those|that (of|which)|the one)\b`)

// inverted are relative clauses that make a reader go back.
var inverted = regexp.MustCompile(`\b(of which|of whom|whoever)\b`)

// unclear returns what is wrong with the comment of a function, "" for nothing.
func unclear(doc string) string {
	text := strings.ReplaceAll(doc, "\n", " ")
	first, _, _ := strings.Cut(text, ". ")
	switch {
	case defined.MatchString(text):
		return "begins as a definition; say what it returns, reports or does"
	case inverted.MatchString(first):
		return "has \"" + inverted.FindString(first) + "\" in its first sentence; turn it round"
	}
	return ""
}

func TestCommentsOfFunctionsSayWhatTheyDo(t *testing.T) {
	n := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "peers" ||
			d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
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
			if why := unclear(fn.Doc.Text()); why != "" {
				t.Errorf("%s: the comment of %s %s", fset.Position(fn.Pos()), fn.Name.Name, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 4000 {
		t.Errorf("only %d comments were read", n)
	}
}

func TestUnclearCommentsAreFound(t *testing.T) {
	for doc, want := range map[string]bool{
		"size is how many bytes it has.":                    true,
		"fields are those of all pages.":                    true,
		"Drop forgets the rows, for whoever has them.":      true,
		"lines cuts texts of which runs\nof digits count.":  true,
		"size returns how many bytes it has.":               false,
		"fields returns the fields of all pages. Of which?": false,
		"Kind is a word of a table.":                        false,
	} {
		if got := unclear(doc) != ""; got != want {
			t.Errorf("%q: %v", doc, got)
		}
	}
}
