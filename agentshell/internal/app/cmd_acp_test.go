package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The person's editor and their own commands get the environment without keys of providers.
func TestTheEditorGetsNoKeyOfAProvider(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.write("notes.md", notes)
	seen := filepath.Join(t.TempDir(), "env")
	const provider, other = "sk-proj-CANARYopenai0123456789", "ghp_CANARYgithub0123456789"
	p.line("export OPENAI_API_KEY=" + provider + " GITHUB_TOKEN=" + other)
	p.line("export EDITOR='sh -c \"env > " + seen + "\"'")
	p.line("clear")
	p.start(`{"say":"Now.","delay_ms":0,"tool_calls":[{"id":"c","name":"edit_file","input":{"path":"notes.md",`+
		`"old_string":"teh","new_string":"the"}}]}`, `{"say":"Well done."}`)
	p.line("!env | grep -c GITHUB_TOKEN; env | grep -c _API_KEY; echo $GITHUB_TOKEN")
	p.sees("[secret]")
	p.line("go")
	p.armed()
	p.keys("e")
	p.sees("nothing was edited")
	env, err := os.ReadFile(seen)
	if err != nil || strings.Contains(string(env), provider) || !strings.Contains(string(env), other) {
		t.Errorf("the editor gets %s, %v", env, err)
	}
	if screen := p.screen(); strings.Contains(screen, provider) || strings.Contains(screen, other) {
		t.Errorf("the screen shows\n%s", screen)
	}
	p.keys("n")
	p.sees("Well done")
	p.keys("C-d")
}
