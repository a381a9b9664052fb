package shell

import (
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/tui"
)

// TriedQuestion holds a picker or a form of an extension as the user would see it. A command that
// tests extensions shows it and presses its keys without a terminal.
type TriedQuestion struct {
	// Ended says that the question was answered or cancelled. Then Value is the answer, or Err is
	// [extension.ErrCancelled].
	Ended bool
	Value json.RawMessage
	Err   error

	component tui.Component
	handle    func(tui.Event, tui.Space) bool
}

// TryQuestion returns the question that a picker or a form of an extension would ask.
func TryQuestion(d extension.Dialog) *TriedQuestion {
	q := &TriedQuestion{}
	end := func(answer func() (json.RawMessage, error)) {
		q.Ended = true
		q.Value, q.Err = answer()
	}
	left := func() (json.RawMessage, error) { return nil, extension.ErrCancelled }
	title := d.Extension + ": " + harmlessLine(d.Title)
	if d.Kind == "picker" {
		l := new(Shell).extensionPicker(d, title, func(at int) {
			if at < 0 {
				end(left)
				return
			}
			end(func() (json.RawMessage, error) { return json.Marshal(d.Items[at].Value) })
		})
		q.component, q.handle = l, l.HandleEvent
		return q
	}
	f, answer := extensionForm(d, title)
	f.OnDone, f.OnCancel = func() { end(answer) }, func() { end(left) }
	q.component, q.handle = f, f.HandleEvent
	return q
}

// Lines returns the text of the rows that the question shows in the space s.
func (q *TriedQuestion) Lines(s tui.Space) (lines []string) {
	for _, line := range q.component.View(s).Lines {
		text := ""
		for _, span := range line.Spans {
			text += span.Text
		}
		lines = append(lines, text)
	}
	return lines
}

// Press passes a key or a paste to the question.
func (q *TriedQuestion) Press(ev tui.Event, s tui.Space) {
	q.component.View(s) // what is in sight decides what some keys do
	q.handle(ev, s)
}
