package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// trialScreen answers the questions of an extension with the keys that --keys lists.
type trialScreen struct{ *trial }

// Size implements [extension.Screen].
func (s trialScreen) Size() (columns, rows int) { return s.widths[len(s.widths)/2], 24 }

// Refresh implements [extension.Screen]. It does nothing, because the rows of a view are requested
// after each key anyway.
func (s trialScreen) Refresh() {}

// Show implements [extension.Screen]: it prints the question, presses the keys of the trial, and
// returns the answer.
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
		s.items(d.Items)
		value, err = s.press(d)
	case "form":
		s.fields(d.Fields)
		value, err = s.press(d)
	default:
		value, err = s.view(ctx, d)
	}
	switch {
	case errors.Is(err, errKeysEnd):
		s.note("left with Esc, since %v", err)
		return nil, extension.ErrCancelled
	case err != nil:
		s.note("left without an answer")
		return nil, extension.ErrCancelled
	}
	s.good("answered: %s", visibleText(string(value)))
	return value, nil
}

// typedKey is a key of --keys, or a text that is pasted.
type typedKey struct {
	name  string
	event tui.Event
}

// typedKeys parses the value of --keys: keys with blanks between them. A text in quotes is pasted.
func typedKeys(text string) (keys []typedKey, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if quote := text[:1]; strings.Contains(`"'`, quote) && len(text) > 1 && text[1] != ' ' {
			inside, rest, closed := strings.Cut(text[1:], quote)
			if !closed {
				return nil, fmt.Errorf("the text %s has no end: a quote is missing", text)
			}
			keys, text = append(keys, typedKey{"paste", tui.Paste{Text: inside}}), rest
			continue
		}
		name, rest, _ := strings.Cut(text, " ")
		key, err := terminal.ParseKey(name)
		if err != nil {
			return nil, fmt.Errorf("there is no key %q. Keys have names such as a, space, enter, down or ctrl+a, "+
				"and a text stands in quotes", name)
		}
		key.Alone = true
		keys, text = append(keys, typedKey{name, key}), rest
	}
	return keys, nil
}

// errKeysEnd says that a question has got all keys of the trial and still waits for one.
var errKeysEnd = errors.New("no key is left")

// key returns the next key of the trial, or errKeysEnd.
func (s trialScreen) key() (key typedKey, err error) {
	if len(s.keys) == 0 {
		return key, errKeysEnd
	}
	key, s.trial.keys = s.keys[0], s.keys[1:]
	return key, nil
}

// press presses keys in a picker or a form until it ends, and returns its answer.
func (s trialScreen) press(d extension.Dialog) (json.RawMessage, error) {
	q := shell.TryQuestion(d)
	columns, rows := s.Size()
	space := tui.Space{Width: columns, Height: rows}
	for pressed := false; !q.Ended; pressed = true {
		key, err := s.key()
		if err != nil {
			if pressed {
				s.indent(q.Lines(space))
			}
			return nil, err
		}
		q.Press(key.event, space)
	}
	return q.Value, q.Err
}

// fields prints the fields of a form with their initial values.
func (s trialScreen) fields(fields []extension.Field) {
	var lines []string
	for _, f := range fields {
		s.harmless("the field "+f.Name, f.Label, f.Help)
		line := fmt.Sprintf("%s (%s)", visibleText(cmp.Or(f.Label, f.Name)), f.Kind)
		if f.Value != nil {
			line += ": " + visibleText(string(f.Value))
		}
		lines = append(lines, line)
	}
	s.indent(lines)
}

// view presses keys in a view until it ends, and prints the rows of the view after each key.
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
		switch ev := key.event.(type) {
		case tui.Paste:
			d.Key(key.name, ev.Text)
		case tui.Key:
			if ev.Is("esc") || ev.Is("ctrl+c") {
				return nil, extension.ErrCancelled
			}
			d.Key(ev.String(), ev.Text())
		}
		late := time.NewTimer(300 * time.Millisecond)
		select {
		case value := <-d.Closed:
			late.Stop()
			return value, nil
		case <-late.C:
		}
		show("the view after " + key.name)
	}
}
