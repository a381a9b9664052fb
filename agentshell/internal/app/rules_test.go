package app_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Rules in the person's folder hold in every front end; a flood is looked at as it comes.
func TestARuleOfTheConfigFolderInterruptsTheModel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/rules/no-sudo.md"),
		"---\ncondition: '\\bsudo\\b'\n---\nNever use sudo; ask.\n")
	p.write(filepath.Join(p.home, ".config/agentshell/rules/broken.md"), "---\ncondition: (\n---\nNo.\n")
	flood := strings.Repeat("some words ", 100_000)
	lines := []string{`{"say":"` + flood + ` sudo","delay_ms":0,"chunk_runes":64}`,
		`{"expect":"<system-interrupt reason=\"rule_violation\" rule=\"no-sudo\">\nNever use sudo; ask.",` +
			`"say":"I ask.","delay_ms":0}`}
	got := p.run("", "-p", "go", "--script", p.script(lines...))
	if got.code != 0 || got.stdout != "I ask.\n" || !strings.Contains(got.stderr, "Retracted by the rule no-sudo") ||
		!strings.Contains(got.stderr, "rules/broken.md in your config folder is not used: condition: error parsing") {
		t.Errorf("code %d, %.300q, %s", got.code, got.stdout, got.stderr)
	}
	got = p.run("", "-p", "go", "--output", "stream-json", "--script", p.script(lines...))
	if got.code != 0 || !strings.Contains(got.stdout, `{"type":"retracted","rules":"no-sudo","retry":1,"of":3}`) {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
	lines[1] = hi
	got = p.run("go\n", "--continue", "--plain", "--script", p.script(lines[1:]...)) // it was told in this session
	if got.code != 0 || strings.Contains(got.stdout, "Retracted") {
		t.Errorf("code %d, %s%s", got.code, got.stdout, got.stderr)
	}
	if got = p.run("", "export"); strings.Contains(got.stdout, "some words") {
		t.Error("what was retracted is in the session")
	}
}
