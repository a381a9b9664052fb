package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MCPFile is the name of the file by which a workspace offers MCP servers.
const MCPFile = ".mcp.json"

// fileServer is a server as the files of other programs have it.
type fileServer struct {
	Command   words
	Args      words
	Env       map[string]word
	URL       string
	HTTPURL   string // two other names for the same
	ServerURL string
	Headers   map[string]word
	Disabled  bool
}

// word is a text; a number and a truth value are what they are written as, null is empty.
type word string

// UnmarshalJSON reads a word.
func (w *word) UnmarshalJSON(b []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		*w = ""
	case string:
		*w = word(v)
	case json.Number, bool:
		*w = word(fmt.Sprint(v))
	default:
		return fmt.Errorf("%.40s is no text", b)
	}
	return nil
}

// words is a list of words; a single one is a list of one.
type words []word

// UnmarshalJSON reads words.
func (w *words) UnmarshalJSON(b []byte) error {
	var list []word
	if err := json.Unmarshal(b, &list); err == nil {
		*w = list
		return nil
	}
	var one word
	if err := one.UnmarshalJSON(b); err != nil {
		return err
	}
	if *w = nil; one != "" {
		*w = words{one}
	}
	return nil
}

// ParseMCPFile reads the servers that a workspace offers, in the forms that other programs have:
// {"mcpServers": {NAME: {...}}}, {"servers": {...}} and {"mcp": {"servers": {...}}}. What cannot be
// a server is left out, with a sentence. Values may hold ${NAME} and ${NAME:-otherwise}, see
// [MCP.Expand].
func ParseMCPFile(text []byte) (servers map[string]MCP, left []string, err error) {
	type lists struct {
		McpServers map[string]json.RawMessage `json:"mcpServers"`
		Servers    map[string]json.RawMessage
	}
	var file struct {
		lists
		MCP lists
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\uFEFF")), &file); err != nil {
		return nil, nil, fmt.Errorf("it is not of the form {\"mcpServers\": {...}}: %w", err)
	}
	servers = map[string]MCP{}
	for _, list := range []map[string]json.RawMessage{file.McpServers, file.Servers, file.MCP.McpServers,
		file.MCP.Servers} {
		for _, given := range slices.Sorted(maps.Keys(list)) {
			name := MCPName(given)
			m, err := readServer(list[given])
			if err == nil {
				_, err = unexpanded(m).Check(name)
			}
			if _, twice := servers[name]; twice {
				err = errors.New("another one has the same name here")
			}
			if err != nil {
				left = append(left, fmt.Sprintf("the server %q is left out: %v", given, err))
				continue
			}
			servers[name] = m
		}
	}
	return servers, left, nil
}

// readServer reads an entry of a file.
func readServer(text json.RawMessage) (m MCP, err error) {
	var s fileServer
	if err := json.Unmarshal(text, &s); err != nil {
		return m, fmt.Errorf("it cannot be read: %w", err)
	}
	if s.Disabled {
		return m, errors.New("the file says that it is disabled")
	}
	m.URL = cmp.Or(s.URL, s.HTTPURL, s.ServerURL)
	if len(s.Command) > 0 {
		for _, w := range slices.Concat(s.Command, s.Args) {
			m.Command = append(m.Command, string(w))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		m.Env = append(m.Env, name+"="+string(s.Env[name]))
	}
	for name, value := range s.Headers {
		if m.Headers == nil {
			m.Headers = map[string]string{}
		}
		m.Headers[name] = string(value)
	}
	for _, v := range m.texts() {
		if name, is := foreignVariable(v); is {
			return m, fmt.Errorf("it wants ${%s}, which only its own program knows; write ${NAME} for a variable "+
				"of the environment", name)
		}
	}
	return m, nil
}

// texts returns all values of a server that may hold variables.
func (m MCP) texts() []string {
	list := slices.Concat(m.Command, m.Env, []string{m.URL})
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		list = append(list, m.Headers[name])
	}
	return list
}

// foreignVariable finds a variable that is none of the environment: ${input:key},
// ${workspaceFolder}.
func foreignVariable(text string) (name string, is bool) {
	for {
		_, rest, found := strings.Cut(text, "${")
		inside, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return "", false
		}
		name, _, _ := strings.Cut(inside, ":-")
		if kind, _, has := strings.Cut(name, ":"); has && kind != "env" ||
			slices.Contains([]string{"workspaceFolder", "workspaceRoot", "userHome", "pathSeparator", "/"}, name) {
			return name, true
		}
		text = after
	}
}

// unexpanded returns a server to be checked before its variables are known: what they decide is
// checked later.
func unexpanded(m MCP) MCP {
	if strings.Contains(m.URL, "${") {
		m.URL = "https://example.com/"
	}
	if len(m.Command) > 0 && strings.Contains(m.Command[0], "${") {
		m.Command = append([]string{"x"}, m.Command[1:]...)
	}
	return m
}

// MCPName returns a name of a server as tools can have it.
func MCPName(given string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(given))
	for strings.Contains(clean, "__") {
		clean = strings.ReplaceAll(clean, "__", "_")
	}
	return strings.Trim(clean, "-_")
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
			name, otherwise, _ := strings.Cut(strings.TrimPrefix(inside, "env:"), ":-")
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
