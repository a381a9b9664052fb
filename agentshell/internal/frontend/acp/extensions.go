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

// extensionCommands returns the slash commands of extensions.
func (s *session) extensionCommands() []extension.Entered {
	if s.parts.Extensions == nil {
		return nil
	}
	return s.parts.Extensions.Commands(s.takesName)
}

// takesName reports whether a command that is not an extension's has the name, so that no extension
// can have it.
func (s *session) takesName(name string) bool {
	return slices.ContainsFunc(s.ownCommands(), func(c wire.AvailableCommand) bool { return c.Name == name })
}

// runExtension runs the extension's slash command of that name and shows its output as a text.
// found is false if no extension has such a command. send is a message that the extension wants
// sent to the model; "" if there is none.
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

// Show asks the user a question of an extension, with a form that the client shows. The name of the
// extension precedes the title, so that the question cannot pass for one of the shell. Show
// implements [extension.Asker].
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

// askedField is a field of an extension's form, together with the names and choices that the
// client's form has for it.
type askedField struct {
	extension.Field
	name  string   // The name in the client's form. Clients sort the fields by it.
	shown []string // The text that the client shows for each choice. All are different.
}

// add adds the field to the client's form.
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

// first returns the initial value of the field for the client's form. ok is false if there is none.
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

// choice returns the index of the choice that the client's answer names, or -1 if it names none.
func (f *askedField) choice(given any) int {
	return slices.IndexFunc(f.shown, func(shown string) bool { return given == any(shown) })
}

// answer converts the client's answer to the value that the extension gets. ok is false if the
// answer is not valid.
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

// oneLine returns a text of an extension in one line, with control characters made visible.
func oneLine(text string) string { return visibleText(strings.Join(strings.Fields(text), " ")) }
