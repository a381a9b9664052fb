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

// Position is a position in a text: a line, from 0, and the units of the negotiated Encoding before
// it in that line.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a range of a text; End is the position after its last character.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range of a file.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// TextEdit replaces a range of a text.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
	// Snippet is a text with placeholders. Servers must not send one, because the client does not
	// offer to accept it.
	Snippet json.RawMessage `json:"snippet,omitempty"`
}

// Diagnostic is an error, a warning or a hint that a server reports for a file.
type Diagnostic struct {
	Range Range `json:"range"`
	// Severity is 1 for an error, 2 warning, 3 information, 4 hint; 0: the server did not tell.
	Severity int             `json:"severity"`
	Code     json.RawMessage `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	// Raw is the JSON that the server sent. Requests about the diagnostic need it.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes a diagnostic, and keeps its JSON in Raw.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	type plain Diagnostic
	if err := json.Unmarshal(data, (*plain)(d)); err != nil {
		return err
	}
	d.Raw = append(json.RawMessage{}, data...)
	return nil
}

// Symbol is a named part of a program, such as a function. It holds the fields of DocumentSymbol
// and of SymbolInformation.
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

// CodeAction is a change that a server offers. It may also be a bare Command.
type CodeAction struct {
	Title    string          `json:"title"`
	Kind     string          `json:"kind"`
	Edit     json.RawMessage `json:"edit"`
	Command  json.RawMessage `json:"command"` // Command is an object; for a bare command it is the name.
	Disabled *struct {
		Reason string `json:"reason"`
	} `json:"disabled"`
	Raw json.RawMessage `json:"-"` // Raw is the JSON that the server sent.
}

// UnmarshalJSON decodes an action, and keeps its JSON in Raw.
func (a *CodeAction) UnmarshalJSON(data []byte) error {
	type plain CodeAction
	if err := json.Unmarshal(data, (*plain)(a)); err != nil {
		return err
	}
	a.Raw = append(json.RawMessage{}, data...)
	return nil
}

// Command is a command that a server can run.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// CommandOf returns the command of an action. ok is false if it has none.
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

// URIOf returns the file URI of a path.
func URIOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// PathOf returns the path in a file URI. It returns an error for other URIs.
func PathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" || !strings.HasPrefix(u.Path, "/") {
		return "", fmt.Errorf("%q names no file", cutText(uri, 200))
	}
	if strings.ContainsRune(u.Path, 0) {
		return "", errors.New("an address with a NUL byte names no file")
	}
	return filepath.Clean(filepath.FromSlash(u.Path)), nil
}

// Locations decodes the answer to a request for locations, such as textDocument/definition. It
// accepts one Location, a list of them, and LocationLinks.
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

// HoverText returns the text of the answer to textDocument/hover, in each form that the protocol
// allows. It returns "" if there is none.
func HoverText(raw json.RawMessage) string {
	var hover struct {
		Contents json.RawMessage `json:"contents"`
	}
	if isNull(raw) || json.Unmarshal(raw, &hover) != nil {
		return ""
	}
	return strings.TrimSpace(markupText(hover.Contents))
}

// markupText returns the text of a value of the hover request: a string, a MarkedString or
// MarkupContent, or a list of them.
func markupText(raw json.RawMessage) string {
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
			if text := markupText(part); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, "\n\n")
	case json.Unmarshal(raw, &object) == nil && object.Language != "":
		return "```" + object.Language + "\n" + object.Value + "\n```"
	}
	return object.Value
}

// isNull reports whether an answer is missing or null.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// cutText returns text, or its first n bytes and "..." if it is longer. It cuts between characters.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n] + "..."
}
