package shell

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Show shows a dialog of an extension and returns the user's answer. The title begins with the name
// of the extension, so that the user does not take the dialog for a question of the shell. Show
// returns [extension.ErrCancelled] if the user closes the dialog.
func (x extensionScreen) Show(ctx context.Context, d extension.Dialog) (json.RawMessage, error) {
	sh := x.sh
	place := tui.Place{Replace: true}
	if d.Place == "overlay" {
		place = tui.Place{Center: true, Shade: true, Modal: true}
	}
	if d.Late {
		place.FocusDelay = questionDelay
	}
	title := d.Extension + ": " + harmlessLine(d.Title)
	sh.app.Do(func() { sh.overlays++ })
	defer sh.app.Do(func() {
		sh.overlays--
		sh.wake()
	})
	switch d.Kind {
	case "picker":
		return sh.askPicker(ctx, d, title, place)
	case "form":
		return sh.askForm(ctx, d, title, place)
	}
	return sh.askView(ctx, d, title, place)
}

// askPicker shows a list from an extension and returns the value of the item that the user chooses.
func (sh *Shell) askPicker(ctx context.Context, d extension.Dialog, title string, place tui.Place) (json.RawMessage,
	error) {
	at, err := tui.Ask(ctx, &sh.app, place, func(done func(int)) tui.Component {
		return overlaid{sh.extensionPicker(d, title, done), sh}
	})
	switch {
	case err != nil:
		return nil, errLeft(err)
	case at < 0:
		return nil, extension.ErrCancelled
	}
	return json.Marshal(d.Items[at].Value)
}

// extensionPicker returns the list for a dialog of an extension. It calls done with the index of
// the chosen item, or with -1 if the user closes the list.
func (sh *Shell) extensionPicker(d extension.Dialog, title string, done func(int)) keyed {
	l := &widget.List{Title: title, Hint: sh.listHint(), Mouse: true, OnChoose: done, OnLeave: func() { done(-1) }}
	for _, i := range d.Items {
		l.Items = append(l.Items, widget.Item{Text: harmlessLine(i.Text), Note: harmlessLine(i.Note)})
	}
	return sh.withKeys(l)
}

// extensionField holds a field of an extension's form, and the user's answer to it. It tells
// choices apart by their index, because two choices can look the same after control characters were
// removed.
type extensionField struct {
	extension.Field
	// The answer for a field of text.
	text string
	// The answer for one choice of several.
	choice offeredChoice
	// The answer for any number of choices.
	marked []offeredChoice
	// The answer for a yes-or-no field.
	yes bool
}

// question returns the form's question for the field, and sets the answer to the extension's
// default value.
func (f *extensionField) question() form.Question {
	label := harmlessLine(f.Label)
	if label == "" {
		label = harmlessLine(f.Name)
	}
	help := harmlessLine(f.Help)
	var values []string
	if json.Unmarshal(f.Value, &f.text) == nil {
		values = []string{f.text}
	} else {
		_ = json.Unmarshal(f.Value, &values)
	}
	var offered []offeredChoice
	for i, c := range f.Choices {
		o := offeredChoice{index: i, label: harmlessLine(c)}
		if offered = append(offered, o); slices.Contains(values, c) {
			f.marked, f.choice = append(f.marked, o), o
		}
	}
	switch f.Kind {
	case "lines":
		return requiredIf(form.Lines(label, &f.text).Help(help), f.Required)
	case "confirm":
		_ = json.Unmarshal(f.Value, &f.yes)
		return form.Confirm(label, &f.yes).Help(help)
	case "choice":
		return form.Choice(label, &f.choice, offered...).Help(help)
	case "choices":
		return requiredIf(form.Choices(label, &f.marked, offered...).Help(help), f.Required)
	}
	return requiredIf(form.Text(label, &f.text).Help(help), f.Required)
}

// requiredIf returns the field f. If required is true, the field refuses an empty answer.
func requiredIf[T any](f *form.Field[T], required bool) *form.Field[T] {
	if required {
		return f.Required()
	}
	return f
}

