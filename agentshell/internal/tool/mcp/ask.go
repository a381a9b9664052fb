package mcp

//lint:file-ignore SA1019 sampling ends with revision 2026-07-28; servers of older ones ask for it

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These constants limit the questions that a server asks.
const (
	maxMessageBytes = 8 << 10  // maxMessageBytes is the number of bytes of the message above a question.
	maxFields       = 50       // maxFields is the number of fields of a form.
	maxSampleBytes  = 64 << 10 // maxSampleBytes is the number of bytes of a prompt for the model.
)

// Question is a question that a server asks the user (MCP elicitation): a form to fill in, or a web
// page to open. All of it is untrusted.
type Question struct {
	Server, Message string
	Fields          []form.Field
	URL             string // URL is the address of the web page; "": the question is a form.
}

// Reply is the user's reply to a Question. If neither Accept nor Decline is set, the user has
// dismissed the question.
type Reply struct {
	Accept, Decline bool // neither: the question was put aside
	Values          map[string]any
}

// Sample is a prompt that a server sends to the model (MCP sampling). All of it is untrusted.
type Sample struct {
	Server, System string
	Messages       []Said
	MaxTokens      int
}

// Said is one message of a Sample.
type Said struct {
	Model bool // Model says that the message is from the model, not from the user.
	Text  string
}

// setHandlers sets the handlers for the server's questions to the user and to the model.
func (s Server) setHandlers(options *mcp.ClientOptions) {
	if s.Ask != nil {
		options.ElicitationHandler = s.handleElicitation
	}
	if s.Sample != nil {
		options.CreateMessageHandler = s.handleSampling
	}
}

// handleElicitation handles the request elicitation/create.
func (s Server) handleElicitation(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	q := Question{Server: s.Name, Message: cutText(s.Secrets.Redact(r.Params.Message), maxMessageBytes),
		URL: r.Params.URL}
	if s.Secrets.Contains([]byte(q.URL)) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the address of the page holds a secret"}
	}
	if q.URL == "" {
		fields, why := fieldsOf(r.Params.RequestedSchema, s.Secrets)
		if why != "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: why}
		}
		q.Fields = fields
	}
	reply, err := s.Ask(ctx, q)
	switch {
	case err != nil || !reply.Accept && !reply.Decline:
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case reply.Decline:
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: reply.Values}, nil
}

// schemaProperty is one property in the JSON schema of a form.
type schemaProperty struct {
	Type, Title, Description, Format string
	Default                          any
	Enum                             []string
	EnumNames                        []string
	OneOf, AnyOf                     []schemaChoice
	Items                            *schemaProperty
	Minimum, Maximum                 *float64
	MinLength, MaxLength             *float64
	MinItems, MaxItems               *float64
}

type schemaChoice struct{ Const, Title string }

// fieldsOf converts a JSON schema to fields of a form. The required fields come first, because the
// SDK loses the order of the server. why says why the schema is not supported.
func fieldsOf(schema any, secrets secret.Set) (fields []form.Field, why string) {
	text, err := json.Marshal(schema)
	if clean := secrets.RedactJSON(string(text)); clean != string(text) {
		text = []byte(clean)
	}
	var s struct {
		Properties map[string]schemaProperty
		Required   []string
	}
	if err != nil || json.Unmarshal(text, &s) != nil {
		return nil, "the form has a schema that is none of an object with flat fields"
	}
	if len(s.Properties) > maxFields {
		return nil, "the form has too many fields"
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		f, ok := s.Properties[name].field()
		if !ok || name == "" {
			return nil, "the form has a field of a kind that cannot be asked: " + cutText(name, 100)
		}
		f.Name, f.Required = name, slices.Contains(s.Required, name)
		fields = append(fields, f)
	}
	slices.SortStableFunc(fields, func(a, b form.Field) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return fields, ""
}

func (p schemaProperty) field() (f form.Field, ok bool) {
	f = form.Field{Title: p.Title, About: p.Description, Default: p.Default, Format: p.Format, Min: p.Minimum,
		Max: p.Maximum}
	choices := func(p schemaProperty) bool {
		f.Choices, f.Labels = p.Enum, p.EnumNames
		for _, c := range slices.Concat(p.OneOf, p.AnyOf) {
			f.Choices, f.Labels = append(f.Choices, c.Const), append(f.Labels, c.Title)
		}
		return len(f.Choices) > 0
	}
	switch p.Type {
	case "boolean":
		f.Kind = form.Boolean
	case "number":
		f.Kind = form.Number
	case "integer":
		f.Kind = form.Integer
	case "string":
		f.Kind, f.Min, f.Max = form.Text, p.MinLength, p.MaxLength
		if choices(p) {
			f.Kind, f.Min, f.Max = form.Choice, nil, nil
		}
	case "array":
		f.Kind, f.Min, f.Max = form.Choices, p.MinItems, p.MaxItems
		return f, p.Items != nil && choices(*p.Items)
	default:
		return f, false
	}
	return f, true
}

// handleSampling handles the request sampling/createMessage.
func (s Server) handleSampling(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	q := Sample{Server: s.Name, System: s.Secrets.Redact(r.Params.SystemPrompt), MaxTokens: int(r.Params.MaxTokens)}
	size := len(q.System)
	for _, m := range r.Params.Messages {
		text := s.Secrets.Redact(contentText(m.Content))
		size += len(text)
		q.Messages = append(q.Messages, Said{Model: m.Role == "assistant", Text: text})
	}
	if size > maxSampleBytes || len(q.Messages) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "what the model is asked is empty or " +
			"too long"}
	}
	text, model, err := s.Sample(ctx, q)
	if err != nil {
		return nil, &jsonrpc.Error{Code: -1, Message: err.Error()}
	}
	return &mcp.CreateMessageResult{Role: "assistant", Model: model, StopReason: "endTurn",
		Content: &mcp.TextContent{Text: text}}, nil
}

// cutText returns s, or its first most bytes and "…" if it is longer.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return width.Head(s, most) + "…"
}
