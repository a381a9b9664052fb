package form

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Question is a [Field] for answers of any type.
type Question interface{ question() *field }

// Field is a question with an answer of type T. Call its methods before it is asked. Each returns
// the field itself.
type Field[T any] struct {
	field
	value    *T // the variable for the answer
	oldValue T  // content of the variable before the question
	checks   []func(T) error
	kind     kind[T]
}

// field is the part of a Field that does not depend on the type of the answer.
type field struct {
	label, help string
	required    bool
	condition   func() bool // reports whether to ask the field; nil: always

	control     control
	onBegin     func()        // called before the form is asked
	reset       func()        // sets the answer to the content of the variable
	store       func() error  // checks the answer and stores it in the variable
	restore     func()        // restores the old content of the variable
	answerText  func() string // returns the content of the variable as text
	currentText func() string // returns the unfinished answer as text
	err         error         // what is wrong with the answer
	wasChecked  bool          // the answer was checked at least once
}

// control is the component with which the user answers a field.
type control interface {
	tui.Component
	tui.EventHandler
	takeLine(line string) error // takes a line of input as the answer
	onEnter(func())             // sets the function to call on Enter
	setMouse(on bool)           // sets whether the control takes clicks
	keyHint() string            // returns a hint of its keys, or ""
	wantsRows() bool            // reports whether the control needs several rows
	// returns the question as text
	questionLines(label string, s tui.Space) []tui.Line
	checkUsable() error // returns an error if no answer is possible
}

// kind is a control for answers of type T.
type kind[T any] interface {
	control
	setAnswer(T)
	getAnswer() (T, error)
	isEmpty() bool
	format(T) string
	typedText() string // returns the typed text, even if it is no valid answer
}

func (f *Field[T]) question() *field { return &f.field }

func newField[T any](label string, value *T, k kind[T]) *Field[T] {
	f := &Field[T]{value: value, kind: k}
	f.label, f.control = label, k
	f.onBegin = func() {
		f.oldValue, f.err, f.wasChecked = *value, nil, false
		k.setAnswer(*value)
	}
	f.reset = func() { k.setAnswer(*value) }
	f.restore = func() { *value = f.oldValue }
	f.store = func() error {
		v, err := k.getAnswer()
		if k.isEmpty() {
			if f.required {
				return errors.New("an answer is needed")
			}
			*value = v
			return nil
		}
		for _, check := range f.checks {
			if err == nil {
				err = check(v)
			}
		}
		if err == nil {
			*value = v
		}
		return err
	}
	f.answerText = func() string { return k.format(*value) }
	f.currentText = func() string {
		v, err := k.getAnswer()
		if err != nil {
			return k.typedText()
		}
		return k.format(v)
	}
	return f
}

// Help sets a sentence that is shown below the field while it has the focus.
func (f *Field[T]) Help(text string) *Field[T] {
	f.help = text
	return f
}

// Required makes the field reject an empty text or an empty choice.
func (f *Field[T]) Required() *Field[T] {
	f.required = true
	return f
}

// Check adds a check of the answer. check returns an error that says what is wrong, or nil. It is
// called on the loop and must not block. The variables of other fields hold their answers at that
// time. Empty answers are not checked, see Required. Checks run in the order in which they were
// added.
func (f *Field[T]) Check(check func(T) error) *Field[T] {
	f.checks = append(f.checks, check)
	return f
}

// When makes the field depend on a condition: it is asked only while yes returns true. yes is
// called on the loop; the variables of other fields hold their answers at that time.
func (f *Field[T]) When(yes func() bool) *Field[T] {
	f.condition = yes
	return f
}

// Placeholder sets an example that is shown dim while the text is empty. It applies only to Text,
// Secret and Value.
func (f *Field[T]) Placeholder(text string) *Field[T] {
	if in, ok := f.control.(interface{ input() *widget.Input }); ok {
		in.input().Placeholder = text
	}
	return f
}

// Complete sets the completions for Tab. offer returns texts that can replace prefix, the text
// before the caret. It is called on the loop and must not block. Complete applies only to Text,
// Secret and Value.
func (f *Field[T]) Complete(offer func(prefix string) []string) *Field[T] {
	if in, ok := f.control.(interface{ input() *widget.Input }); ok {
		in.input().Complete = offer
	}
	return f
}

