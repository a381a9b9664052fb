package anthropic

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// request is the JSON body of a request to /v1/messages, with the fields that this package uses.
type request struct {
	Model     string    `json:"model"`
	MaxTokens int       `json:"max_tokens"`
	Stream    bool      `json:"stream"`
	Cache     *cache    `json:"cache_control,omitempty"`
	System    []block   `json:"system,omitempty"`
	Thinking  *thinking `json:"thinking,omitempty"`
	Output    *output   `json:"output_config,omitempty"`
	Tools     []tools   `json:"tools,omitempty"`
	Choice    *choice   `json:"tool_choice,omitempty"`
	Messages  []message `json:"messages"`
}

type (
	cache struct {
		Type string `json:"type"`
	}
	thinking struct {
		Type    string `json:"type"`
		Display string `json:"display"`
	}
	output struct {
		Effort string `json:"effort"`
	}
	tools struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	choice struct {
		Type string `json:"type"`
		Name string `json:"name"`
	}
	source struct {
		Type  string `json:"type"`
		Media string `json:"media_type"`
		Data  string `json:"data"`
	}
)

// block is a block of content in a request. Fields that do not belong to its type are left out.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Cache     *cache          `json:"cache_control,omitempty"`
	Thinking  *string         `json:"thinking,omitempty"` // A pointer, because an empty text must be sent, too.
	Signature string          `json:"signature,omitempty"`
	Data      string          `json:"data,omitempty"`
	Source    *source         `json:"source,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUse   string          `json:"tool_use_id,omitempty"`
	IsError   *bool           `json:"is_error,omitempty"`
	Content   []block         `json:"content,omitempty"`
}

// body returns the JSON of the whole request. The function without reports whether to leave out the
// part with a given name. Messages that the last request contained are not encoded again.
func (m *Model) body(req provider.Request, without func(name string) bool) (remote.Body, error) {
	head, err := m.request(req, without)
	if err != nil {
		return nil, err
	}
	text, err := remote.Encode(head)
	if err != nil {
		return nil, err
	}
	list, err := m.sent.encode(req.Messages, m.from)
	if err != nil {
		return nil, err
	}
	const end = "]}" // of the messages, which stand last, and of the request
	text = bytes.TrimSuffix(text, []byte(end))
	size := len(text) + len(end)
	for _, message := range list {
		size += len(message) + 1
	}
	text = slices.Grow(text, size-len(text))
	for i, message := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, message...)
	}
	return append(text, end...), nil
}

// request returns the request without its messages. The function without reports whether to leave
// out the part with a given name.
//
// Two places are marked for the provider's cache. One is the end of the request, since the next
// request of the turn repeats all of it. The other is the end of the system prompt, which stays the
// same after a compaction. Nothing within the messages is marked, so that the next request repeats
// their exact bytes.
func (m *Model) request(req provider.Request, without func(name string) bool) (request, error) {
	var ephemeral *cache
	if !without(cacheControl) {
		ephemeral = &cache{"ephemeral"}
	}
	r := request{Model: m.name, MaxTokens: m.answer, Stream: true, Cache: ephemeral, Messages: []message{}}
	if req.System != "" {
		r.System = []block{{Type: "text", Text: req.System, Cache: ephemeral}}
	}
	if m.thinking && !without(adaptive) {
		r.Thinking = &thinking{"adaptive", "summarized"}
	}
	if m.effort != "" && !without(outputConfig) {
		r.Output = &output{m.effort}
	}
	for _, spec := range req.Tools {
		schema, err := schemaOf(spec)
		if err != nil {
			return r, fmt.Errorf("the schema of tool %s: %w", spec.Name, err)
		}
		r.Tools = append(r.Tools, tools{spec.Name, spec.Description, schema})
	}
	if req.Force != "" && r.Thinking == nil && !without(toolChoice) { // a model that thinks cannot be forced
		r.Choice = &choice{"tool", req.Force}
	}
	return r, nil
}

// content returns one part of a message as blocks of the API, or nil: the API refuses blank text,
// and reasoning without its signature. calls is the message with the tool calls that a result
// belongs to. server is the name of the server that the request goes to.
func content(part provider.Part, calls provider.Message, server string) []block {
	switch part := part.(type) {
	case provider.Compaction:
		return []block{{Type: "text", Text: part.Text}}
	case provider.Text:
		if strings.TrimSpace(part.Text) != "" {
			return []block{{Type: "text", Text: part.Text}}
		}
	case provider.Thinking:
		switch {
		case part.From != "": // somebody else's
		case part.Redacted != "":
			return []block{{Type: "redacted_thinking", Data: part.Redacted}}
		case part.Signature != "":
			return []block{{Type: "thinking", Thinking: &part.Text, Signature: part.Signature}}
		}
	case provider.ToolCall:
		return []block{{Type: "tool_use", ID: part.IDFor(server), Name: part.Name, Input: part.Object()}}
	case provider.ToolResult:
		text := part.Text
		if strings.TrimSpace(text) == "" {
			text = "(no output)"
		}
		b := block{Type: "tool_result", ToolUse: calls.ResultID(part.ID, server), IsError: &part.IsError,
			Content: []block{{Type: "text", Text: text}}}
		for _, p := range part.Images {
			b.Content = append(b.Content, image(p))
		}
		return []block{b}
	case provider.Image: // and its name, which the user's text may mention
		return []block{{Type: "text", Text: part.Line()}, image(part.Picture)}
	}
	return nil
}

// image returns a picture as a block.
func image(p picture.Picture) block {
	return block{Type: "image", Source: &source{"base64", p.Media, base64.StdEncoding.EncodeToString(p.Data)}}
}

// schemaOf returns the JSON schema of a tool's input, which the API requires to be of type object.
// It adds a missing type, and returns an error for another one.
func schemaOf(spec provider.Tool) (json.RawMessage, error) {
	if len(spec.Schema) == 0 {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	var schema struct{ Type any }
	if err := json.Unmarshal(spec.Schema, &schema); err != nil {
		return nil, err
	}
	if schema.Type != nil && schema.Type != "object" {
		return nil, fmt.Errorf("its type is %v, not object", schema.Type)
	}
	if schema.Type == nil {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(spec.Schema, &fields); err != nil {
			return nil, err
		}
		fields["type"] = json.RawMessage(`"object"`)
		return json.Marshal(fields)
	}
	return spec.Schema, nil
}
