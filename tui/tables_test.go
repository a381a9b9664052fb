package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// The page has each field of the three types that every component meets in a table.
func TestThePageHasEachFieldOfViewSpaceAndPlace(t *testing.T) {
	page, err := os.ReadFile("../docs/tui.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[tui.View](), reflect.TypeFor[tui.Space](),
		reflect.TypeFor[tui.Place]()} {
		_, table, ok := strings.Cut(string(page), "\n| `"+of.Name()+"` | |\n")
		if !ok {
			t.Errorf("no table for %s", of.Name())
		}
		table, _, _ = strings.Cut(table, "\n\n")
		fields := ""
		for line := range strings.Lines(table) {
			cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
			fields += cell + ", "
		}
		for _, f := range reflect.VisibleFields(of) {
			if f.IsExported() && !strings.Contains(fields, "`"+f.Name+"`") {
				t.Errorf("%s.%s is not in its table", of.Name(), f.Name)
			}
		}
	}
}

// Each exported type of package tui has an example.
func TestEachTypeHasAnExample(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	examples := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				of, ok := strings.CutPrefix(decl.Name.Name, "Example")
				of, _, _ = strings.Cut(of, "_")
				examples[of] = examples[of] || ok
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.IsExported() && file.Name.Name == "tui" {
						types = append(types, ts.Name.Name)
					}
				}
			}
		}
	}
	if len(types) < 40 {
		t.Fatalf("only %q are found", types)
	}
	for _, name := range types {
		if !examples[name] {
			t.Errorf("%s has no example", name)
		}
	}
}
