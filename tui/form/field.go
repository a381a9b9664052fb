package form

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Question is a [Field] of whatever type.
type Question interface{ question() *field }

// Field is a question with an answer of type T. Its methods are for before it is asked; each
// returns the field.
type Field[T any] struct {
	field
	value  *T
	was    T // what value held before it was asked
	checks []func(T) error
	kind   kind[T]
}

// field is what a form knows of a Field.
type field struct {
	label, help string
	need        bool
	when        func() bool

	in     control
	begin  func()        // before it is asked
	reset  func()        // what is answered so far is what the variable holds
	store  func() error  // checks the answer and puts it into the variable
	undo   func()        // the variable is what it was
	answer func() string // what the variable holds
	now    func() string // what is answered so far, as it is shown
	err    error         // what is wrong with the answer
	seen   bool          // the answer was looked at once
}

// control is what a person answers with.
type control interface {
	tui.Component
	tui.EventHandler
	take(line string) error // a line answers
	enters(func())          // what is called at Enter
	mouse(on bool)          // it takes clicks
	hint() string           // of its keys, "" for none
	wide() bool             // it wants rows of its own
	ask(label string, s tui.Space) []tui.Line
	valid() error // that there is something to answer with
}

// kind is a control for answers of type T.
type kind[T any] interface {
	control
	set(T)
	get() (T, error)
	empty() bool
	show(T) string
	typed() string // what stands there though it is no answer
}

func (f *Field[T]) question() *field { return &f.field }

func newField[T any](label string, value *T, k kind[T]) *Field[T] {
	f := &Field[T]{value: value, kind: k}
	f.label, f.in = label, k
	f.begin = func() {
		f.was, f.err, f.seen = *value, nil, false
		k.set(*value)
	}
	f.reset = func() { k.set(*value) }
	f.undo = func() { *value = f.was }
	f.store = func() error {
		v, err := k.get()
		if k.empty() {
			if f.need {
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
	f.answer = func() string { return k.show(*value) }
	f.now = func() string {
		v, err := k.get()
		if err != nil {
			return k.typed()
		}
		return k.show(v)
	}
	return f
}

// Help returns a sentence that stands below the field while it is asked.
func (f *Field[T]) Help(text string) *Field[T] {
	f.help = text
	return f
}

// Required says that an empty text, or nothing of several, is no answer.
func (f *Field[T]) Required() *Field[T] {
	f.need = true
	return f
}

// Check says what is wrong with an answer, nil if nothing is. It is called on the loop and does not
// wait. The variables of other fields hold their answers. An empty answer is not checked, see
// Required. Checks are made in the order in which they were added.
func (f *Field[T]) Check(check func(T) error) *Field[T] {
	f.checks = append(f.checks, check)
	return f
}

// When says that the field is asked only while yes reports true. It is called on the loop; the
// variables of other fields hold their answers.
func (f *Field[T]) When(yes func() bool) *Field[T] {
	f.when = yes
	return f
}

// Placeholder returns an example, dim, in the place of an empty text. Only Text, Secret and Value
// have one.
func (f *Field[T]) Placeholder(text string) *Field[T] {
	if in, ok := f.in.(interface{ input() *widget.Input }); ok {
		in.input().Placeholder = text
	}
	return f
}

// Complete offers texts in the place of prefix, what stands before the caret, at Tab; for Text,
// Secret and Value. It is called on the loop and does not wait.
func (f *Field[T]) Complete(offer func(prefix string) []string) *Field[T] {
	if in, ok := f.in.(interface{ input() *widget.Input }); ok {
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
	in := f.in.(*text[string])
	in.w.Secret = true
	return f
}

// Value asks for a line that parse makes a value of: strconv.Atoi, time.ParseDuration. The value to
// begin with is shown as fmt.Sprint says it, the zero value as nothing. An empty line is the zero
// value.
func Value[T comparable](label string, value *T, parse func(text string) (T, error)) *Field[T] {
	k := &text[T]{parse: parse}
	k.w.Bare = true
	return newField(label, value, k)
}

// Choice asks for one of options, which look as [widget.ItemOf] says. One that equals *value is
// chosen at first, else the first one.
func Choice[T comparable](label string, value *T, options ...T) *Field[T] {
	k := &choice[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// Choices asks for any number of options, which look as [widget.ItemOf] says. Those in *value are
// marked at first.
func Choices[T comparable](label string, value *[]T, options ...T) *Field[[]T] {
	k := &choices[T]{}
	k.w.Bare, k.w.Options = true, options
	return newField(label, value, k)
}

// Confirm asks for a yes or a no. *value is marked at first.
func Confirm(label string, value *bool) *Field[bool] {
	k := &confirm{}
	k.w.Bare = true
	return newField(label, value, k)
}

// check looks at the answer, and takes it if it is right.
func (f *field) check() error {
	f.err, f.seen = f.store(), true
	return f.err
}

// asked reports whether the field is asked at all.
func (f *field) asked() bool { return f.when == nil || f.when() }

// ready says what is wrong with the field itself.
func (f *field) ready() error {
	if err := f.in.valid(); err != nil {
		return fmt.Errorf("form: the field %q: %w", f.label, err)
	}
	return nil
}
