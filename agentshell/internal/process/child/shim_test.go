//go:build unix

package child

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A shim of a manager of versions is not found where a file of a root tells the manager by a path
// what to run. Versions do not count as that, and neither do comments.
func TestNoShimIsFoundThatARootDirects(t *testing.T) {
	for _, c := range []struct {
		file, text string
		chosen     bool
	}{
		{".tool-versions", "node path:./evil\n", true},
		{".tool-versions", "# x\njq 1.7 path:../evil\n", true},
		{".node-version", "path:./evil\n", true},
		{".nvmrc", "path:./evil", true},
		{"mise.toml", "[tools]\nnode = \"path:./evil\"\n", true},
		{"mise.local.toml", "[tools.node]\npath = \"./evil\"\n", true},
		{".config/mise/conf.d/a.toml", "[tools]\nnode = \"p\\u0061th:./evil\"\n", true},
		{".mise/config.toml", "[tools]\nnode = \"path:./evil\"\n", true},
		{".tool-versions", "node 22.1.0\n# see https://example.com/path:x\npython 3.12 system\n", false},
		{".nvmrc", "lts/iron\n", false},
		{".python-version", "3.12\n", false},
		{"mise.toml", "[tools]\nnode = \"22\"\n\"npm:prettier\" = \"3\"\n", false},
		{"sub/.tool-versions", "node path:./evil\n", false}, // programs start at the top
	} {
		top := t.TempDir()
		at := func(name string) string { return filepath.Join(top, name) }
		for _, name := range []string{"shims/node", "asdf/shims/node", "bin/mise", "sys/node"} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755),
				os.WriteFile(at(name), []byte("#!/bin/sh\n"), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.MkdirAll(at("ws"), 0o755), os.MkdirAll(at("links"), 0o755),
			os.Symlink("../bin/mise", at("links/node")), os.Symlink("asdf/shims", at("mine"))); err != nil {
			t.Fatal(err)
		}
		early := NewPrograms(at("shims")+":"+at("sys"), at("ws"))
		if got, err := early.Path("node"); got != at("shims/node") {
			t.Errorf("before: %q, %v", got, err)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(at("ws/"+c.file)), 0o755),
			os.WriteFile(at("ws/"+c.file), []byte(c.text), 0o644)); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"shims", "links", "mine", "asdf/shims"} {
			p := NewPrograms(at(dir)+":"+at("sys"), at("ws"))
			want, value := at(dir+"/node"), at(dir)+":"+at("sys")
			if c.chosen {
				want = at("sys/node")
				if dir != "links" {
					value = at("sys")
				}
			}
			if got, err := p.Path("node"); got != want {
				t.Errorf("%s %q: in %s %q, %v", c.file, c.text, dir, got, err)
			}
			if got := p.PathValue(); got != value {
				t.Errorf("%s %q: PATH %s, not %s", c.file, c.text, got, value)
			}
			alone := NewPrograms(at(dir), at("ws"))
			_, err := alone.Path("node")
			_, asPath := alone.Path(at(dir + "/node"))
			if errors.Is(err, ErrChosen) != c.chosen || errors.Is(asPath, ErrChosen) != c.chosen {
				t.Errorf("%s %q: in %s alone: %v, %v", c.file, c.text, dir, err, asPath)
			}
		}
		if got, err := early.Path("node"); (got == at("sys/node")) != c.chosen {
			t.Errorf("%s %q: found before: %q, %v", c.file, c.text, got, err)
		}
	}
}
