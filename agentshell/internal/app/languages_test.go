package app_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// The tool lsp is there where the person has turned it on, and says which servers there are.
func TestLanguageServersAreOffUntilTheConfigTurnsThemOn(t *testing.T) {
	status := `{"tool_calls":[{"id":"a","name":"lsp","input":{"action":"status"}}]}`
	p := newPlace(t)
	got := p.run("", "-p", "x", "--script", p.script(status, `{"say":"end"}`), "--output", "stream-json")
	if !strings.Contains(got.stdout, `there is no tool \"lsp\"`) {
		t.Errorf("off: %+v", got)
	}
	dir := filepath.Join(p.home, ".config/scrollkeep")
	p.write(filepath.Join(dir, "config.toml"), "[lsp]\nenabled = true\ndiagnostics = true\n")
	got = p.run("", "-p", "x", "--script", p.script(status, `{"say":"end"}`), "--output", "stream-json")
	if !strings.Contains(got.stdout, "No language servers configured for this project") {
		t.Errorf("on: %+v", got)
	}
	p.write(filepath.Join(dir, "lsp.toml"), "[x]\ncomand = [\"x\"]\n")
	got = p.run("", "doctor")
	if !strings.Contains(got.stdout, "lsp.toml: line 2: there is no such field") {
		t.Errorf("a broken table: %+v", got)
	}
}
