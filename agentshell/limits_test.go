package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestATurnEndsAtTheStepsOfTheConfig(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/scrollkeep/config.toml"), "max_steps = 2\nmax_cost = 0.5\n")
	look := `{"tool_calls":[{"id":"1","name":"list_dir","input":{"path":"."}}],"delay_ms":0}`
	got := p.run("", "-p", "go", "--script", p.script(look, look))
	if got.code != 5 || !strings.Contains(got.stderr, "asked too often") {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-test-0123456789abcdef")
	for model, told := range map[string]bool{"nobody-knows-1": true, "claude-sonnet-5": false} {
		const free = "max_cost does not hold: the price of nobody-knows-1 is not known."
		if got := p.run("", "--plain", "--model", model); strings.Contains(got.stdout, free) != told {
			t.Errorf("%s: %s%s", model, got.stdout, got.stderr)
		}
	}
	p.write(filepath.Join(p.home, ".config/scrollkeep/config.toml"), "max_steps = -1\n")
	if got = p.run("", "-p", "go", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, "config.toml:1: max_steps may be 1 to 100000") {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
}
