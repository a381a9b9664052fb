package export

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// version is the version number of the JSON format. It does not change when a field is added.
const version = 1

// The JSON format: one object, with one message in each line. docs/sessions.md describes it.
type (
	jsonSession struct {
		Format    string     `json:"format"`
		Version   int        `json:"version"`
		ID        string     `json:"id"`
		Name      string     `json:"name,omitempty"`
		Title     string     `json:"title"`
		Workspace string     `json:"workspace,omitempty"`
		Model     string     `json:"model,omitempty"`
		Began     *time.Time `json:"began,omitempty"`
		Cost      string     `json:"cost,omitempty"`
	}
	jsonMessage struct {
		Role  provider.Role `json:"role"`
		Parts []jsonPart    `json:"parts"`
	}
	jsonPart struct {
		Type    string          `json:"type"`
		Text    string          `json:"text,omitempty"`
		Origin  string          `json:"origin,omitempty"`
		ID      string          `json:"id,omitempty"`
		Name    string          `json:"name,omitempty"`
		Input   json.RawMessage `json:"input,omitempty"`
		Error   bool            `json:"error,omitempty"`
		Changes []jsonChange    `json:"changes,omitempty"`
		Images  []jsonPicture   `json:"images,omitempty"`
	}
	jsonChange struct {
		Path    string `json:"path"`
		New     bool   `json:"new,omitempty"`
		Removed bool   `json:"removed,omitempty"`
		Added   int    `json:"added_lines"`
		Less    int    `json:"removed_lines"`
		// The unified diff; "" if the lines of the change are no longer stored.
		Diff string `json:"diff,omitempty"`
	}
	jsonPicture struct {
		Name  string `json:"name"`
		Media string `json:"media"`
		W     int    `json:"width"`
		H     int    `json:"height"`
		Data  []byte `json:"data"`
	}
)

// json writes the session in the JSON format.
func (w *writer) json() error {
	head := jsonSession{Format: "agentshell-session", Version: version, ID: w.ID, Name: w.Secrets.Redact(w.Name),
		Title: w.title(), Workspace: w.Secrets.Redact(w.Workspace), Model: w.Secrets.Redact(w.Model), Cost: w.Cost}
	if !w.Began.IsZero() {
		head.Began = &w.Began
	}
	start, err := encode(head)
	if err != nil {
		return err
	}
	w.out.Write(start[:len(start)-1])
	agents := false
	for _, c := range w.Conversations {
		switch {
		case c.Agent == "":
			w.out.WriteString(",\n\"messages\": [")
		case !agents:
			agents = true
			w.out.WriteString(",\n\"agents\": [\n")
		default:
			w.out.WriteString(",\n")
		}
		if c.Agent != "" {
			name, err := encode(w.Secrets.Redact(c.Agent))
			if err != nil {
				return err
			}
			w.out.WriteString(`{"agent": ` + string(name) + `, "messages": [`)
		}
		if err := w.jsonMessages(c); err != nil {
			return err
		}
		w.out.WriteString("\n]")
		if c.Agent != "" {
			w.out.WriteString("}")
		}
	}
	if agents {
		w.out.WriteString("\n]")
	}
	w.out.WriteString("}\n")
	return nil
}

// jsonMessages writes the messages of conversation c, one a line.
func (w *writer) jsonMessages(c Conversation) error {
	for i := range c.Messages {
		if !w.next() {
			return nil
		}
		if i > 0 {
			w.out.WriteString(",")
		}
		m, following := w.message(c, i)
		record := jsonMessage{Role: m.Role, Parts: []jsonPart{}}
		for _, p := range m.Parts {
			if part, ok := w.jsonPart(c, p, following); ok {
				record.Parts = append(record.Parts, part)
			}
		}
		line, err := encode(record)
		if err != nil {
			return err
		}
		w.out.WriteString("\n")
		w.out.Write(line)
	}
	return nil
}

// jsonPart returns the JSON form of a part of a message. ok is false if the part is left out. The
// messages after the part, following, contain the result of a tool call.
func (w *writer) jsonPart(c Conversation, p provider.Part, following []provider.Message) (part jsonPart, ok bool) {
	switch p := p.(type) {
	case provider.Text:
		return jsonPart{Type: "text", Text: p.Text, Origin: w.Secrets.Redact(string(p.Origin))}, true
	case provider.Thinking:
		return jsonPart{Type: "thinking", Text: p.Text}, p.Text != ""
	case provider.ToolCall:
		part := jsonPart{Type: "tool_call", ID: p.ID, Name: p.Name, Input: p.Input}
		if !json.Valid(p.Input) {
			part.Input, _ = json.Marshal(string(p.Input))
		}
		for _, e := range w.endOf(c, p, following).Result.Edits {
			change := jsonChange{Path: e.Path, New: e.New, Removed: e.Removed, Added: e.Diff.Stats.Added,
				Less: e.Diff.Stats.Removed}
			if len(e.Diff.Hunks) > 0 {
				change.Diff = unified(e)
			}
			part.Changes = append(part.Changes, change)
		}
		return part, true
	case provider.ToolResult:
		part := jsonPart{Type: "tool_result", ID: p.ID, Text: p.Text, Error: p.IsError}
		for _, img := range p.Images {
			part.Images = append(part.Images, w.jsonPicture(img))
		}
		return part, true
	case provider.Image:
		return jsonPart{Type: "image", Images: []jsonPicture{w.jsonPicture(p.Picture)}}, true
	}
	return jsonPart{}, false
}

// jsonPicture returns the JSON form of a picture. It leaves out the bytes if they contain a secret.
func (w *writer) jsonPicture(p picture.Picture) jsonPicture {
	if w.Secrets.Contains(p.Data) {
		p.Data = nil
	}
	return jsonPicture{p.Name, p.Media, p.W, p.H, p.Data}
}

// encode returns value as JSON in one line, without a newline.
func encode(value any) ([]byte, error) {
	line, err := headless.Encode(value)
	return bytes.TrimSuffix(line, []byte("\n")), err
}
