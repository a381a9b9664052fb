package provider

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Redact returns a copy of m in which secrets are replaced. The data of pictures stays as it is.
func (m Message) Redact(secrets secret.Set) Message {
	clean := Message{Role: m.Role, Parts: make([]Part, 0, len(m.Parts))}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case Text:
			p.Text, p.Summary = secrets.Redact(p.Text), secrets.Redact(p.Summary)
			clean.Parts = append(clean.Parts, p)
		case Thinking:
			if text := secrets.Redact(p.Text); text != p.Text { // the signature is of the text as it was
				p.Text, p.Signature = text, ""
			}
			clean.Parts = append(clean.Parts, p)
		case ToolCall:
			p.ID, p.Name, p.Given = secrets.Redact(p.ID), secrets.Redact(p.Name), secrets.Redact(p.Given)
			if input := secrets.RedactJSON(string(p.Input)); input != string(p.Input) {
				p.Input = json.RawMessage(input)
			}
			clean.Parts = append(clean.Parts, p)
		case ToolResult:
			p.ID, p.Text = secrets.Redact(p.ID), secrets.Redact(p.Text)
			p.Summary = secrets.Redact(p.Summary)
			p.Images = slices.Clone(p.Images)
			for i := range p.Images {
				p.Images[i].Name = secrets.Redact(p.Images[i].Name)
			}
			clean.Parts = append(clean.Parts, p)
		case Compaction:
			p.Text = secrets.Redact(p.Text)
			if facts := secrets.RedactJSON(string(p.Facts)); facts != string(p.Facts) {
				p.Facts = json.RawMessage(facts)
			}
			clean.Parts = append(clean.Parts, p)
		case Image:
			p.Name = secrets.Redact(p.Name)
			clean.Parts = append(clean.Parts, p)
		}
	}
	return clean
}

// Redact returns an error with the message of err in which secrets are replaced. An [Error] stays
// an [Error].
func Redact(err error, secrets secret.Set) error {
	var e *Error
	if !errors.As(err, &e) || secrets.Redact(err.Error()) == err.Error() &&
		secrets.Redact(e.Error()) == e.Error() && secrets.Redact(e.Advice) == e.Advice {
		return secrets.Error(err)
	}
	clean := *e
	clean.Message, clean.Cause = secrets.Redact(e.Message), secrets.Error(e.Cause)
	clean.What, clean.Advice = secrets.Redact(e.What), secrets.Redact(e.Advice)
	return &clean
}
