package openai

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// completionRequest is the JSON body of a request to /chat/completions, with the fields that this
// package uses.
type completionRequest struct {
	Model   string          `json:"model"`
	Stream  bool            `json:"stream"`
	Options map[string]bool `json:"stream_options,omitempty"`
	Effort  string          `json:"reasoning_effort,omitempty"`
	// The older name of the limit, and the only one that most servers know.
	Older  int               `json:"max_tokens,omitempty"`
	Output int               `json:"max_completion_tokens,omitempty"`
	Tools  []completionTool  `json:"tools,omitempty"`
	Choice *completionTool   `json:"tool_choice,omitempty"`
	Turns  []json.RawMessage `json:"messages"`
}

type (
	completionTool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	// turn is a message. Content is a string or a []content.
	turn struct {
		Role    string           `json:"role"`
		Call    string           `json:"tool_call_id,omitempty"`
		Content any              `json:"content,omitempty"`
		Calls   []completionCall `json:"tool_calls,omitempty"`

		thinking      string // The reasoning, which is sent back in the JSON field in which the server sent it.
		thinkingField string
	}
	completionCall struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
	content struct {
		Type string `json:"type"`
		Text string `json:"text,omitempty"`
		URL  *url   `json:"image_url,omitempty"`
	}
	url struct {
		URL string `json:"url"`
	}
)

// json returns the message as JSON. It adds the field with the reasoning, whose name differs from
// server to server.
func (t turn) json() (json.RawMessage, error) {
	b, err := json.Marshal(t)
	if err != nil || t.thinkingField == "" {
		return b, err
	}
	name, err := json.Marshal(t.thinkingField)
	if err != nil {
		return nil, err
	}
	value, err := json.Marshal(t.thinking)
	if err != nil {
		return nil, err
	}
	return slices.Concat(b[:len(b)-1], []byte(","), name, []byte(":"), value, []byte("}")), nil
}

// completion converts req to a request of Chat Completions. The function without reports whether to
// leave out the part with a given name.
func (m *Model) completion(req provider.Request, without func(name string) bool) (completionRequest, error) {
	r := completionRequest{Model: m.name, Stream: true}
	if !without(streamOptions) {
		r.Options = map[string]bool{"include_usage": true}
	}
	if !without(reasoningEffort) {
		r.Effort = m.effort
	}
	switch {
	case !without(maxTokens):
		r.Older = m.output
	case !without(maxCompletionTokens):
		r.Output = m.output
	}
	turns := m.turns(req, without)
	for _, t := range turns {
		b, err := t.json()
		if err != nil {
			return r, err
		}
		r.Turns = append(r.Turns, b)
	}
	for _, spec := range req.Tools {
		schema, err := schemaOf(spec.Name, spec.Schema)
		if err != nil {
			return r, err
		}
		r.Tools = append(r.Tools, completionTool{"function", function{spec.Name, spec.Description, schema}})
	}
	if req.Force != "" && !without(toolChoice) {
		r.Choice = &completionTool{"function", function{Name: req.Force}}
	}
	return r, nil
}

// turns converts the conversation to messages of Chat Completions. If the model refuses the role
// "system", the system prompt is put before the user's first text. The function without reports
// whether to leave out the part with a given name.
func (m *Model) turns(req provider.Request, without func(name string) bool) (turns []turn) {
	if req.System != "" {
		role := "system"
		if without(systemRole) {
			role = "user"
		}
		turns = append(turns, turn{Role: role, Content: req.System})
	}
	messages := provider.WithImages(req.Messages, m.Sees())
	last := lastSaid(messages)
	if without(thoughts) {
		last = len(messages)
	}
	var calls provider.Message
	for i, msg := range messages {
		if msg.Role == provider.Assistant {
			calls = msg
			turns = append(turns, m.said(msg, i > last)...)
		} else {
			turns = append(turns, m.heard(msg, calls)...)
		}
	}
	if len(turns) > 1 && turns[0].Role == turns[1].Role {
		turns[1].Content = before(req.System, turns[1].Content)
		turns = turns[1:]
	}
	return turns
}

// before returns contents, the content of a turn, with text in front.
func before(text string, contents any) any {
	switch c := contents.(type) {
	case string:
		return text + "\n\n" + c
	case []content:
		return append([]content{{Type: "text", Text: text}}, c...)
	}
	return contents
}

// lastSaid returns the index of the last message that the user wrote, or -1.
func lastSaid(messages []provider.Message) int {
	for i, m := range slices.Backward(messages) {
		if _, from := m.MainText(); m.Role == provider.User && from.IsFromPerson() && !results(m) {
			return i
		}
	}
	return -1
}

// results reports whether the message contains results of tools.
func results(m provider.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p provider.Part) bool { _, is := p.(provider.ToolResult); return is })
}

// said returns a message of the model as one turn, or nil if nothing of it can be sent. now says
// that the message belongs to the present turn of the conversation. Only then is its reasoning
// sent, together with its tool calls: models that reason between calls need it (DeepSeek, Kimi,
// GLM), and refuse or ignore older reasoning.
func (m *Model) said(msg provider.Message, now bool) []turn {
	out := turn{Role: "assistant"}
	var text, thought strings.Builder
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Text:
			text.WriteString(part.Text)
		case provider.Thinking:
			if part.From == m.from && part.Signature != "" && now {
				thought.WriteString(part.Text)
				out.thinkingField = part.Signature
			}
		case provider.ToolCall:
			c := completionCall{ID: part.IDFor(m.from), Type: "function"}
			c.Function.Name, c.Function.Arguments = part.Name, string(part.Object())
			out.Calls = append(out.Calls, c)
		}
	}
	if text.Len() == 0 && len(out.Calls) == 0 {
		return nil
	}
	if text.Len() > 0 {
		out.Content = text.String()
	}
	if out.thinking = thought.String(); len(out.Calls) == 0 || out.thinking == "" {
		out.thinkingField = ""
	}
	return []turn{out}
}

// heard returns a message of the role user as turns of the API: first each tool result, because
// results must follow their calls directly, and then the user's texts and pictures. Results can
// contain only text, so their pictures are sent as if the user had attached them. calls is the
// message with the tool calls.
func (m *Model) heard(msg, calls provider.Message) (out []turn) {
	var text []string
	var images []content
	show := func(p picture.Picture) { images = append(images, content{Type: "image_url", URL: &url{dataURL(p)}}) }
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Text:
			text = append(text, part.Text)
		case provider.Compaction:
			text = append(text, part.Text)
		case provider.Image:
			show(part.Picture)
		case provider.ToolResult:
			out = append(out, turn{Role: "tool", Call: calls.ResultID(part.ID, m.from), Content: part.Text})
			for _, p := range part.Images {
				show(p)
			}
		}
	}
	said := strings.Join(text, "\n\n")
	blank := strings.TrimSpace(said) == ""
	switch {
	case len(images) > 0 && !blank:
		out = append(out, turn{Role: "user", Content: append(images, content{Type: "text", Text: said})})
	case len(images) > 0:
		out = append(out, turn{Role: "user", Content: images})
	case !blank:
		out = append(out, turn{Role: "user", Content: said})
	}
	return out
}

// dataURL returns a picture as a data: URL.
func dataURL(p picture.Picture) string {
	return "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}
