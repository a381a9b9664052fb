package app_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A whole task without a person: the model edits, builds, tests and commits, and nothing asks. What
// it wants beyond that is denied, and the exit code says so.
func TestAWholeTaskIsDoneWithoutAPerson(t *testing.T) {
	p := confinedPlace(t)
	git := need.Program(t, "git")
	do := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(git, args...)
		cmd.Dir = p.work
		cmd.Env = append(cmd.Environ(), "HOME="+p.home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	p.write(filepath.Join(p.work, "greet.sh"), "echo Helo\n")
	p.write(filepath.Join(p.work, "build.sh"), "mkdir -p out && { echo '#!/bin/sh'; cat greet.sh; } > out/greet && "+
		"chmod +x out/greet\n")
	p.write(filepath.Join(p.work, "test.sh"), "test \"$(out/greet)\" = Hello && echo passed || "+
		"{ echo failed; exit 1; }\n")
	p.write(filepath.Join(p.work, ".gitignore"), "/out\n")
	do("init", "-q")
	do("config", "user.name", "A Robot")
	do("config", "user.email", "robot@example.invalid")
	do("add", "-A")
	do("commit", "-q", "-m", "begin")

	call := func(name string, input map[string]any, expect string) string {
		calls := []any{map[string]any{"id": "c", "name": name, "input": input}}
		line := map[string]any{"delay_ms": 0, "tool_calls": calls}
		if expect != "" {
			line["expect"] = expect
		}
		b, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	run := func(command string) map[string]any { return map[string]any{"command": command} }
	task := []string{
		call("bash", run("sh build.sh && sh test.sh"), ""),
		call("edit_file", map[string]any{"path": "greet.sh", "old_string": "Helo", "new_string": "Hello"}, "failed"),
		call("bash", run("sh build.sh && sh test.sh"), ""),
		call("bash", run("git add -A && git commit -q -m 'mend the greeting' && git status --short"), "passed"),
	}
	got := p.run("", "-p", "mend it", "--mode", "trusted", "--output", "json", "--script",
		p.script(append(task, `{"say":"Mended.","delay_ms":0}`)...))
	var r struct {
		Text, Reason string
		Calls, Code  int
		Denied       int
		Turns        int
	}
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	if got.code != 0 || r.Code != 0 || r.Reason != "done" || r.Calls != 4 || r.Denied != 0 || r.Turns != 5 ||
		r.Text != "Mended.\n" {
		t.Errorf("%+v\n%s", r, got.stderr)
	}
	if log := do("log", "--format=%s %an"); log != "mend the greeting A Robot\nbegin A Robot\n" {
		t.Errorf("the log is %q", log)
	}
	if diff := do("show", "--format=", "HEAD"); !strings.Contains(diff, "-echo Helo\n+echo Hello\n") {
		t.Errorf("the commit is\n%s", diff)
	}
	if left := do("status", "--short"); left != "" {
		t.Errorf("not committed: %s", left)
	}

	got = p.run("", "-p", "publish it", "--mode", "trusted", "--output", "json", "--script",
		p.script(call("bash", run("git push origin HEAD"), ""), hi))
	if got.code != 4 || !strings.Contains(got.stdout, `"denials":[{"call":"c","name":"bash","title":"bash git push`) {
		t.Errorf("a push: %+v", got)
	}
}
