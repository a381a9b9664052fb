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

// MCPFile is the name of the file in a workspace that offers MCP servers.
const MCPFile = ".mcp.json"

// fileServer is the entry of a server in .mcp.json, a file that other programs read, too.
type fileServer struct {
	Command   jsonTexts
	Args      jsonTexts
	Env       map[string]jsonText
	URL       string
	HTTPURL   string // HTTPURL and ServerURL are other names for URL.
	ServerURL string
	Headers   map[string]jsonText
	Disabled  bool
}

// jsonText is a string that may also be a number, a boolean or null in JSON. Null becomes "".
type jsonText string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *jsonText) UnmarshalJSON(b []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		*t = ""
	case string:
		*t = jsonText(v)
	case json.Number, bool:
		*t = jsonText(fmt.Sprint(v))
	default:
		return fmt.Errorf("%.40s is no text", b)
	}
	return nil
}

// jsonTexts is a list of texts that may also be a single text in JSON.
type jsonTexts []jsonText

// UnmarshalJSON implements [json.Unmarshaler].
func (t *jsonTexts) UnmarshalJSON(b []byte) error {
	var list []jsonText
	if err := json.Unmarshal(b, &list); err == nil {
		*t = list
		return nil
	}
	var one jsonText
	if err := one.UnmarshalJSON(b); err != nil {
		return err
	}
	if *t = nil; one != "" {
		*t = jsonTexts{one}
	}
	return nil
}

// ParseMCPFile returns the servers that the .mcp.json of a workspace offers. It accepts the forms
// of other programs: {"mcpServers": {NAME: {...}}}, {"servers": {...}} and {"mcp": {"servers":
// {...}}}.
//
// skipped has a sentence for each entry that cannot be used. Values may contain ${NAME} and
// ${NAME:-default}, see [MCP.Expand].
func ParseMCPFile(text []byte) (servers map[string]MCP, skipped []string, err error) {
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
		for _, fileName := range slices.Sorted(maps.Keys(list)) {
			name := MCPName(fileName)
			m, err := readServer(list[fileName])
			if err == nil {
				_, err = withPlaceholders(m).Check(name)
			}
			if _, exists := servers[name]; exists {
				err = errors.New("another one has the same name here")
			}
			if err != nil {
				skipped = append(skipped, fmt.Sprintf("the server %q is left out: %v", fileName, err))
				continue
			}
			servers[name] = m
		}
	}
	return servers, skipped, nil
}

// readServer decodes the entry of one server.
func readServer(text json.RawMessage) (m MCP, err error) {
	var s fileServer
	err = json.Unmarshal(text, &s)
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed) && typed.Field == "":
		return m, fmt.Errorf("it cannot be read: it is no object, but a %s", typed.Value)
	case errors.As(err, &typed):
		return m, fmt.Errorf("it cannot be read: %s cannot be a %s", strings.ToLower(typed.Field), typed.Value)
	case err != nil:
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
		if name, foreign := foreignVariable(v); foreign {
			return m, fmt.Errorf("it wants ${%s}, which only its own program knows; write ${NAME} for a variable "+
				"of the environment", name)
		}
	}
	return m, nil
}

// texts returns all settings of a server that may contain variables.
func (m MCP) texts() []string {
	list := slices.Concat(m.Command, m.Env, []string{m.URL})
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		list = append(list, m.Headers[name])
	}
	return list
}

// foreignVariable returns the first variable in text that is not an environment variable, such as
// ${input:key} or ${workspaceFolder}.
func foreignVariable(text string) (name string, found bool) {
	for {
		_, afterOpen, found := strings.Cut(text, "${")
		inside, afterClose, closed := strings.Cut(afterOpen, "}")
		if !found || !closed {
			return "", false
		}
		name, _, _ := strings.Cut(inside, ":-")
		if kind, _, hasKind := strings.Cut(name, ":"); hasKind && kind != "env" ||
			slices.Contains([]string{"workspaceFolder", "workspaceRoot", "userHome", "pathSeparator", "/"}, name) {
			return name, true
		}
		text = afterClose
	}
}

// withPlaceholders returns a copy of m in which a valid value replaces each one with variables, so
// that m can be checked before the variables are known.
func withPlaceholders(m MCP) MCP {
	if strings.Contains(m.URL, "${") {
		m.URL = "https://example.com/"
	}
	if len(m.Command) > 0 && strings.Contains(m.Command[0], "${") {
		m.Command = append([]string{"x"}, m.Command[1:]...)
	}
	return m
}

// MCPName converts the name of a server to one that can be a part of tool names: small letters,
// digits, - and _.
func MCPName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	for strings.Contains(clean, "__") {
		clean = strings.ReplaceAll(clean, "__", "_")
	}
	return strings.Trim(clean, "-_")
}

// Variable is an environment variable and its value; "": it is not set.
type Variable struct{ Name, Value string }

// Expand replaces ${NAME} by the value of the environment variable, in the command, the
// environment, the URL and the headers. It returns the new settings and the variables that they
// use.
func (m MCP) Expand(getenv func(string) string) (MCP, []Variable) {
	var looked []Variable
	expand := func(s string) string {
		var b strings.Builder
		for {
			text, afterOpen, found := strings.Cut(s, "${")
			b.WriteString(text)
			inside, afterClose, closed := strings.Cut(afterOpen, "}")
			if !found {
				return b.String()
			}
			if !closed {
				b.WriteString("${" + afterOpen)
				return b.String()
			}
			name, fallback, _ := strings.Cut(strings.TrimPrefix(inside, "env:"), ":-")
			v := Variable{name, getenv(name)}
			if !slices.Contains(looked, v) {
				looked = append(looked, v)
			}
			if v.Value != "" {
				b.WriteString(v.Value)
			} else {
				b.WriteString(fallback)
			}
			s = afterClose
		}
	}
	expandAll := func(list []string) []string {
		out := slices.Clone(list)
		for i := range out {
			out[i] = expand(out[i])
		}
		return out
	}
	m.Command, m.Env, m.URL = expandAll(m.Command), expandAll(m.Env), expand(m.URL)
	m.Headers = maps.Clone(m.Headers)
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) { // in a fixed order, because the user sees them
		m.Headers[name] = expand(m.Headers[name])
	}
	return m, looked
}
