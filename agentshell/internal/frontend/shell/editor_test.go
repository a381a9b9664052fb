package shell

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// An editor that lies in the workspace is not run, whether PATH leads there or its name does.
func TestTheEditorIsNoProgramOfTheWorkspace(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"vi", "mine"} {
		text := "#!/bin/sh\necho ran > " + root + "/ran\n"
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"", "mine --wait", root + "/mine"} {
		e := Editor{Command: command, Dir: t.TempDir(), Programs: child.NewPrograms(root, root)}
		if _, err := e.edit(t.Context(), "prompt", "f.md", nil); !errors.Is(err, child.ErrInside) {
			t.Errorf("%q: %v", command, err)
		}
	}
	if (Editor{Programs: child.NewPrograms(root, root)}).available() {
		t.Error("the vi of the workspace is known")
	}
	if _, err := os.Stat(root + "/ran"); err == nil {
		t.Error("it has run")
	}
}

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
	for name, want := range map[string]string{"a/b.go": ".go", "x.md": ".md", "x": "", "x.": "", "x.c++": "",
		"x.tar.gz": ".gz", "x.a\x1bb": "", "x.[]": "", "x.verylongextension": "", ".envrc": ".envrc"} {
		if got := letterExt(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestTheScratchFileLiesInADirectoryOfItsOwn(t *testing.T) {
	for _, fails := range []bool{false, true} {
		base := filepath.Join(t.TempDir(), "scratch")
		var dir string
		e := Editor{Dir: base, Run: func(_ context.Context, cmd *exec.Cmd) error {
			dir = cmd.Dir
			for name, want := range map[string]fs.FileMode{base: fs.ModeDir | 0o700, dir: fs.ModeDir | 0o700,
				filepath.Join(dir, "proposal.go"): 0o600} {
				if info, err := os.Stat(name); err != nil || info.Mode() != want {
					t.Errorf("%s: %v, %v, want %v", name, info, err, want)
				}
			}
			if filepath.Dir(dir) != base || cmd.Args[len(cmd.Args)-1] != "proposal.go" {
				t.Errorf("%s %q", dir, cmd.Args)
			}
			if fails {
				return errors.New("exit status 1")
			}
			return os.WriteFile(filepath.Join(dir, "proposal.go"), []byte("mine"), 0)
		}}
		got, err := e.edit(t.Context(), "proposal", "a/b.go", []byte("text"))
		if fails != (err != nil) || !fails && string(got) != "mine" {
			t.Errorf("%q, %v", got, err)
		}
		if left, err := os.ReadDir(base); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
}
