package acp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// clientServer is an MCP server that the client names. Fields that are not needed may be missing.
type clientServer struct {
	Type    string     `json:"type"`
	Name    string     `json:"name"`
	Command string     `json:"command"`
	Args    []string   `json:"args"`
	Env     nameValues `json:"env"`
	URL     string     `json:"url"`
	Headers nameValues `json:"headers"`
}

// nameValue is an environment variable or a header.
type nameValue struct{ Name, Value string }

// nameValues is a list of them. Some clients send an object instead, as configuration files have
// it.
type nameValues []nameValue

// UnmarshalJSON implements [json.Unmarshaler].
func (l *nameValues) UnmarshalJSON(text []byte) error {
	var object map[string]string
	if json.Unmarshal(text, &object) != nil {
		return json.Unmarshal(text, (*[]nameValue)(l))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		*l = append(*l, nameValue{name, object[name]})
	}
	return nil
}

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
