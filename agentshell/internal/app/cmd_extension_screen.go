package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// trialScreen answers questions by the keys of a trial.
type trialScreen struct{ *trial }

// Size implements [extension.Screen].
func (s trialScreen) Size() (columns, rows int) { return s.widths[len(s.widths)/2], 24 }

// Refresh implements [extension.Screen]. The rows of a view are asked for after each key.
func (s trialScreen) Refresh() {}

// Show implements [extension.Screen]: it prints a question, presses keys, and returns the answer.
func (s trialScreen) Show(ctx context.Context, d extension.Dialog) (json.RawMessage, error) {
	s.harmless("the title", d.Title)
	if n := (width.Model{}).String(d.Title); n > 80 {
		s.fault("the title has %d columns; 80 are shown", n)
	}
	s.note("a %s: %s", d.Kind, visibleText(d.Title))
	var value json.RawMessage
	var err error
	switch d.Kind {
	case "picker":
		value, err = s.pick(d)
	case "form":
		value, err = s.fill(d)
	default:
		value, err = s.view(ctx, d)
	}
	if err != nil {
		s.note("left with Esc, since %v", err)
		return nil, extension.ErrCancelled
	}
	s.good("answered: %s", visibleText(string(value)))
	return value, nil
}

// key returns the next key.
func (s trialScreen) key() (key string, err error) {
	if len(s.keys) == 0 {
		return "", errors.New("no key is left")
	}
	if key, s.trial.keys = s.keys[0], s.keys[1:]; !isKey(key) {
		s.fault("there is no key %q", key)
	}
	return key, nil
}

// isKey reports whether a key has that name.
func isKey(name string) bool {
	for _, prefix := range []string{"ctrl+", "alt+", "shift+"} {
		name = strings.TrimPrefix(name, prefix)
	}
	names := strings.Fields("space enter tab backspace delete up down left right home end pageup pagedown insert " +
		"f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12")
	return utf8.RuneCountInString(name) == 1 || slices.Contains(names, name)
}

// pick presses keys in a picker, which filters as in the shell.
func (s trialScreen) pick(d extension.Dialog) (json.RawMessage, error) {
	s.items(d.Items)
	at, filter := 0, ""
	for {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		var left []extension.Item
		for _, i := range d.Items {
			if strings.Contains(strings.ToLower(i.Text), filter) {
				left = append(left, i)
			}
		}
		switch {
		case key == "down":
			at++
		case key == "up":
			at--
		case key == "enter" && len(left) == 0:
			return nil, fmt.Errorf("no item has %q", filter)
		case key == "enter":
			return json.Marshal(left[max(0, min(at, len(left)-1))].Value)
		case utf8.RuneCountInString(key) == 1:
			filter, at = filter+strings.ToLower(key), 0
		}
	}
}

// fill takes a form as it stands once enter is pressed.
func (s trialScreen) fill(d extension.Dialog) (json.RawMessage, error) {
	values := map[string]any{}
	var lines []string
	for _, f := range d.Fields {
		s.harmless("the field "+f.Name, f.Label, f.Help)
		var value any
		switch {
		case f.Value != nil:
			value = f.Value
		case f.Kind == "confirm":
			value = false
		case f.Kind == "choices":
			value = []string{}
		case f.Kind == "choice":
			value = f.Choices[0]
		default:
			value = ""
		}
		values[f.Name] = value
		label := f.Label
		if label == "" {
			label = f.Name
		}
		shown, _ := json.Marshal(value)
		lines = append(lines, fmt.Sprintf("%s (%s): %s", visibleText(label), f.Kind, shown))
	}
	s.indent(lines)
	for {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		missing := ""
		for _, f := range d.Fields {
			if text := values[f.Name]; f.Required && (text == "" || fmt.Sprintf("%s", text) == `""`) {
				missing = f.Name
			}
		}
		switch {
		case key == "enter" && missing != "":
			return nil, fmt.Errorf("the field %s is required, and keys cannot fill it here", missing)
		case key == "enter":
			return json.Marshal(values)
		}
	}
}

// view presses keys in a view, and prints its rows after each.
func (s trialScreen) view(ctx context.Context, d extension.Dialog) (json.RawMessage, error) {
	columns, _ := s.Size()
	show := func(what string) bool {
		return s.ask(ctx, what, extension.Asked{Part: extension.PartView, View: d.View, Width: columns,
			Height: d.Height})
	}
	show("the view")
	for {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		text := ""
		switch {
		case key == "space":
			text = " "
		case utf8.RuneCountInString(key) == 1:
			text = key
		}
		d.Key(key, text)
		late := time.NewTimer(300 * time.Millisecond)
		select {
		case value := <-d.Closed:
			late.Stop()
			return value, nil
		case <-late.C:
		}
		show("the view after " + key)
	}
}
