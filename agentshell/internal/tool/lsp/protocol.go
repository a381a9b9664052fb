// Package lsp speaks the Language Server Protocol with servers that are helpers: what they know of
// code, and what they would change. A [Service] has the servers of one workspace, each of which is
// started when it is first used. A [Client] is the connection to one that runs.
//
// Nothing that a server says is trusted. Its messages and lists are bounded, every request of its
// own is answered at once, and what it wants to change becomes a plan of whole files, which
// somebody else shows, asks about and writes.
package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Position is a place in a text, in lines from 0 and the units of the negotiated encoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a part of a text; End is behind its last character.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a part of a file.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// TextEdit replaces a part of a text.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
	// Snippet is a text with places to fill in, which we never offer to take.
	Snippet json.RawMessage `json:"snippet,omitempty"`
}

// Diagnostic is a finding of a server about a file.
type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity int             `json:"severity"` // 1 error, 2 warning, 3 information, 4 hint; 0: not told
	Code     json.RawMessage `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Raw      json.RawMessage `json:"-"` // as the server sent it, for requests about it
}

// UnmarshalJSON reads a diagnostic and holds its text as it came.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	type plain Diagnostic
	if err := json.Unmarshal(data, (*plain)(d)); err != nil {
		return err
	}
	d.Raw = append(json.RawMessage{}, data...)
	return nil
}

// Symbol is a name in a document or a workspace, in either form of the protocol.
type Symbol struct {
	Name           string   `json:"name"`
	Detail         string   `json:"detail"`
	Kind           int      `json:"kind"`
	Range          Range    `json:"range"`
	SelectionRange *Range   `json:"selectionRange"`
	Children       []Symbol `json:"children"`
	ContainerName  string   `json:"containerName"`
	Location       Location `json:"location"`
}

// CodeAction is a change that a server offers, or a bare command.
type CodeAction struct {
	Title    string          `json:"title"`
	Kind     string          `json:"kind"`
	Edit     json.RawMessage `json:"edit"`
	Command  json.RawMessage `json:"command"` // an object, or in a bare command its name
	Disabled *struct {
		Reason string `json:"reason"`
	} `json:"disabled"`
	Raw json.RawMessage `json:"-"` // as the server sent it
}

// UnmarshalJSON reads an action and holds its text as it came.
func (a *CodeAction) UnmarshalJSON(data []byte) error {
	type plain CodeAction
	if err := json.Unmarshal(data, (*plain)(a)); err != nil {
		return err
	}
	a.Raw = append(json.RawMessage{}, data...)
	return nil
}

// Command is a deed of a server.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// CommandOf returns the command of an action; false: it has none.
func (a CodeAction) CommandOf() (c Command, ok bool) {
	var name string
	switch {
	case len(a.Command) == 0 || string(a.Command) == "null":
		return c, false
	case json.Unmarshal(a.Command, &name) == nil: // a bare command
		return c, json.Unmarshal(a.Raw, &c) == nil
	}
	return c, json.Unmarshal(a.Command, &c) == nil && c.Command != ""
}

// URIOf returns the address of a file.
func URIOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// PathOf returns the file of an address.
func PathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" || !strings.HasPrefix(u.Path, "/") {
		return "", fmt.Errorf("%q names no file", bounded(uri, 200))
	}
	if strings.ContainsRune(u.Path, 0) {
		return "", errors.New("an address with a NUL byte names no file")
	}
	return filepath.Clean(filepath.FromSlash(u.Path)), nil
}

// Locations reads the answer to a question for places, in each form that the protocol allows.
func Locations(raw json.RawMessage) ([]Location, error) {
	type either struct {
		Location
		TargetURI            string `json:"targetUri"`
		TargetRange          Range  `json:"targetRange"`
		TargetSelectionRange *Range `json:"targetSelectionRange"`
	}
	var list []either
	if isNull(raw) {
		return nil, nil
	}
	if raw[0] != '[' {
		raw = append(append(json.RawMessage{'['}, raw...), ']')
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var found []Location
	for _, e := range list {
		switch {
		case e.TargetURI == "":
			found = append(found, e.Location)
		case e.TargetSelectionRange != nil:
			found = append(found, Location{e.TargetURI, *e.TargetSelectionRange})
		default:
			found = append(found, Location{e.TargetURI, e.TargetRange})
		}
	}
	return found, nil
}

// HoverText returns the text of a hover, in each form that the protocol allows.
func HoverText(raw json.RawMessage) string {
	var hover struct {
		Contents json.RawMessage `json:"contents"`
	}
	if isNull(raw) || json.Unmarshal(raw, &hover) != nil {
		return ""
	}
	return strings.TrimSpace(markup(hover.Contents))
}

// markup returns the text of a string, an object with a value, or a list of those.
func markup(raw json.RawMessage) string {
	var text string
	var object struct {
		Language string `json:"language"`
		Value    string `json:"value"`
	}
	var list []json.RawMessage
	switch {
	case isNull(raw):
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		var parts []string
		for _, part := range list {
			if text := markup(part); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, "\n\n")
	case json.Unmarshal(raw, &object) == nil && object.Language != "":
		return "```" + object.Language + "\n" + object.Value + "\n```"
	}
	return object.Value
}

// isNull reports whether an answer is none.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// bounded returns at most n bytes of a text, on a border of characters.
func bounded(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n] + "..."
}
