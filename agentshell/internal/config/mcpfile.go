package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MCPFile is the name of the file by which a workspace offers MCP servers.
const MCPFile = ".mcp.json"

// ParseMCPFile reads the servers that a workspace offers: {"mcpServers": {NAME: {...}}}, as other
// programs have it. What cannot be a server is left out, with a sentence. Values may hold ${NAME}
// and ${NAME:-otherwise}, see [MCP.Expand].
func ParseMCPFile(text []byte) (servers map[string]MCP, left []string, err error) {
	var file struct {
		Servers map[string]struct {
			Type    string
			Command string
			Args    []string
			Env     map[string]string
			URL     string
			Headers map[string]string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, nil, fmt.Errorf("it is not of the form {\"mcpServers\": {...}}: %w", err)
	}
	servers = map[string]MCP{}
	for _, given := range slices.Sorted(maps.Keys(file.Servers)) {
		s := file.Servers[given]
		m := MCP{URL: s.URL, Headers: s.Headers}
		if s.Command != "" {
			m.Command = append([]string{s.Command}, s.Args...)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Env)) {
			m.Env = append(m.Env, name+"="+s.Env[name])
		}
		name := MCPName(given)
		_, twice := servers[name]
		checked := m
		if strings.Contains(m.URL, "${") { // it is checked when it is known
			checked.URL = "https://example.com/"
		}
		_, err := checked.Check(name)
		switch {
		case twice:
			left = append(left, fmt.Sprintf("the server %q is left out: another one has the same name here", given))
		case err != nil:
			left = append(left, fmt.Sprintf("the server %q is left out: %v", given, err))
		default:
			servers[name] = m
		}
	}
	return servers, left, nil
}

// MCPName returns a name of a server as tools can have it.
func MCPName(given string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(given))
	return strings.Trim(clean[:min(len(clean), MaxMCPName)], "-")
}

// Variable is a variable that a value names, with the value that it has; "": it is not set.
type Variable struct{ Name, Value string }

// Expand puts variables in place of ${NAME} in arguments, environment, address and headers, and
// gives those that it looked up.
func (m MCP) Expand(getenv func(string) string) (MCP, []Variable) {
	var looked []Variable
	expand := func(s string) string {
		var b strings.Builder
		for {
			before, rest, found := strings.Cut(s, "${")
			b.WriteString(before)
			inside, after, closed := strings.Cut(rest, "}")
			if !found {
				return b.String()
			}
			if !closed {
				b.WriteString("${" + rest)
				return b.String()
			}
			name, otherwise, _ := strings.Cut(inside, ":-")
			v := Variable{name, getenv(name)}
			if !slices.Contains(looked, v) {
				looked = append(looked, v)
			}
			if v.Value != "" {
				b.WriteString(v.Value)
			} else {
				b.WriteString(otherwise)
			}
			s = after
		}
	}
	each := func(list []string) []string {
		out := slices.Clone(list)
		for i := range out {
			out[i] = expand(out[i])
		}
		return out
	}
	m.Command, m.Env, m.URL = each(m.Command), each(m.Env), expand(m.URL)
	m.Headers = maps.Clone(m.Headers)
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) { // in one order: the person is shown them
		m.Headers[name] = expand(m.Headers[name])
	}
	return m, looked
}
