package app_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// The tool debug is there where the person has turned it on, and the doctor says which debuggers
// there are.
func TestDebuggersAreOffUntilTheConfigTurnsThemOn(t *testing.T) {
	sessions := `{"tool_calls":[{"id":"a","name":"debug","input":{"action":"sessions"}}]}`
	p := newPlace(t)
	got := p.run("", "-p", "x", "--script", p.script(sessions, `{"say":"end"}`), "--output", "stream-json")
	if !strings.Contains(got.stdout, `there is no tool \"debug\"`) {
		t.Errorf("off: %+v", got)
	}
	if got := p.run("", "doctor"); !strings.Contains(got.stdout, "[debug] in the config file") {
		t.Errorf("the doctor: %+v", got)
	}
	dir := filepath.Join(p.home, ".config/agentshell")
	p.write(filepath.Join(dir, "config.toml"), "[debug]\nenabled = true\n")
	got = p.run("", "-p", "x", "--script", p.script(sessions, `{"say":"end"}`), "--output", "stream-json")
	if !strings.Contains(got.stdout, "No debug sessions.") {
		t.Errorf("on: %+v", got)
	}
	p.write(filepath.Join(dir, "debug.toml"), "[my-debugger]\ncommand = [\"no-such-debugger\"]\nnative = true\n"+
		"install = \"get my-debugger\"\n[my-old]\ncommand = [\"no-such\"]\nnames = [\"sh\"]\nnative = true\n"+
		"version = [\"-c\", \"echo sh 1.2\"]\nleast = 3\ninstall = \"get my-newer\"\n[my-named]\n"+
		"command = [\"no-such\"]\nnames = [\"sh\"]\nnative = true\n")
	got = p.run("", "doctor")
	for _, want := range []string{"get my-debugger", "too old: 1.2, and 3 is needed\n      get my-newer\n",
		"installed as sh\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the doctor has no %q: %+v", want, got)
		}
	}
	p.write(filepath.Join(dir, "debug.toml"), "[x]\ncomand = [\"x\"]\n")
	if got = p.run("", "doctor"); !strings.Contains(got.stdout, "debug.toml: line 2: there is no such field") {
		t.Errorf("a broken table: %+v", got)
	}
}
