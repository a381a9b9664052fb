package config_test

import (
	"fmt"
	"maps"
	"slices"
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
	for i, want := range []string{`"inside" is left out: the command could lead`, `"my-files" is left out: ` +
		`another one`,
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

// Files in the wild: the forms of other programs, values that are no text, names of all lengths.
// One bad entry costs that entry.
func TestFilesOfServersInTheWildAreRead(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"HOME": "/home/anna", "KEY": "k"}[name] }
	for _, c := range []struct{ text, want, left string }{
		{`{"mcpServers": {"sequential-thinking": {"command": "npx"}, "desktop-commander": {"command": "npx"},
			"my_server": {"command": "npx"}}}`, "desktop-commander[npx] my_server[npx] sequential-thinking[npx]", ""},
		{`{"servers": {"a": {"type": "stdio", "command": "x", "args": ["y"]}}}`, "a[x y]", ""},
		{`{"mcp": {"servers": {"a": {"command": "x"}}}, "editor.fontSize": 12}`, "a[x]", ""},
		{"\uFEFF" + `{"mcpServers": {"a": {"command": "x"}}}`, "a[x]", ""},
		{`{"mcpServers": {"a": {"command": "${HOME}/bin/x", "args": ["${env:KEY}"]}}}`, "a[/home/anna/bin/x k]", ""},
		{`{"mcpServers": {"a": {"command": ["npx", "-y"], "args": ["x", 8080, true]}}}`, "a[npx -y x 8080 true]", ""},
		{`{"mcpServers": {"a": {"command": "x", "env": {"PORT": 8080, "RATE": 1.50, "ON": true, "NO": null}}}}`,
			"a[x NO= ON=true PORT=8080 RATE=1.50]", ""},
		{`{"mcpServers": {"a": {"httpUrl": "https://h.example.com/"}, "b": {"serverUrl": "https://h.example.com/"}}}`,
			"a[https://h.example.com/] b[https://h.example.com/]", ""},
		{`{"mcpServers": {"a": 1, "b": {"command": {}}, "c": {"command": "x", "args": [[]]}, "d": {"command": "x"}}}`,
			"d[x]", `"a" is left out: it cannot be read: it is no object, but a number|"b" is left out|"c" is ` +
				`left out`},
		{`{"mcpServers": {"a": {"command": "x", "env": 5}}}`, "", `it cannot be read: env cannot be a number`},
		{`{"servers": {"a": {"command": "x", "env": {"K": "${input:key}"}}, "b": {"command": ` +
			`"${workspaceFolder}/x"}}}`,
			"", `"a" is left out: it wants ${input:key}|"b" is left out: it wants ${workspaceFolder}`},
		{`{"mcpServers": {"a": {"command": "x", "disabled": true}}}`, "", `"a" is left out: the file says`},
		{`{"mcpServers": {"` + strings.Repeat("n", 64) + `": {"command": "x"}, "` + strings.Repeat("m", 65) +
			`": {"command": "x"}}}`, strings.Repeat("n", 64) + "[x]", "at most 64"},
		{`{"mcpServers": {"a__b": {"command": "x"}, "文件": {"command": "x"}}}`, "a_b[x]", `"文件" is left out`},
	} {
		servers, left, err := config.ParseMCPFile([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(servers)) {
			m, _ := servers[name].Expand(getenv)
			if _, err := m.Check(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got = append(got, name+"["+strings.Join(append(append(m.Command, m.Env...), given(m.URL)...), " ")+"]")
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s has %q, want %q", c.text, got, c.want)
		}
		for part := range strings.SplitSeq(c.left, "|") {
			if !strings.Contains(strings.Join(left, "\n"), part) || c.left == "" && len(left) > 0 {
				t.Errorf("%s: left out are %q, want %q", c.text, left, part)
			}
		}
	}
}

// given returns a list of what is not empty.
func given(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
