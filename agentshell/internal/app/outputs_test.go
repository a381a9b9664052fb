package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a command printed and the model was not given can be read when the session goes on, and in a
// copy of it, without secrets.
func TestAResumedSessionReadsOutputsOfTheEarlierOne(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-ant-0123456789-0123456789")
	command := `{"tool_calls":[{"id":"1","name":"bash","input":{"command":` +
		`"seq 1 20000; echo sk-ant-0123456789-0123456789; seq 20001 40000"}}]}`
	first := p.run("", "-p", "count", "--output", "json", "--allow", "bash", "--script",
		p.script(command, `{"expect":["artifact://output-1 has all of it"],"say":"Counted.","delay_ms":0}`))
	var r struct{ Session string }
	if err := json.Unmarshal([]byte(first.stdout), &r); err != nil || first.code != 0 {
		t.Fatal(err, first)
	}
	read := p.script(
		`{"tool_calls":[{"id":"2","name":"read_file","input":{"path":"artifact://output-1:20000-20002"}}]}`,
		`{"expect":["20000\t20000\n20001\t","20002\t20001"],"say":"Read.","delay_ms":0}`)
	for _, args := range [][]string{{"--resume", r.Session}, {"--resume", r.Session, "--fork"}} {
		if got := p.run("", append(args, "-p", "more", "--script", read)...); got.code != 0 || got.stdout != "Read.\n" {
			t.Errorf("%q: %+v", args, got)
		}
	}
	outputs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.outputs/*"))
	if len(outputs) != 2 {
		t.Errorf("the files are %q", outputs)
	}
	for _, name := range outputs {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "\n20000\n") ||
			strings.Contains(string(text), "sk-ant") {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	next := p.script(strings.Replace(command, `"1"`, `"3"`, 1),
		`{"expect":["artifact://output-2 has all of it"],"say":"Again.","delay_ms":0}`)
	if got := p.run("", "--resume", r.Session, "-p", "again", "--allow", "bash", "--script",
		next); got.stdout != "Again.\n" {
		t.Errorf("the next output: %+v", got)
	}
}
