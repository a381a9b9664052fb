package shell

import (
	"strings"
	"testing"
)

func TestTheEditorIsRunWithoutAShell(t *testing.T) {
	env := []string{"X=first", "X=x y"}
	for _, c := range []struct{ command, want string }{
		{"", "vi|-n|-c|set nomodeline noexrc"},
		{"  ", "vi|-n|-c|set nomodeline noexrc"},
		{"/usr/bin/vim -R", "/usr/bin/vim|-R|-n|-c|set nomodeline noexrc"},
		{"code --wait", "code|--wait"},
		{`emacs "--eval=(a b)"`, "emacs|--eval=(a b)"},
		{`ed "$X"`, "ed|x y"},
		{"ed; rm -rf x", "error"},
		{"ed $(touch x)", "error"},
		{"ed `touch x`", "error"},
		{"ed > x", "error"},
		{"'", "error"},
		{"$NONE", "error"},
	} {
		argv, err := Editor{Command: c.command, Env: env}.argv()
		got := strings.Join(argv, "|")
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%q: %s (%v), want %s", c.command, got, err, c.want)
		}
	}
}

func TestTheScratchFileHasAPlainExtension(t *testing.T) {
	for name, want := range map[string]string{"a/b.go": ".go", "x.md": ".md", "x": "", "x.": "", "x.c++": "", "x.tar.gz": ".gz", "x.a\x1bb": "", "x.[]": "", "x.verylongextension": "", ".envrc": ".envrc"} {
		if got := plainExt(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
