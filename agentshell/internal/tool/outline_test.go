package tool

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

func TestAnOutlineIsAShortTree(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".git", "a/b/c/d", "many", "build"} {
		if err := os.MkdirAll(root+"/"+dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range outlineEntries + 5 {
		if err := os.WriteFile(fmt.Sprintf("%s/many/%02d", root, i), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/b/x.go", "a/b/c/deep.go", "build/out", "esc\x1b[31m\u202e", ".git/config"} {
		if err := os.WriteFile(root+"/"+name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(root+"/.gitignore", []byte("build/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", root+"/out"); err != nil {
		t.Fatal(err)
	}
	look := func() string {
		w, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: root}}})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		text, err := Outline(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := look()
	for _, want := range []string{".gitignore\na/\n  b/\n    c/\n    x.go\nesc\\x1b[31m\\u202e\nmany/\n  00\n",
		"  24\n  [5 more]\nout (link)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, no := range []string{"deep.go", "build", ".git/", "passwd"} {
		if strings.Contains(text, no) {
			t.Errorf("%q is in\n%s", no, text)
		}
	}
	for i := range 50 { // there is no room for the depth any more
		if err := os.MkdirAll(fmt.Sprintf("%s/z%02d/y", root, i), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if text := look(); strings.Count(text, "\n") > outlineLines || !strings.Contains(text, "a/\n") ||
		strings.Contains(text, "x.go") {
		t.Errorf("a large one is\n%s", text)
	}
}
