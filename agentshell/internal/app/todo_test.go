package app_test

import (
	"strings"
	"testing"
)

// The todo list is that of the conversation: a session that goes on has it, also behind a
// compaction and in a copy.
func TestTheTodoListGoesOnWithTheSession(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	todo := func(ops, more string) string {
		return `{` + more + `"delay_ms":0,"tool_calls":[{"id":"t","name":"todo","input":{"ops":[` + ops + `]}}]}`
	}
	long := `{"say":"` + strings.Repeat("words ", 2000) + `","delay_ms":0,"chunk_runes":9999}`
	for i, run := range []struct {
		in    string
		flags []string
		lines []string
	}{
		{"go\n", nil, []string{todo(`{"op":"init","list":[{"phase":"Look","items":["read","ask"]},`+
			`{"phase":"Do","items":["write"]}]}`, ""), long}},
		{"on\n/compact\nand on\n", []string{"--continue"}, []string{todo(`{"op":"done","item":"read"}`, ""),
			`{"expect":"## Look\n[x] read\n[>] ask\n## Do\n[ ] write","say":"ok","delay_ms":0}`,
			`{"say":"the summary","delay_ms":0}`, todo(`{"op":"done","item":"ask"}`, ""),
			`{"expect":"## Look\n[x] read\n[x] ask\n## Do\n[>] write","say":"ok","delay_ms":0}`}},
		{"on\n/compact\n", []string{"--continue"}, []string{hi, `{"say":"the summary","delay_ms":0}`}},
		{"on\n", []string{"--continue", "--fork"}, []string{todo(`{"op":"append","phase":"Do","items":["rest"]}`, ""),
			`{"expect":"## Look\n[x] read\n[x] ask\n## Do\n[>] write\n[ ] rest","say":"ok","delay_ms":0}`}},
	} {
		got := p.run(run.in, append([]string{"--plain", "--script", p.script(run.lines...)}, run.flags...)...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("run %d: code %d, %s\n%.2000s", i+1, got.code, got.stderr, got.stdout)
		}
	}
}
