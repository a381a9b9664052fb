package form

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Lines asks for a text of several lines with a [tui.Editor]. Enter submits it; Ctrl+J, Alt+Enter
// and Shift+Enter begin a new line. Without a terminal it reads lines up to an empty one.
func Lines(label string, value *string) *Field[string] {
	k := &lines{}
	k.w.SubmitEmpty = true
	return newField[string](label, value, k)
}

// gatherer is a control that takes several lines of input for one answer.
type gatherer interface {
	gather(line string) (more bool) // adds a line; reports whether more lines belong to the answer
}

// lines is the control of a Lines field.
type lines struct {
	w        tui.Editor
	gathered []string // lines read so far, without a terminal
}

func (l *lines) typedText() string  { return l.w.Text() }
func (l *lines) setMouse(bool)      {}
func (l *lines) keyHint() string    { return "Ctrl+J begins a line" }
func (l *lines) wantsRows() bool    { return true }
func (l *lines) checkUsable() error { return nil }
func (l *lines) isEmpty() bool      { return strings.TrimSpace(l.w.Text()) == "" }
func (l *lines) HandleEvent(ev tui.Event, s tui.Space) bool {
	return l.w.HandleEvent(ev, s)
}

func (l *lines) onEnter(f func()) {
	l.w.OnSubmit = func(text string) {
		l.setAnswer(text)
		f()
	}
}

func (l *lines) View(s tui.Space) tui.View {
	l.w.MaxRows = max(s.Height, 1)
	return l.w.View(s)
}

func (l *lines) setAnswer(v string) {
	l.w.History = nil
	l.w.SetText(v)
}

func (l *lines) getAnswer() (string, error) { return l.w.Text(), nil }

// gather adds a line to the answer. It returns false for an empty line, which ends the answer.
func (l *lines) gather(line string) (more bool) {
	if line != "" {
		l.gathered = append(l.gathered, line)
	}
	return line != ""
}

// takeLine ends the answer. If no line was read it keeps the old answer.
func (l *lines) takeLine(string) error {
	if len(l.gathered) > 0 {
		l.setAnswer(strings.Join(l.gathered, "\n"))
		l.gathered = nil
	}
	return nil
}

func (l *lines) format(v string) string { return v }

func (l *lines) questionLines(label string, s tui.Space) []tui.Line {
	rows := s.Wrap(tui.Span{Text: withColon(label)})
	if l.typedText() != "" {
		rows = append(rows, s.Wrap(tui.Span{Text: l.typedText()})...)
	}
	return append(rows, s.Wrap(tui.Span{Text: "An empty line ends the text."})...)
}
