package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// The tool lsp is there where the person has turned it on, and says which servers there are.
func TestLanguageServersAreOffUntilTheConfigTurnsThemOn(t *testing.T) {
	status := `{"tool_calls":[{"id":"a","name":"lsp","input":{"action":"status"}}]}`
	p := newPlace(t)
	got := p.run("", "-p", "x", "--script", p.script(status, `{"say":"end"}`), "--output", "stream-json")
	if !strings.Contains(got.stdout, `there is no tool \"lsp\"`) {
		t.Errorf("off: %+v", got)
	}
	dir := filepath.Join(p.home, ".config/agentshell")
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

// What language servers find of a change reaches the model with the result of the call, or before
// its next request: what is new, 20 lines at most. The person is told how much it is.
func TestTheModelIsToldOfNewErrorsOfAChange(t *testing.T) {
	t.Parallel()
	need.Program(t, "gopls")
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[lsp]\nenabled = true\ndiagnostics = true\n")
	p.write("go.mod", "module example.com/m\n\ngo 1.21\n")
	p.write("a.go", "package m\n\nvar a int = \"old\"\n")
	text := "package m\n\nvar a int = \"old\"\n"
	for i := range 25 {
		text += fmt.Sprintf("var b%d = nope%d\n", i, i)
	}
	call := func(name, input string) string {
		return fmt.Sprintf(`{"delay_ms":0,"tool_calls":[{"id":%q,"name":%q,"input":%s}]}`, name, name, input)
	}
	lines := []string{call("lsp", `{"action":"diagnostics","file":"a.go"}`),
		call("write_file", fmt.Sprintf(`{"path":"a.go","content":%q}`, text))}
	for range 5 { // on a busy machine the server is late, and each call waits for it
		lines = append(lines, call("list_dir", `{"path":"."}`))
	}
	lines = append(lines, `{"say":"end","delay_ms":0}`)
	got := p.run("", "-p", "go", "--output", "stream-json", "--allow", "write_file", "--allow", "bash", "--script",
		p.script(lines...))
	const head = `[language servers find what the change has brought:]\na.go:4: error: undefined: nope0\n`
	if got.code != 0 || !strings.Contains(got.stdout, "gopls: 25 new errors in a.go") {
		t.Errorf("%+v", got)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	if len(logs) != 1 {
		t.Fatal(logs)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	_, told, _ := strings.Cut(string(log), head)
	if told, _, _ = strings.Cut(told, `[5 more]`); strings.Count(told, "undefined: nope") != 19 ||
		strings.Contains(told, "old") {
		t.Errorf("the model is told %q of\n%s", told, log)
	}
}
