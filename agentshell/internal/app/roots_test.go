package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

func TestRoots(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"here/sub", "lib", "other/lib", "ro/in", "lib:ro"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "here"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		added, more string
		want        string // name, directory and :ro of each further one
		err         string
	}{
		{name: "none"},
		{name: "one", added: "$/lib", want: "lib=$/lib"},
		{name: "of the home directory", added: "~/lib:ro", want: "lib=$/lib:ro"},
		{name: "two of one name", added: "$/lib $/other/lib", want: "lib=$/lib lib-2=$/other/lib"},
		{name: "twice", added: "$/lib $/lib", want: "lib=$/lib"},
		{name: "the workspace itself", added: "$/here"},
		{name: "in the workspace", added: "$/here/sub"},
		{name: "in the workspace by a link", added: "$/link/sub"},
		{name: "read-only in the workspace", added: "$/here/sub:ro", err: "cannot be read-only"},
		{name: "read-only in the workspace by a link", added: "$/link/sub:ro", err: "cannot be read-only"},
		{name: "around the workspace", added: "$", err: "add it read-only ($:ro)"},
		{name: "around the workspace, read-only", added: "$:ro", want: "base=$:ro"},
		{name: "around another one", added: "$/other/lib $/other", err: "contains $/other/lib"},
		{name: "writable in a read-only one", added: "$/ro:ro $/ro/in", want: "ro=$/ro:ro in=$/ro/in"},
		{name: "a name that ends like a mark, from an editor", more: "$/lib:ro", want: "lib:ro=$/lib:ro"},
		{name: "not there", added: "$/none", err: "--add-dir: $/none: no such file or directory"},
		{name: "a file", added: "$/file", err: "--add-dir: $/file is not a directory"},
		{name: "empty", added: ":ro", err: "no directory is named"},
	} {
		t.Run(c.name, func(t *testing.T) {
			put := func(s string) []string { return strings.Fields(strings.ReplaceAll(s, "$", base)) }
			added := put(c.added)
			roots, _, err := rootsOf(filepath.Join(base, "here"), added, put(c.more), base)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(c.err, "$", base)) {
					t.Fatalf("%v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range roots[1:] {
				text := r.Name + "=" + r.Dir
				if r.ReadOnly {
					text += ":ro"
				}
				got = append(got, text)
			}
			want := put(strings.ReplaceAll(c.want, "base=", filepath.Base(base)+"="))
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// An added directory whose names look like those that were typed is the one that is meant.
func TestAnAddedDirectoryThatLooksAlikeIsFound(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"here", "my\u00a0files/a", "q\u2018", "q\u2019"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	add := func(dir string) ([]workspace.Root, []string, error) {
		return rootsOf(filepath.Join(base, "here"), []string{filepath.Join(base, dir) + ":ro"}, nil, base)
	}
	roots, notes, err := add("my files/a")
	if err != nil || len(roots) != 2 || roots[1].Dir != filepath.Join(base, "my\u00a0files/a") || !roots[1].ReadOnly ||
		len(notes) != 1 || !strings.Contains(notes[0], "look alike") {
		t.Errorf("%v, %q, %v", roots, notes, err)
	}
	if _, notes, err := add("my\u00a0files/a"); err != nil || len(notes) > 0 {
		t.Errorf("%q, %v", notes, err)
	}
	if _, _, err := add("q'"); err == nil || !strings.Contains(err.Error(), `q\u2018" or "`) {
		t.Error(err)
	}
}
