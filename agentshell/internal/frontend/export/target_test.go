package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATargetIsWhatAPersonTypes(t *testing.T) {
	for _, c := range []struct{ args, file, format, problem string }{
		{"", "/w/session-ID.html", "html", ""},
		{"--format json", "/w/session-ID.json", "json", ""},
		{"--format=markdown", "/w/session-ID.md", "markdown", ""},
		{"notes.md", "/w/notes.md", "markdown", ""},
		{"  my notes.HTM ", "/w/my notes.HTM", "html", ""},
		{"--format html --force a.txt", "/w/a.txt", "html", ""},
		{"~/a.json", "/h/a.json", "json", ""},
		{"/tmp/a.html", "/tmp/a.html", "html", ""},
		{"a.txt", "", "", `"a.txt" says no format`},
		{"--format pdf", "", "", `"pdf" is no format`},
		{"--format", "", "", `"" is no format`},
		{"--frobnicate a.md", "", "", "there is no --frobnicate"},
	} {
		target, err := ParseTarget(c.args)
		if err == nil {
			target, err = target.Resolve("/w", "/h", "ID")
		}
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%q: %v", c.args, err)
			}
		case err != nil || target.File != c.file || string(target.Format) != c.format ||
			target.Force != strings.Contains(c.args, "--force"):
			t.Errorf("%q: %+v, %v", c.args, target, err)
		}
	}
}

func TestAnExportReplacesNothingUnasked(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	reads := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(at(name)); string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if err := (Target{File: at("a")}).Write(text("new")); err != nil {
		t.Fatal(err)
	}
	reads("a", "new")
	if info, _ := os.Stat(at("a")); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v", info.Mode())
	}
	called := false
	err := Target{File: at("a")}.Write(func(io.Writer) error { called = true; return nil })
	if err == nil || !strings.Contains(err.Error(), "add --force") || called {
		t.Errorf("%v, written %v", err, called)
	}
	broken := errors.New("broken")
	err = Target{File: at("a"), Force: true}.Write(func(io.Writer) error { return broken })
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	reads("a", "new")
	if err := (Target{File: at("a"), Force: true}).Write(text("newer")); err != nil {
		t.Fatal(err)
	}
	reads("a", "newer")
	// A file that comes while the session is written, a link, and a directory.
	if err := (Target{File: at("b")}).Write(func(io.Writer) error {
		return os.WriteFile(at("b"), []byte("theirs"), 0o600)
	}); err == nil {
		t.Error("a file that has come meanwhile is replaced")
	}
	reads("b", "theirs")
	if err := os.Symlink(at("b"), at("link")); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		for _, name := range []string{"link", "."} {
			if err := (Target{File: at(name), Force: force}).Write(text("x")); err == nil {
				t.Errorf("%s is written over, force %v", name, force)
			}
		}
	}
	reads("b", "theirs")
	left, _ := filepath.Glob(at(".agentshell-export-*"))
	if err := (Target{File: at("none/a")}).Write(text("x")); err == nil || len(left) > 0 {
		t.Errorf("%v, left %q", err, left)
	}
}
