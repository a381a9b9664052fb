package form

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Question is a [Field] of any type.
type Question interface{ question() *field }

// Field is a question with an answer of type T. Its methods are for before it is asked; each
// returns the field.
type Field[T any] struct {
	field
	value    *T
	oldValue T // what value held before it was asked
	checks   []func(T) error
	kind     kind[T]
}

// field is the part of a Field without its type.
type field struct {
	label, help string
	required    bool
	condition   func() bool

	control     control
	onBegin     func()        // called before it is asked
	reset       func()        // sets the answer to the value of the variable
	store       func() error  // checks the answer and stores it in the variable
	restore     func()        // restores the variable
	answerText  func() string // the value of the variable
	currentText func() string // the answer so far, as it is shown
	err         error         // what is wrong with the answer
	checked     bool          // the answer was checked once
}

// control is the part of a field with which a person answers.
type control interface {
	tui.Component
	tui.EventHandler
	takeLine(line string) error // takes a line as the answer
	onEnter(func())             // sets the function that Enter calls
	setMouse(on bool)           // sets whether it takes clicks
	keyHint() string            // tells its keys, "" for none
	wantsRows() bool            // it wants rows of its own
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
	typedText() string // the typed text, even if it is no answer
}

func (f *Field[T]) question() *field { return &f.field }

func newField[T any](label string, value *T, k kind[T]) *Field[T] {
	f := &Field[T]{value: value, kind: k}
	f.label, f.control = label, k
	f.onBegin = func() {
		f.oldValue, f.err, f.checked = *value, nil, false
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

// Help sets a sentence that stands below the field while it is asked.
func (f *Field[T]) Help(text string) *Field[T] {
	f.help = text
	return f
}

// Required says that an empty text, or an empty choice, is no answer.
func (f *Field[T]) Required() *Field[T] {
	f.required = true
	return f
}

// Check adds a check, which returns what is wrong with an answer, nil if nothing is. It is called
// on the loop and does not wait. The variables of other fields hold their answers. An empty answer
// is not checked, see Required. Checks run in the order in which they were added.
func (f *Field[T]) Check(check func(T) error) *Field[T] {
	f.checks = append(f.checks, check)
	return f
}

// When says that the field is asked only while yes returns true. It is called on the loop; the
// variables of other fields hold their answers.
func (f *Field[T]) When(yes func() bool) *Field[T] {
	f.condition = yes
	return f
}

// Placeholder sets an example, which stands dimmed in the place of an empty text. Only Text, Secret
// and Value have one.
func (f *Field[T]) Placeholder(text string) *Field[T] {
	if in, ok := f.control.(interface{ input() *widget.Input }); ok {
		in.input().Placeholder = text
	}
	return f
}

// Complete sets the completions of Tab: offer returns texts that may replace prefix, the text
// before the caret. It is for Text, Secret and Value, is called on the loop and does not wait.
func (f *Field[T]) Complete(offer func(prefix string) []string) *Field[T] {
	if in, ok := f.control.(interface{ input() *widget.Input }); ok {
		in.input().Complete = offer
	}
	return f
}

// Text asks for a line.
func Text(label string, value *string) *Field[string] {
	return Value(label, value, func(text string) (string, error) { return text, nil })
}

// Secret asks for a line that is not shown, neither while it is typed nor in the transcript.
func Secret(label string, value *string) *Field[string] {
	f := Text(label, value)
	in := f.control.(*text[string])
	in.w.Secret = true
	return f
}

// Value asks for a line that parse turns into a value: strconv.Atoi, time.ParseDuration. The first
// value is shown by fmt.Sprint, the zero value as an empty text. An empty line is the zero value.
func Value[T comparable](label string, value *T, parse func(text string) (T, error)) *Field[T] {
	k := &text[T]{parse: parse}
	k.w.Bare = true
	return newField(label, value, k)
}

// Choice asks for one of options, which are shown by [widget.ItemOf]. The one that equals *value is
// chosen at first, else the first one.
func Choice[T comparable](label string, value *T, options ...T) *Field[T] {
	k := &choice[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// ChoiceOrText asks as [Choice] does, of options and other, which stands below them whatever is
// typed. If other is chosen after something was typed, *typed gets that text, else "".
func ChoiceOrText[T comparable](label string, value *T, typed *string, other T, options ...T) *Field[T] {
	k := &choice[T]{}
	k.w.Bare, k.w.LastStays = true, true
	k.w.Options = append(slices.Clone(options), other)
	f := newField(label, value, k)
	begin, store, restore, stored, now, old := f.onBegin, f.store, f.restore, f.answerText, f.currentText, ""
	f.onBegin = func() { begin(); old, k.own = *typed, "" }
	f.restore = func() { restore(); *typed = old }
	f.store = func() error {
		err := store()
		if *typed = ""; *value == other {
			*typed = k.own
		}
		return err
	}
	f.answerText = func() string { return cmp.Or(*typed, stored()) }
	f.currentText = func() string {
		if v, err := k.getAnswer(); err == nil && v == other {
			return cmp.Or(k.own, now())
		}
		return now()
	}
	return f
}

// ChoiceFrom asks as [Choice] does. options returns the options of the moment, so that they may
// depend on other answers. It is called on the loop, often, and does not wait.
func ChoiceFrom[T comparable](label string, value *T, options func() []T) *Field[T] {
	k := &choice[T]{options: options}
	k.w.Bare = true
	return newField(label, value, k)
}

// Choices asks for any number of options, which are shown by [widget.ItemOf]. Those in *value are
// marked at first.
func Choices[T comparable](label string, value *[]T, options ...T) *Field[[]T] {
	k := &choices[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// ChoicesFrom asks as [Choices] does, of the options of the moment: see [ChoiceFrom].
func ChoicesFrom[T comparable](label string, value *[]T, options func() []T) *Field[[]T] {
	k := &choices[T]{options: options}
	k.w.Bare = true
	return newField(label, value, k)
}

// Confirm asks for a yes or a no. *value is marked at first.
func Confirm(label string, value *bool) *Field[bool] {
	k := &confirm{}
	k.w.Bare = true
	return newField(label, value, k)
}

// checkAnswer checks the answer, and stores it if it is right.
func (f *field) checkAnswer() error {
	f.err, f.checked = f.store(), true
	return f.err
}

// isAsked reports whether the field is asked at all.
func (f *field) isAsked() bool { return f.condition == nil || f.condition() }

// checkUsable returns what is wrong with the field itself.
func (f *field) checkUsable() error {
	if err := f.control.checkUsable(); err != nil {
		return fmt.Errorf("form: the field %q: %w", f.label, err)
	}
	return nil
}

// hasMarked reports whether text is marked, which Ctrl+C copies.
func (f *field) hasMarked() bool {
	in, ok := f.control.(interface{ input() *widget.Input })
	return ok && in.input().Copy != nil && in.input().Selected() != ""
}
