package tui_test

import (
	"os"
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
