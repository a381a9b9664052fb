package acp

import (
	"encoding/json"
	"fmt"
)

// bringing is an MCP server as a client names it. What is not needed may be missing.
type bringing struct {
	Type    string
	Name    string
	Command string
	Args    []string
	Env     []pair
	URL     string
	Headers []pair
}

// pair is a variable of the environment or a header.
type pair struct{ Name, Value string }

// UnmarshalJSON reads a server; an error says which.
func (b *bringing) UnmarshalJSON(text []byte) error {
	type fields bringing
	var f fields
	err := json.Unmarshal(text, &f)
	*b = bringing(f)
	if err != nil {
		return fmt.Errorf("the MCP server %q: %w", b.Name, err)
	}
	return nil
}

// server returns the server; skipped says why it is left out, where that is no mistake.
func (b bringing) server() (m MCP, skipped string, err error) {
	m = MCP{Name: b.Name}
	if b.Type == "" {
		if b.Type = "stdio"; b.URL != "" && b.Command == "" {
			b.Type = "http"
		}
	}
	missing := func(what string) error {
		return invalid(fmt.Sprintf("the MCP server %q has no %s", plain(b.Name), what))
	}
	switch b.Type {
	case "stdio":
		m.Command = append([]string{b.Command}, b.Args...)
		for _, e := range b.Env {
			m.Env = append(m.Env, e.Name+"="+e.Value)
		}
		if b.Command == "" {
			return m, "", missing("command")
		}
	case "http", "sse":
		m.URL, m.Headers = b.URL, map[string]string{}
		for _, h := range b.Headers {
			m.Headers[h.Name] = h.Value
		}
		if b.URL == "" {
			return m, "", missing("url")
		}
	default:
		return m, fmt.Sprintf("The MCP server %s is left out: its type %s is not known here.", plain(b.Name),
			plain(b.Type)), nil
	}
	if b.Name == "" {
		return m, "", invalid("an MCP server has no name")
	}
	return m, "", nil
}
