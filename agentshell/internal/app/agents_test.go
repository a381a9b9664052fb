package app_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Each record about an agent stands in one that names it, so that who knows no agents takes nothing
// of theirs for the answer.
func TestStreamJSONNamesTheAgentOfEachEvent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/scrollkeep/config.toml"), "[agents]\nmax = 2\n")
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
	if !strings.Contains(got.stderr, "denied: Lexer: write_file") || got.code != 0 {
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
