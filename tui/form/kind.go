package form

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// masked stands for a secret, however long it is.
const masked = "********"

// text is a line that is typed.
type text[T comparable] struct {
	w     widget.Input
	parse func(string) (T, error)
}

func (k *text[T]) input() *widget.Input      { return &k.w }
func (k *text[T]) View(s tui.Space) tui.View { return k.w.View(s) }
func (k *text[T]) setMouse(bool)             {}
func (k *text[T]) onEnter(f func())          { k.w.OnSubmit = func(string) { f() } }
func (k *text[T]) keyHint() string           { return "" }
func (k *text[T]) wantsRows() bool           { return false }
func (k *text[T]) checkUsable() error        { return nil }
func (k *text[T]) isEmpty() bool             { return strings.TrimSpace(k.w.Text()) == "" }
func (k *text[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	return k.w.HandleEvent(ev, s)
}

func (k *text[T]) typedText() string {
	if k.w.Secret && !k.isEmpty() {
		return masked
	}
	return k.w.Text()
}

func (k *text[T]) setAnswer(v T) {
	var zero T
	if v == zero {
		k.w.SetText("")
		return
	}
	k.w.SetText(fmt.Sprint(v))
}

func (k *text[T]) getAnswer() (v T, err error) {
	if k.isEmpty() {
		return v, nil
	}
	v, err = k.parse(k.w.Text())
	if n := (*strconv.NumError)(nil); errors.As(err, &n) {
		err = fmt.Errorf("%q is not a number that fits", n.Num)
		if errors.Is(n, strconv.ErrSyntax) {
			err = fmt.Errorf("%q is not a number", n.Num)
		}
	}
	return v, err
}

// takeLine answers with a line. An empty one keeps the answer.
func (k *text[T]) takeLine(line string) error {
	if line != "" {
		k.w.SetText(line)
	}
	return nil
}

func (k *text[T]) format(T) string { return k.typedText() }

func (k *text[T]) questionLines(label string, s tui.Space) []tui.Line {
	return s.Wrap(tui.Span{Text: prompt(label, k.typedText())})
}

// prompt returns the row that a line answers. now is the answer of an empty line.
func prompt(label, now string) string {
	if now != "" {
		label += " [" + now + "]"
	}
	return titled(label)
}

// titled returns a label with a colon, unless it ends in a punctuation mark.
func titled(label string) string {
	if strings.HasSuffix(label, "?") || strings.HasSuffix(label, ":") {
		return label
	}
	return label + ":"
}

// choice is a choice of one of several.
type choice[T comparable] struct{ w widget.Select[T] }

func (k *choice[T]) typedText() string         { return "" }
func (k *choice[T]) setMouse(on bool)          { k.w.Mouse = on }
func (k *choice[T]) onEnter(f func())          { k.w.OnChoose = func(T) { f() } }
func (k *choice[T]) keyHint() string           { return "typing searches" }
func (k *choice[T]) wantsRows() bool           { return true }
func (k *choice[T]) isEmpty() bool             { return false }
func (k *choice[T]) View(s tui.Space) tui.View { return k.w.View(s) }
func (k *choice[T]) getAnswer() (T, error)     { return k.w.Options[k.w.At], nil }
func (k *choice[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	return k.w.HandleEvent(ev, s)
}

func (k *choice[T]) checkUsable() error {
	if len(k.w.Options) == 0 {
		return errors.New("there is nothing to choose from")
	}
	return nil
}

func (k *choice[T]) setAnswer(v T) {
	k.w.At = max(slices.Index(k.w.Options, v), 0)
	k.w.Changed()
}

func (k *choice[T]) takeLine(line string) error {
	i, err := k.w.Find(line)
	if err == nil {
		k.w.At = i
		k.w.Changed()
	}
	return err
}

func (k *choice[T]) format(v T) string { return widget.ItemOf(v).Text }

func (k *choice[T]) questionLines(label string, s tui.Space) []tui.Line {
	rows := s.Wrap(tui.Span{Text: label})
	s.Height = 0
	list := k.w.View(s).Lines
	rows = append(rows, list[:len(list)-1]...)
	return append(rows, s.Wrap(tui.Span{Text: prompt("A number or the words of one",
		k.format(k.w.Options[k.w.At]))})...)
}

// choices is a choice of any number of several.
type choices[T comparable] struct{ w widget.MultiSelect[T] }

func (k *choices[T]) typedText() string         { return "" }
func (k *choices[T]) setMouse(on bool)          { k.w.Mouse = on }
func (k *choices[T]) onEnter(f func())          { k.w.OnChoose = func([]T) { f() } }
func (k *choices[T]) keyHint() string           { return "Space marks" }
func (k *choices[T]) wantsRows() bool           { return true }
func (k *choices[T]) isEmpty() bool             { return len(k.w.Values()) == 0 }
func (k *choices[T]) View(s tui.Space) tui.View { return k.w.View(s) }
func (k *choices[T]) getAnswer() ([]T, error)   { return k.w.Values(), nil }
func (k *choices[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	return k.w.HandleEvent(ev, s)
}

func (k *choices[T]) checkUsable() error {
	if len(k.w.Options) == 0 {
		return errors.New("there is nothing to choose from")
	}
	return nil
}

func (k *choices[T]) setAnswer(v []T) {
	k.w.Marked = make([]bool, len(k.w.Options))
	for i, o := range k.w.Options {
		k.w.Marked[i] = slices.Contains(v, o)
	}
	k.w.Changed()
}

func (k *choices[T]) takeLine(line string) error {
	marked, err := k.w.Find(line)
	if err == nil {
		k.w.Marked = marked
		k.w.Changed()
	}
	return err
}

func (k *choices[T]) format(v []T) string {
	texts := make([]string, len(v))
	for i, one := range v {
		texts[i] = widget.ItemOf(one).Text
	}
	return strings.Join(texts, ", ")
}

func (k *choices[T]) questionLines(label string, s tui.Space) []tui.Line {
	rows := s.Wrap(tui.Span{Text: label})
	s.Height = 0
	return append(rows, k.w.View(s).Lines...)
}

// confirm is a yes or a no.
type confirm struct{ w widget.Confirm }

func (k *confirm) typedText() string         { return "" }
func (k *confirm) setMouse(on bool)          { k.w.Mouse = on }
func (k *confirm) onEnter(f func())          { k.w.OnAnswer = func(bool) { f() } }
func (k *confirm) keyHint() string           { return "y or n answers" }
func (k *confirm) wantsRows() bool           { return false }
func (k *confirm) checkUsable() error        { return nil }
func (k *confirm) isEmpty() bool             { return false }
func (k *confirm) setAnswer(v bool)          { k.w.Yes = v }
func (k *confirm) getAnswer() (bool, error)  { return k.w.Yes, nil }
func (k *confirm) View(s tui.Space) tui.View { return k.w.View(s) }
func (k *confirm) HandleEvent(ev tui.Event, s tui.Space) bool {
	return k.w.HandleEvent(ev, s)
}

func (k *confirm) takeLine(line string) error {
	yes, err := k.w.Find(line)
	if err == nil {
		k.w.Yes = yes
	}
	return err
}

func (k *confirm) format(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

func (k *confirm) questionLines(label string, s tui.Space) []tui.Line {
	s.Height = 0
	keys := k.w.View(s).Lines[0].Spans[0].Text
	return s.Wrap(tui.Span{Text: label + " " + keys})
}
