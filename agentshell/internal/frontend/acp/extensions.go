package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// extensionCommands returns the commands of extensions. Those of the session come first.
func (s *session) extensionCommands() []extension.Entered {
	if s.parts.Extensions == nil {
		return nil
	}
	return s.parts.Extensions.Commands(s.takesName)
}

// takesName reports whether a command of the session itself has a name.
func (s *session) takesName(name string) bool {
	return slices.ContainsFunc(s.ownCommands(), func(c wire.AvailableCommand) bool { return c.Name == name })
}

// runExtension runs the command of an extension that a message names, and shows its answer as text.
// found is false if it names none. send is a message for the model; "": there is none.
func (s *session) runExtension(ctx context.Context, name, args string, on func(agent.Event)) (send string, found bool) {
	for _, c := range s.extensionCommands() {
		if "/"+c.By != name {
			continue
		}
		reply, err := c.Extension.Command(ctx, c.Name, args, 0, nil)
		switch {
		case ctx.Err() != nil:
			on(agent.TurnEnd{Reason: agent.Interrupted})
			return "", true
		case err != nil:
			text := name + " failed: " + strings.TrimSuffix(err.Error(), ".") + "."
			if st := c.Extension.Status(); st.State == helper.Failed && !st.Final {
				text += " /extensions restart " + st.Extension + " tries again."
			}
			if err.Error() == extension.NoScreen {
				text += " This editor cannot show what it asks. agentshell in a terminal can."
			}
			s.sendNotice(text)
			return "", true
		}
		var rows strings.Builder
		for _, row := range reply.Rows {
			rows.WriteString(row.Text() + "\n")
		}
		for _, part := range []struct{ what, text string }{{"", rows.String()}, {"For the prompt:\n\n", reply.Draft},
			{"Sent to the model:\n\n", reply.Send}} {
			if part.text != "" {
				s.sendNotice(part.what + fenced(part.text))
			}
		}
		return reply.Send, true
	}
	return "", false
}

// Show asks a question of an extension by a form of the client. It implements [extension.Asker].
// The name of the extension stands before the title, so that it is like no question of the shell.
func (s *session) Show(ctx context.Context, d extension.Dialog) (json.RawMessage, error) {
	fields := d.Fields
	if d.Kind == "picker" {
		fields = []extension.Field{{Kind: "choice", Label: "Choose one", Required: true}}
		for _, i := range d.Items {
			shown := i.Text
			if i.Note != "" {
				shown += ": " + i.Note
			}
			fields[0].Choices = append(fields[0].Choices, shown)
		}
	}
	request := elicitation{SessionID: s.id, Mode: "form", Message: "The extension " + d.Extension + " asks: " +
		oneLine(d.Title), Schema: wire.UnstableElicitationSchema{Type: "object", Properties: map[string]any{}}}
	asked := make([]askedField, len(fields))
	for i, f := range fields {
		asked[i] = askedField{Field: f, name: fmt.Sprintf("field_%02d", i+1)}
		asked[i].add(&request.Schema)
	}
	var got elicited
	if err := s.server.conn.request(ctx, wire.ClientMethodElicitationCreate, request, &got); err != nil {
		return nil, err
	}
	if got.Action != "accept" {
		return nil, extension.ErrCancelled
	}
	if d.Kind == "picker" {
		at := asked[0].choice(got.Content[asked[0].name])
		if at < 0 {
			return nil, extension.ErrCancelled
		}
		return json.Marshal(d.Items[at].Value)
	}
	values := map[string]any{}
	for _, f := range asked {
		value, ok := f.answer(got.Content[f.name])
		if !ok {
			return nil, extension.ErrCancelled
		}
		values[f.Name] = value
	}
	return json.Marshal(values)
}

// askedField is a field of an extension's form as the client shows it.
type askedField struct {
	extension.Field
	name  string   // in the client's form; a client sorts the fields by it
	shown []string // what is shown of each choice, no two alike
}

// add adds the field to a form.
func (f *askedField) add(schema *wire.UnstableElicitationSchema) {
	title := oneLine(f.Label)
	if title == "" {
		title = oneLine(f.Field.Name)
	}
	field := map[string]any{"type": "string", "title": title}
	if help := oneLine(f.Help); help != "" {
		field["description"] = help
	}
	required := f.Required || f.Kind == "choice"
	var options []map[string]string
	for _, c := range f.Choices {
		shown := oneLine(c)
		for n := 2; slices.Contains(f.shown, shown); n++ {
			shown = fmt.Sprintf("%s (%d)", oneLine(c), n)
		}
		f.shown = append(f.shown, shown)
		options = append(options, map[string]string{"const": shown, "title": shown})
	}
	switch f.Kind {
	case "choice":
		field["oneOf"] = options
	case "choices":
		field["type"], field["items"] = "array", map[string]any{"anyOf": options}
		if required {
			field["minItems"] = 1
		}
	case "confirm":
		field["type"] = "boolean"
	default:
		if required {
			field["minLength"] = 1
		}
	}
	if first, ok := f.first(); ok {
		field["default"] = first
	}
	schema.Properties[f.name] = field
	if required {
		schema.Required = append(schema.Required, f.name)
	}
}

// first returns the value that is there at first, as the client shows it.
func (f *askedField) first() (value any, ok bool) {
	var text string
	var list []string
	switch f.Kind {
	case "confirm":
		var yes bool
		return yes, json.Unmarshal(f.Value, &yes) == nil
	case "choice":
		if json.Unmarshal(f.Value, &text) != nil || !slices.Contains(f.Choices, text) {
			return nil, false
		}
		return f.shown[slices.Index(f.Choices, text)], true
	case "choices":
		_ = json.Unmarshal(f.Value, &list)
		chosen := []string{}
		for i, c := range f.Choices {
			if slices.Contains(list, c) {
				chosen = append(chosen, f.shown[i])
			}
		}
		return chosen, true
	}
	// A text that has to be changed to be harmless is not offered.
	return text, json.Unmarshal(f.Value, &text) == nil && text != "" && visibleText(text) == text
}

// choice returns the place of the choice that was given; -1: it is none.
func (f *askedField) choice(given any) int {
	return slices.IndexFunc(f.shown, func(shown string) bool { return given == any(shown) })
}

// answer returns the person's answer as the extension has it; false: it is none.
func (f *askedField) answer(given any) (value any, ok bool) {
	switch f.Kind {
	case "confirm":
		yes, _ := given.(bool)
		return yes, true
	case "choice":
		at := f.choice(given)
		if at < 0 {
			return nil, false
		}
		return f.Choices[at], true
	case "choices":
		list := []string{}
		chosen, _ := given.([]any)
		for i, shown := range f.shown {
			if slices.Contains(chosen, any(shown)) {
				list = append(list, f.Choices[i])
			}
		}
		return list, len(list) > 0 || !f.Required
	}
	text, _ := given.(string)
	return text, text != "" || !f.Required
}

// oneLine returns a text of an extension as one harmless line.
func oneLine(text string) string { return visibleText(strings.Join(strings.Fields(text), " ")) }
