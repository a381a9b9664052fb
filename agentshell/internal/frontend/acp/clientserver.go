package acp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// clientServer is an MCP server that the client wants to be used. Fields that its type does not
// need may be missing.
type clientServer struct {
	Type    string     `json:"type"`
	Name    string     `json:"name"`
	Command string     `json:"command"`
	Args    []string   `json:"args"`
	Env     nameValues `json:"env"`
	URL     string     `json:"url"`
	Headers nameValues `json:"headers"`
}

// nameValue is an environment variable or an HTTP header.
type nameValue struct{ Name, Value string }

// nameValues is a list of environment variables or headers. Some clients send an object instead of
// a list, as configuration files have it.
type nameValues []nameValue

// UnmarshalJSON implements [json.Unmarshaler].
func (v *nameValues) UnmarshalJSON(text []byte) error {
	var object map[string]string
	if json.Unmarshal(text, &object) != nil {
		return json.Unmarshal(text, (*[]nameValue)(v))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		*v = append(*v, nameValue{name, object[name]})
	}
	return nil
}

// UnmarshalJSON implements [json.Unmarshaler]. Its error names the server.
func (s *clientServer) UnmarshalJSON(text []byte) error {
	type fields clientServer
	var f fields
	err := json.Unmarshal(text, &f)
	*s = clientServer(f)
	if err != nil {
		return fmt.Errorf("the MCP server %q: %w", s.Name, err)
	}
	return nil
}

// toMCP converts s to an MCP. skipped says why the server has to be left out, if its type is not
// supported. An incomplete server is an error.
func (s clientServer) toMCP() (m MCP, skipped string, err error) {
	m = MCP{Name: s.Name}
	if s.Type == "" {
		if s.Type = "stdio"; s.URL != "" && s.Command == "" {
			s.Type = "http"
		}
	}
	missingField := func(field string) error {
		return invalid(fmt.Sprintf("the MCP server %q has no %s", visibleText(s.Name), field))
	}
	switch s.Type {
	case "stdio":
		m.Command = append([]string{s.Command}, s.Args...)
		for _, e := range s.Env {
			m.Env = append(m.Env, e.Name+"="+e.Value)
		}
		if s.Command == "" {
			return m, "", missingField("command")
		}
	case "http", "sse":
		m.URL, m.Headers = s.URL, map[string]string{}
		for _, h := range s.Headers {
			m.Headers[h.Name] = h.Value
		}
		if s.URL == "" {
			return m, "", missingField("url")
		}
	default:
		return m, fmt.Sprintf("The MCP server %s is left out: its type %s is not known here.", visibleText(s.Name),
			visibleText(s.Type)), nil
	}
	if s.Name == "" {
		return m, "", invalid("an MCP server has no name")
	}
	return m, "", nil
}