// answer returns the user's answer in the type that the extension expects: a bool, a string, or a
// list of strings.
func (f *extensionField) answer() any {
	switch f.Kind {
	case "confirm":
		return f.yes
	case "choice":
		return f.Choices[f.choice.index]
	case "choices":
		list := []string{}
		for _, c := range f.marked {
			list = append(list, f.Choices[c.index])
		}
		return list
	}
	return f.text
}

// askForm shows a form from an extension and returns the user's answers as a JSON object, by the
// names of the fields.
func (sh *Shell) askForm(ctx context.Context, d extension.Dialog, title string, place tui.Place) (json.RawMessage,
	error) {
	f, answer := extensionForm(d, title)
	f.Place = place
	if err := f.Ask(ctx, &sh.app); err != nil {
		if errors.Is(err, form.ErrCancelled) {
			err = extension.ErrCancelled
		}
		return nil, errLeft(err)
	}
	return answer()
}

// extensionForm returns a form for a dialog of an extension. The function answer returns the
// answers as a JSON object, by the names of the fields; it is called after the form has closed.
func extensionForm(d extension.Dialog, title string) (f *form.Form, answer func() (json.RawMessage, error)) {
	fields := make([]extensionField, len(d.Fields))
	page := form.Page{Title: title}
	for i := range d.Fields {
		fields[i].Field = d.Fields[i]
		page.Fields = append(page.Fields, fields[i].question())
	}
	return &form.Form{NoSummary: true, Pages: []form.Page{page}}, func() (json.RawMessage, error) {
		values := map[string]any{}
		for i := range fields {
			values[fields[i].Name] = fields[i].answer()
		}
		return json.Marshal(values)
	}
}

// askView shows a dialog whose rows an extension draws. It returns the value with which the
// extension closes the dialog, or [extension.ErrCancelled] if the user closes it.
func (sh *Shell) askView(ctx context.Context, d extension.Dialog, title string, place tui.Place) (json.RawMessage,
	error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	value, err := tui.Ask(ctx, &sh.app, place, func(done func(json.RawMessage)) tui.Component {
		go func() {
			select {
			case v := <-d.Closed:
				done(v)
			case <-ctx.Done():
			}
		}()
		return overlaid{&extensionView{dialog: d, title: title, leave: func() { done(nil) }}, sh}
	})
	if err == nil && value == nil {
		err = extension.ErrCancelled
	}
	return value, errLeft(err)
}

// extensionView implements a dialog whose rows an extension draws.
type extensionView struct {
	dialog extension.Dialog
	title  string
	// Closes the dialog without a value.
	leave func()
}

// View returns the title, the rows that the extension has sent so far, and the key that closes the
// dialog.
func (v *extensionView) View(s tui.Space) tui.View {
	t := s.Look()
	height := v.dialog.Height
	if s.Height > 0 {
		height = min(height, s.Height-3)
	}
	lines := []tui.Line{{}, s.Cut(tui.Span{Text: v.title, Style: t.Strong})}
	if height > 0 {
		lines = append(lines, cutRows(v.dialog.Rows(s.Width, height), s)...)
	}
	for len(lines) < height+2 { // it does not jump when the rows come
		lines = append(lines, tui.Line{})
	}
	return tui.View{Lines: append(lines, s.Cut(tui.Span{Text: "Esc leaves", Style: t.Dim}))}
}

// HandleEvent sends keys and pastes to the extension. Esc and Ctrl+C close the dialog, and Ctrl+L
// and Ctrl+Z are left to the app.
func (v *extensionView) HandleEvent(ev tui.Event, _ tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Key:
		switch {
		case ev.Is("esc"), ev.Is("ctrl+c"):
			v.leave()
		case ev.Is("ctrl+l"), ev.Is("ctrl+z"):
			return false
		default:
			v.dialog.Key(ev.String(), ev.Text())
		}
		return true
	case tui.Paste:
		v.dialog.Key("paste", strings.TrimRight(ev.Text, "\n"))
		return true
	}
	return false
}
