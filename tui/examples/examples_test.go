// Package examples holds programs that are meant to be read: they stay short.
package examples

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestExamplesStayShort(t *testing.T) {
	files, err := filepath.Glob("*/main.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		limit := 60
		if f == filepath.Join("chat", "main.go") {
			limit = 35 // it stands in the README
		}
		if n := bytes.Count(src, []byte("\n")); n > limit {
			t.Errorf("%s has %d lines, more than %d", f, n, limit)
		}
	}
}
