//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// Only a program of the system tells its version unasked. What a manager of versions puts before it
// reads the workspace.
func TestOnlyAProgramOfTheSystemTellsItsVersion(t *testing.T) {
	bash := need.Program(t, "bash")
	b := readingPlace(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "node"), []byte("#!/bin/sh\n./x\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"bash": bash, "go": bash, "perl": filepath.Join(bin, "node")} {
		if err := os.Symlink(to, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(bash)
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "make"), data, 0o755) // the same program, in another place
	}
	if err != nil {
		t.Fatal(err)
	}
	b.env.Commands.Environ = append(b.env.Commands.Environ, "PATH="+bin)
	for command, reads := range map[string]bool{"bash --version": true, "go version": false, "node --version": false,
		"perl -v": false, "make -v": false, "ruby --version": false} {
		if why := b.env.reads(t.Context(), command); why == "" != reads {
			t.Errorf("%s: %s", command, why)
		}
	}
	if got := b.decided("bash(make test *)", "make test; bash --version"); got.Action.String() != "ask" {
		t.Errorf("beside a rule: %+v", got)
	}
	if env := strings.Join(b.env.readingEnv(), "\n"); !strings.Contains(env, "GOTOOLCHAIN=local") {
		t.Error("go version may get another go")
	}
}