// Text asks for a line of text.
func Text(label string, value *string) *Field[string] {
	return Value(label, value, func(text string) (string, error) { return text, nil })
}

// Secret asks for a line of text that is not shown, neither while the user types it nor in the
// transcript.
func Secret(label string, value *string) *Field[string] {
	f := Text(label, value)
	in := f.control.(*text[string])
	in.w.Secret = true
	return f
}

// Value asks for a line of text that parse converts, for example strconv.Atoi or
// time.ParseDuration. The initial value is shown as formatted by fmt.Sprint, and the zero value as
// an empty text. An empty line gives the zero value.
func Value[T comparable](label string, value *T, parse func(text string) (T, error)) *Field[T] {
	k := &text[T]{parse: parse}
	k.w.Bare = true
	return newField(label, value, k)
}

// Choice asks for one of options, which are shown by [widget.ItemOf]. The initial choice is the
// option that equals *value, or the first one.
func Choice[T comparable](label string, value *T, options ...T) *Field[T] {
	k := &choice[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// ChoiceOrText asks like [Choice], with a further option, other, which stays below the others while
// the user types. If the user types a text and chooses other, *typed gets that text. Otherwise it
// gets "".
func ChoiceOrText[T comparable](label string, value *T, typed *string, other T, options ...T) *Field[T] {
	k := &choice[T]{}
	k.w.Bare, k.w.LastStays = true, true
	k.w.Options = append(slices.Clone(options), other)
	f := newField(label, value, k)
	begin, store, restore, stored, now, old := f.onBegin, f.store, f.restore, f.answerText, f.currentText, ""
	f.onBegin = func() { begin(); old, k.ownText = *typed, "" }
	f.restore = func() { restore(); *typed = old }
	f.store = func() error {
		err := store()
		if *typed = ""; *value == other {
			*typed = k.ownText
		}
		return err
	}
	f.answerText = func() string { return cmp.Or(*typed, stored()) }
	f.currentText = func() string {
		if v, err := k.getAnswer(); err == nil && v == other {
			return cmp.Or(k.ownText, now())
		}
		return now()
	}
	return f
}

// ChoiceFrom asks like [Choice], with options that may change, for example with other answers.
// options returns the current ones. It is called often, on the loop, and must not block.
func ChoiceFrom[T comparable](label string, value *T, options func() []T) *Field[T] {
	k := &choice[T]{options: options}
	k.w.Bare = true
	return newField(label, value, k)
}

// Choices asks for any number of options, which are shown by [widget.ItemOf]. The options in *value
// are checked initially.
func Choices[T comparable](label string, value *[]T, options ...T) *Field[[]T] {
	k := &choices[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// ChoicesFrom asks like [Choices], with options that may change, see [ChoiceFrom].
func ChoicesFrom[T comparable](label string, value *[]T, options func() []T) *Field[[]T] {
	k := &choices[T]{options: options}
	k.w.Bare = true
	return newField(label, value, k)
}

// Confirm asks for yes or no. The initial answer is *value.
func Confirm(label string, value *bool) *Field[bool] {
	k := &confirm{}
	k.w.Bare = true
	return newField(label, value, k)
}

// checkAnswer checks the answer and stores it if it is valid.
func (f *field) checkAnswer() error {
	f.err, f.wasChecked = f.store(), true
	return f.err
}

// isAsked reports whether the field is to be asked.
func (f *field) isAsked() bool { return f.condition == nil || f.condition() }

// checkUsable returns an error if the field cannot be answered at all.
func (f *field) checkUsable() error {
	if err := f.control.checkUsable(); err != nil {
		return fmt.Errorf("form: the field %q: %w", f.label, err)
	}
	return nil
}

// hasSelection reports whether text is selected, so that Ctrl+C copies it instead of leaving the
// form.
func (f *field) hasSelection() bool {
	in, ok := f.control.(interface{ input() *widget.Input })
	return ok && in.input().Copy != nil && in.input().Selected() != ""
}
