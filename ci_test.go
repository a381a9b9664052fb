package scrollkeep

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// What is known to be vulnerable fails the check, and so does every error but one: the list of it
// is on the network, which a machine may not have. That is said, and fails only where it is wanted.
func TestVulnerabilitiesFailTheCheckAndNoNetworkDoesNot(t *testing.T) {
	bash := need.Program(t, "bash")
	for _, c := range []struct {
		name, program, require string
		fails                  bool
		want                   string
	}{
		{"nothing is known", "echo No vulnerabilities found.", "", false, ""},
		{"something is known", "echo Vulnerability 1; exit 3", "", true, "Vulnerability 1"},
		{"no network", "echo 'govulncheck: fetching vulnerabilities: no such host' >&2; exit 1", "", false,
			"NOT CHECKED: known vulnerabilities. Their list cannot be read: govulncheck: fetching"},
		{"no network where it is wanted", "echo 'govulncheck: fetching vulnerabilities: x' >&2; exit 1",
			"tmux,govulncheck", true, "NOT CHECKED"},
		{"no network, and something else is wanted", "echo 'fetching vulnerabilities: x' >&2; exit 1", "tmux", false,
			"NOT CHECKED"},
		{"another error", "echo 'govulncheck: loading packages: x' >&2; exit 1", "", true, "loading packages"},
		{"a crash", "kill -KILL $$", "", true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "govulncheck")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.program+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(bash, ".ci/vulns")
			cmd.Env = append(os.Environ(), "GOVULNCHECK="+program, "SCROLLKEEP_REQUIRE="+c.require)
			out, err := cmd.CombinedOutput()
			if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if (err != nil) != c.fails || !strings.Contains(string(out), c.want) {
				t.Errorf("%v, it says\n%s", err, out)
			}
			if c.want == "" && !c.fails && len(out) > 0 {
				t.Errorf("where all is well it says %q", out)
			}
		})
	}
}

// The workflow tests with the Go that the module wants, and calls scripts that there are.
func TestTheWorkflowFitsTheModule(t *testing.T) {
	workflow, err := os.ReadFile(".github/workflows/check.yml")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	got := regexp.MustCompile(`go-version: "(\d+\.\d+)\.x"`).FindSubmatch(workflow)
	if want == nil || got == nil || string(want[1]) != string(got[1]) {
		t.Errorf("go.mod wants Go %q, the workflow has %q", want, got)
	}
	scripts := regexp.MustCompile(`\.ci/\w+`).FindAllString(string(workflow), -1)
	if len(scripts) == 0 {
		t.Error("the workflow calls no script")
	}
	for _, name := range scripts {
		if info, err := os.Stat(name); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("the workflow names %s: %v", name, err)
		}
	}
}
