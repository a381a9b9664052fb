package acp

import (
	"encoding/json"
	"fmt"
)

// clientServer is an MCP server that the client names. Fields that are not needed may be missing.
type clientServer struct {
	Type    string
	Name    string
	Command string
	Args    []string
	Env     []nameValue
	URL     string
	Headers []nameValue
}

// nameValue is an environment variable or a header.
type nameValue struct{ Name, Value string }

// UnmarshalJSON implements [json.Unmarshaler]. Its error names the server.
func (b *clientServer) UnmarshalJSON(text []byte) error {
	type fields clientServer
	var f fields
	err := json.Unmarshal(text, &f)
	*b = clientServer(f)
	if err != nil {
		return fmt.Errorf("the MCP server %q: %w", b.Name, err)
	}
	return nil
}

// toMCP returns the server. skipped tells why it is left out, if that is not an error.
func (b clientServer) toMCP() (m MCP, skipped string, err error) {
	m = MCP{Name: b.Name}
	if b.Type == "" {
		if b.Type = "stdio"; b.URL != "" && b.Command == "" {
			b.Type = "http"
		}
	}
	missingField := func(field string) error {
		return invalid(fmt.Sprintf("the MCP server %q has no %s", visibleText(b.Name), field))
	}
	switch b.Type {
	case "stdio":
		m.Command = append([]string{b.Command}, b.Args...)
		for _, e := range b.Env {
			m.Env = append(m.Env, e.Name+"="+e.Value)
		}
		if b.Command == "" {
			return m, "", missingField("command")
		}
	case "http", "sse":
		m.URL, m.Headers = b.URL, map[string]string{}
		for _, h := range b.Headers {
			m.Headers[h.Name] = h.Value
		}
		if b.URL == "" {
			return m, "", missingField("url")
		}
	default:
		return m, fmt.Sprintf("The MCP server %s is left out: its type %s is not known here.", visibleText(b.Name),
			visibleText(b.Type)), nil
	}
	if b.Name == "" {
		return m, "", invalid("an MCP server has no name")
	}
	return m, "", nil
}
