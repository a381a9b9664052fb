package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A rule that was kept holds in its workspace, also without a person; what may not be kept does
// not, and is named.
func TestAKeptRuleHoldsInItsWorkspace(t *testing.T) {
	t.Parallel()
	need.Program(t, "bash")
	p := newPlace(t)
	real, err := filepath.EvalSymlinks(p.work)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.home, ".config", "agentshell", "rules.json")
	call := func(command string) result {
		t.Helper()
		return p.run("", "-p", "go", "--script", p.script(`{"delay_ms":0,"tool_calls":[{"id":"a","name":"bash",`+
			`"input":{"command":"`+command+`"}}]}`, `{"say":"Well.","delay_ms":0}`))
	}
	if got := call("touch made"); got.code != headless.ExitDenied {
		t.Errorf("without a rule: %+v", got)
	}
	p.write(file, `{"everywhere":["bash(git push)","bash"],"workspaces":{"`+real+`":["bash(touch made)"],`+
		`"/x":["bash(touch other)"]}}`)
	got := call("touch made")
	if _, err := os.Lstat(filepath.Join(p.work, "made")); err != nil || got.code != headless.ExitDone {
		t.Errorf("with it: %+v, %v", got, err)
	}
	for _, notice := range []string{"the kept rule bash(git push) does not hold: it publishes commits",
		"the kept rule bash does not hold"} {
		if !strings.Contains(got.stderr, notice) {
			t.Errorf("%q is not said: %s", notice, got.stderr)
		}
	}
	for _, command := range []string{"touch other", "git push"} {
		if got := call(command); got.code != headless.ExitDenied {
			t.Errorf("%s: %+v", command, got)
		}
	}
	p.write(file, `{"everywhere":[`)
	got = call("touch made")
	if got.code != headless.ExitDenied || !strings.Contains(got.stderr, "none of them holds") {
		t.Errorf("with a broken file: %+v", got)
	}
	if got := p.run("", "doctor"); !strings.Contains(got.stdout, "none of them holds") {
		t.Errorf("the doctor says %s", got.stdout)
	}
}
