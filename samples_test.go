package scrollkeep

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A component that somebody adds has a sample, so that the tests of all components hold
// for it.
func TestEachExportedComponentHasASample(t *testing.T) {
	const file = "tui/components_test.go"
	samples, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := exportedComponents(t)
	if len(found) < 30 {
		t.Fatalf("only %q are found", found)
	}
	for _, name := range found {
		if !bytes.Contains(samples, []byte("\t\""+name+"\":")) {
			t.Errorf("%s has no sample in %s", name, file)
		}
	}
}

// exportedComponents returns the exported types with a method View(tui.Space) tui.View.
func exportedComponents(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("tui", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "examples" || d.Name() == "internal" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(source), ") View(") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name != "View" || f.Recv == nil || len(f.Type.Params.List) != 1 {
				continue
			}
			receiver := f.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok && id.IsExported() {
				names = append(names, file.Name.Name+"."+id.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
