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

// maskedText is shown instead of a secret of any length.
const maskedText = "********"

// text is the control of a Text, Secret or Value field.
type text[T comparable] struct {
	w     widget.Input
	parse func(string) (T, error)
}

func (t *text[T]) input() *widget.Input      { return &t.w }
func (t *text[T]) View(s tui.Space) tui.View { return t.w.View(s) }
func (t *text[T]) setMouse(on bool)          { t.w.Mouse = on }
func (t *text[T]) onEnter(f func())          { t.w.OnSubmit = func(string) { f() } }
func (t *text[T]) keyHint() string           { return "" }
func (t *text[T]) wantsRows() bool           { return false }
func (t *text[T]) checkUsable() error        { return nil }
func (t *text[T]) isEmpty() bool             { return strings.TrimSpace(t.w.Text()) == "" }
func (t *text[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	return t.w.HandleEvent(ev, s)
}

func (t *text[T]) typedText() string {
	if t.w.Secret && !t.isEmpty() {
		return maskedText
	}
	return t.w.Text()
}

func (t *text[T]) setAnswer(v T) {
	var zero T
	if v == zero {
		t.w.SetText("")
		return
	}
	t.w.SetText(fmt.Sprint(v))
}

func (t *text[T]) getAnswer() (v T, err error) {
	if t.isEmpty() {
		return v, nil
	}
	v, err = t.parse(t.w.Text())
	if n := (*strconv.NumError)(nil); errors.As(err, &n) {
		err = fmt.Errorf("%q is not a number that fits", n.Num)
		if errors.Is(n, strconv.ErrSyntax) {
			err = fmt.Errorf("%q is not a number", n.Num)
		}
	}
	return v, err
}

// takeLine takes line as the text. An empty line keeps the answer.
func (t *text[T]) takeLine(line string) error {
	if line != "" {
		t.w.SetText(line)
	}
	return nil
}

func (t *text[T]) format(T) string { return t.typedText() }

func (t *text[T]) questionLines(label string, s tui.Space) []tui.Line {
	return s.Wrap(tui.Span{Text: promptText(label, t.typedText())})
}

// promptText returns the row that asks for a line of input. now is the answer that an empty line
// gives.
func promptText(label, now string) string {
	if now != "" {
		label += " [" + now + "]"
	}
	return withColon(label)
}

// withColon returns a label followed by a colon, unless it ends with a colon or a question mark.
func withColon(label string) string {
	if strings.HasSuffix(label, "?") || strings.HasSuffix(label, ":") {
		return label
	}
	return label + ":"
}

// choice is the control of a Choice field.
type choice[T comparable] struct {
	w       widget.Select[T]
	options func() []T // returns the current options; nil: they do not change
	wanted  T          // the initial answer
	ownText string     // the text typed when Enter chose the last option of a ChoiceOrText
}

// errNoOptions is the error of a choice without options.
var errNoOptions = errors.New("there is nothing to choose from")

// refresh updates the options. The chosen option stays chosen if it still exists; otherwise the
// initial answer is chosen.
func (c *choice[T]) refresh() {
	if c.options == nil {
		return
	}
	options := c.options()
	if slices.Equal(options, c.w.Options) {
		return
	}
	chosen := c.wanted
	if c.w.At >= 0 && c.w.At < len(c.w.Options) {
		chosen = c.w.Options[c.w.At]
	}
	at := slices.Index(options, chosen)
	if at < 0 {
		at = slices.Index(options, c.wanted)
	}
	c.w.Options, c.w.At = slices.Clone(options), max(at, 0)
	c.w.Changed()
}

func (c *choice[T]) typedText() string { return "" }
func (c *choice[T]) setMouse(on bool)  { c.w.Mouse = on }
func (c *choice[T]) onEnter(f func()) {
	c.w.OnChoose = func(T) {
		if c.ownText = ""; c.w.LastStays && c.w.At == len(c.w.Options)-1 {
			c.ownText = c.w.Typed()
		}
		f()
	}
}
func (c *choice[T]) keyHint() string { return "typing searches" }
func (c *choice[T]) wantsRows() bool { return true }
func (c *choice[T]) isEmpty() bool   { return false }
func (c *choice[T]) View(s tui.Space) tui.View {
	c.refresh()
	return c.w.View(s)
}

func (c *choice[T]) getAnswer() (v T, err error) {
	if c.refresh(); len(c.w.Options) == 0 {
		return v, errNoOptions
	}
	return c.w.Options[c.w.At], nil
}

func (c *choice[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	c.refresh()
	return c.w.HandleEvent(ev, s)
}

func (c *choice[T]) checkUsable() error {
	if len(c.w.Options) == 0 && c.options == nil {
		return errNoOptions
	}
	return nil
}

func (c *choice[T]) setAnswer(v T) {
	c.wanted = v
	c.w.At = max(slices.Index(c.w.Options, v), 0)
	c.w.Changed()
}

func (c *choice[T]) takeLine(line string) error {
	c.refresh()
	i, err := c.w.Find(line)
	c.ownText = ""
	if _, notNumber := strconv.Atoi(line); err != nil && c.w.LastStays && notNumber != nil {
		i, err, c.ownText = len(c.w.Options)-1, nil, line
	}
	if err == nil {
		c.w.At = i
		c.w.Changed()
	}
	return err
}

func (c *choice[T]) format(v T) string { return widget.ItemOf(v).Text }

func (c *choice[T]) questionLines(label string, s tui.Space) []tui.Line {
	rows := s.Wrap(tui.Span{Text: label})
	if c.refresh(); len(c.w.Options) == 0 {
		return append(rows, s.Wrap(tui.Span{Text: errNoOptions.Error()})...)
	}
	s.Height = 0
	list := c.w.View(s).Lines
	rows = append(rows, list[:len(list)-1]...)
	return append(rows, s.Wrap(tui.Span{Text: promptText("A number or the words of one",
		c.format(c.w.Options[c.w.At]))})...)
}

// choices is the control of a Choices field.
type choices[T comparable] struct {
	w       widget.MultiSelect[T]
	options func() []T // returns the current options; nil: they do not change
	wanted  []T        // the initial answer
}

// refresh updates the options. Options that existed before stay checked or unchecked. New ones are
// checked if they are in the initial answer.
func (c *choices[T]) refresh() {
	if c.options == nil {
		return
	}
	options := c.options()
	if slices.Equal(options, c.w.Options) {
		return
	}
	marked, old, values := make([]bool, len(options)), c.w.Options, c.w.Values()
	for i, o := range options {
		marked[i] = slices.Contains(values, o) || !slices.Contains(old, o) && slices.Contains(c.wanted, o)
	}
	c.w.Options, c.w.Marked = slices.Clone(options), marked
	c.w.Changed()
}

func (c *choices[T]) typedText() string { return "" }
func (c *choices[T]) setMouse(on bool)  { c.w.Mouse = on }
func (c *choices[T]) onEnter(f func())  { c.w.OnChoose = func([]T) { f() } }
func (c *choices[T]) keyHint() string   { return "Space marks" }
func (c *choices[T]) wantsRows() bool   { return true }
func (c *choices[T]) isEmpty() bool     { return len(c.w.Values()) == 0 }
func (c *choices[T]) View(s tui.Space) tui.View {
	c.refresh()
	return c.w.View(s)
}

func (c *choices[T]) getAnswer() ([]T, error) {
	c.refresh()
	return c.w.Values(), nil
}

func (c *choices[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	c.refresh()
	return c.w.HandleEvent(ev, s)
}

func (c *choices[T]) checkUsable() error {
	if len(c.w.Options) == 0 && c.options == nil {
		return errNoOptions
	}
	return nil
}

func (c *choices[T]) setAnswer(v []T) {
	c.wanted = slices.Clone(v)
	c.w.Marked = make([]bool, len(c.w.Options))
	for i, o := range c.w.Options {
		c.w.Marked[i] = slices.Contains(v, o)
	}
	c.w.Changed()
}

func (c *choices[T]) takeLine(line string) error {
	c.refresh()
	marked, err := c.w.Find(line)
	if err == nil {
		c.w.Marked = marked
		c.w.Changed()
	}
	return err
}

func (c *choices[T]) format(v []T) string {
	texts := make([]string, len(v))
	for i, one := range v {
		texts[i] = widget.ItemOf(one).Text
	}
	return strings.Join(texts, ", ")
}

func (c *choices[T]) questionLines(label string, s tui.Space) []tui.Line {
	c.refresh()
	rows := s.Wrap(tui.Span{Text: label})
	s.Height = 0
	return append(rows, c.w.View(s).Lines...)
}

// confirm is the control of a Confirm field.
type confirm struct{ w widget.Confirm }

func (c *confirm) typedText() string         { return "" }
func (c *confirm) setMouse(on bool)          { c.w.Mouse = on }
func (c *confirm) onEnter(f func())          { c.w.OnAnswer = func(bool) { f() } }
func (c *confirm) keyHint() string           { return "y or n answers" }
func (c *confirm) wantsRows() bool           { return false }
func (c *confirm) checkUsable() error        { return nil }
func (c *confirm) isEmpty() bool             { return false }
func (c *confirm) setAnswer(v bool)          { c.w.Yes = v }
func (c *confirm) getAnswer() (bool, error)  { return c.w.Yes, nil }
func (c *confirm) View(s tui.Space) tui.View { return c.w.View(s) }
func (c *confirm) HandleEvent(ev tui.Event, s tui.Space) bool {
	return c.w.HandleEvent(ev, s)
}

func (c *confirm) takeLine(line string) error {
	yes, err := c.w.Find(line)
	if err == nil {
		c.w.Yes = yes
	}
	return err
}

func (c *confirm) format(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

func (c *confirm) questionLines(label string, s tui.Space) []tui.Line {
	s.Height = 0
	keys := c.w.View(s).Lines[0].Spans[0].Text
	return s.Wrap(tui.Span{Text: label + " " + keys})
}
