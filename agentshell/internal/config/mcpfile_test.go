package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

func TestTheServersOfAWorkspaceAreRead(t *testing.T) {
	servers, left, err := config.ParseMCPFile([]byte(`{"mcpServers": {
		"My Files": {"command": "npx", "args": ["-y", "x", "${ROOT:-.}"], "env": {"B": "2", "A": "${KEY}"}},
		"far": {"type": "http", "url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${KEY}"}},
		"my-files": {"command": "y"}, "inside": {"command": "./server"}, "nothing": {}}, "other": 1}`))
	if err != nil || len(servers) != 2 {
		t.Fatalf("%+v, %q, %v", servers, left, err)
	}
	for i, want := range []string{`"inside" is left out: the command could lead`, `"my-files" is left out: another one`,
		`"nothing" is left out: it has neither`} {
		if i >= len(left) || !strings.Contains(strings.Join(left, "\n"), want) {
			t.Errorf("%q, want %q", left, want)
		}
	}
	env := map[string]string{"KEY": "k", "HOST": "mcp.example.com"}
	getenv := func(name string) string { return env[name] }
	m, names := servers["my-files"].Expand(getenv)
	if fmt.Sprint(m.Command, m.Env, names) != "[npx -y x .] [A=k B=2] [{ROOT } {KEY k}]" {
		t.Errorf("%v %v %v", m.Command, m.Env, names)
	}
	m, names = servers["far"].Expand(getenv)
	if m.URL != "https://mcp.example.com/mcp" || m.Headers["Authorization"] != "Bearer k" ||
		servers["far"].Headers["Authorization"] != "Bearer ${KEY}" ||
		fmt.Sprint(names) != "[{HOST mcp.example.com} {KEY k}]" {
		t.Errorf("%+v %v", m, names)
	}
	two := config.MCP{URL: "https://example.com/", Headers: map[string]string{"C": "${C}", "A": "${A}", "D": "${D}",
		"B": "${B}"}}
	for range 50 {
		if _, names := two.Expand(getenv); fmt.Sprint(names) != "[{A } {B } {C } {D }]" {
			t.Fatalf("the variables of headers are %v", names)
		}
	}
	for _, wrong := range []string{"", "[]", `{"mcpServers": 1}`, "{"} {
		if _, _, err := config.ParseMCPFile([]byte(wrong)); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
	if m, _ := (config.MCP{Command: []string{"a", "${", "$X",
		"x${Y"}}).Expand(getenv); fmt.Sprint(m.Command) != "[a ${ $X x${Y]" {
		t.Errorf("%q", m.Command)
	}
}
