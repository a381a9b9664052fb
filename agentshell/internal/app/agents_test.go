package app_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// A run whose agents were not allowed to do their work has not done what it was asked, whatever the
// model says of it.
func TestWhatIsDeniedToAnAgentCountsForTheRun(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[agents]\nmax = 2\n")
	script := p.script(`{"delay_ms":0,"tool_calls":[{"id":"t","name":"task","input":{"agent":"task","context":"c",`+
		`"tasks":[{"id":"Lexer","assignment":"a"}]}}]}`,
		`{"say":"All is done.","delay_ms":0}`,
		`{"agent":"Lexer","delay_ms":0,"tool_calls":[{"id":"w","name":"write_file",`+
			`"input":{"path":"a.txt","content":"a"}}]}`,
		`{"agent":"Lexer","delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"result":"Done."}}]}`)
	const denial = `"denials":[{"agent":"Lexer","call":"w",`
	for _, c := range []struct {
		input, out string
		args       []string
	}{
		{"", "All is done.", []string{"-p", "go"}},
		{"", `"denied":1,"`, []string{"-p", "go", "--output", "json"}},
		{"", denial, []string{"-p", "go", "--output", "json"}},
		{"", denial, []string{"-p", "go", "--output", "stream-json"}},
		{`{"type":"message","text":"go"}` + "\n", denial, []string{"--input", "stream-json"}},
	} {
		got := p.run(c.input, append(c.args, "--script", script)...)
		if got.code != headless.ExitDenied || !strings.Contains(got.stdout, c.out) {
			t.Errorf("%v: code %d, no %s in\n%s", c.args, got.code, c.out, got.stdout)
		}
		if c.args[0] == "-p" && !strings.Contains(got.stderr, "use --allow") {
			t.Errorf("%v: it does not say what to do: %s", c.args, got.stderr)
		}
	}
	got := p.run("", "-p", "go", "--output", "json", "--mode", "edits", "--script", script)
	if got.code != headless.ExitDone || strings.Contains(got.stdout, "denials") {
		t.Errorf("allowed: code %d\n%s", got.code, got.stdout)
	}
}

// Each record about an agent stands in one that names it, so that who knows no agents takes nothing
// of theirs for the answer.
func TestStreamJSONNamesTheAgentOfEachEvent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[agents]\nmax = 2\n")
	script := p.script(`{"delay_ms":0,"tool_calls":[{"id":"t","name":"task","input":{"agent":"task","context":"c",`+
		`"tasks":[{"id":"Lexer","assignment":"a"}]}}]}`,
		`{"say":"Main says so.","delay_ms":0}`,
		`{"agent":"Lexer","say":"I write.","delay_ms":0,"tool_calls":[{"id":"w","name":"write_file",`+
			`"input":{"path":"a.txt","content":"a"}}]}`,
		`{"agent":"Lexer","delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"result":"I could not."}}]}`)
	got := p.run("", "-p", "go", "--output", "stream-json", "--script", script)
	var main, lexer []string
	for line := range strings.Lines(got.stdout) {
		var r struct {
			Type, Agent, Delta string
			Event              struct{ Type, Delta, Text, Decision, By string }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "agent" {
			if r.Agent != "Lexer" {
				t.Errorf("%s", line)
			}
			e := r.Event
			lexer = append(lexer, strings.Join(strings.Fields(e.Type+" "+e.Delta+e.Decision+" "+e.By), " "))
			continue
		}
		main = append(main, strings.TrimSpace(r.Type+" "+r.Delta))
	}
	if all := strings.Join(lexer, "|"); !strings.HasPrefix(all, "began|text I wr|text ite.|tool_call|") ||
		!strings.Contains(all, "approval deny no_terminal|tool_result") ||
		!strings.HasSuffix(all, "|tool_result|ended") {
		t.Errorf("of Lexer: %s", all)
	}
	if all := strings.Join(main, "|"); strings.Contains(all, "I wr") || !strings.Contains(all, "text Main|text  say") {
		t.Errorf("of Main: %s", all)
	}
	if !strings.Contains(got.stderr, "denied: Lexer: write_file") || got.code != headless.ExitDenied {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
	got = p.run("go\n", "--plain", "--script", script)
	for _, want := range []string{
		"x Lexer: write_file workspace/a.txt  denied: nobody to ask, and no rule allows this call",
		"* Lexer  done, 2 steps\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("plain: %q is not in\n%s", want, got.stdout)
		}
	}
}
