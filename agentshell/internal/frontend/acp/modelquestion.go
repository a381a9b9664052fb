package acp

import (
	"context"
	"fmt"
	"strings"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// elicitation holds the parameters of the request elicitation/create, with a form. The type of
// acp-go-sdk 0.13.0 has no field for the session.
type elicitation struct {
	SessionID wire.SessionId                 `json:"sessionId"`
	Mode      string                         `json:"mode"`
	Message   string                         `json:"message"`
	Schema    wire.UnstableElicitationSchema `json:"requestedSchema"`
}

// elicited is the client's answer to elicitation/create.
type elicited struct {
	Action  string         `json:"action"` // "accept", "decline" or "cancel"
	Content map[string]any `json:"content"`
}

// hasForms reports whether the client can show forms to the user.
func (s *Server) hasForms() bool {
	e := s.client.Elicitation
	return e != nil && e.Form != nil
}

// Answer asks the user the model's questions with a form that the client shows
// (elicitation/create). It returns [tool.ErrNobody] if the client has no forms. Answer implements
// [tool.Person].
func (s *session) Answer(ctx context.Context, questions []tool.Question) ([]tool.Reply, error) {
	if !s.server.hasForms() {
		return nil, tool.ErrNobody
	}
	request := elicitation{SessionID: s.id, Mode: "form", Message: "The model asks.",
		Schema: wire.UnstableElicitationSchema{Type: "object", Properties: map[string]any{}}}
	for i, q := range questions {
		addQuestion(&request.Schema, i+1, q)
	}
	var got elicited
	if err := s.server.conn.request(ctx, wire.ClientMethodElicitationCreate, request, &got); err != nil {
		return nil, err
	}
	if got.Action != "accept" {
		return nil, tool.ErrUnanswered
	}
	replies := make([]tool.Reply, len(questions))
	for i, q := range questions {
		replies[i] = replyFrom(got.Content, i+1, q)
	}
	return replies, nil
}

// choiceField and textField return the names of the form fields for question n.
func choiceField(n int) string { return fmt.Sprintf("answer_%d", n) }
func textField(n int) string   { return fmt.Sprintf("text_%d", n) }

// addQuestion adds the form fields for question n to schema.
func addQuestion(schema *wire.UnstableElicitationSchema, n int, q tool.Question) {
	title := visibleText(strings.Join(strings.Fields(q.Text), " "))
	if len(q.Choices) == 0 {
		schema.Properties[textField(n)] = map[string]any{"type": "string", "title": title, "minLength": 1}
		schema.Required = append(schema.Required, textField(n))
		return
	}
	var options []map[string]string
	for _, c := range q.Choices {
		about := c.Label
		if c.About != "" {
			about += ": " + c.About
		}
		options = append(options, map[string]string{"const": c.Label, "title": visibleText(about)})
	}
	field := map[string]any{"type": "string", "title": title, "oneOf": options}
	if q.Several {
		field = map[string]any{"type": "array", "title": title, "items": map[string]any{"anyOf": options}}
	}
	schema.Properties[choiceField(n)] = field
	if q.Free {
		schema.Properties[textField(n)] = map[string]any{"type": "string", "title": "Something else"}
	} else if !q.Several {
		schema.Required = append(schema.Required, choiceField(n))
	}
}

// replyFrom returns the answer to question n from the content of a form. Values that the question
// does not offer are ignored.
func replyFrom(content map[string]any, n int, q tool.Question) (r tool.Reply) {
	chosen, _ := content[choiceField(n)].([]any)
	if one, ok := content[choiceField(n)].(string); ok {
		chosen = []any{one}
	}
	for _, c := range q.Choices {
		for _, label := range chosen {
			if label == any(c.Label) {
				r.Chosen = append(r.Chosen, c.Label)
			}
		}
	}
	if text, ok := content[textField(n)].(string); ok && (q.Free || len(q.Choices) == 0) {
		r.Text = strings.TrimSpace(text)
	}
	if !q.Several && r.Text != "" {
		r.Chosen = nil
	}
	return r
}
