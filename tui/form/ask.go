package form

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// ErrCancelled is the error of an Ask that a person has left with Esc or Ctrl+C. It is a
// [tui.ErrInterrupted].
var ErrCancelled error = cancelled{}

type cancelled struct{}

func (cancelled) Error() string { return "form: cancelled" }
func (cancelled) Unwrap() error { return tui.ErrInterrupted }

// unanswered is the error of a question for which the input, which is no terminal, has no line. It
// is an io.EOF.
type unanswered struct{ label string }

// Error returns the question that has no answer.
func (u unanswered) Error() string { return fmt.Sprintf("no line is left to answer %q with", u.label) }

// Unwrap returns io.EOF.
func (unanswered) Unwrap() error { return io.EOF }

// Ask shows fields on one page and waits until they are answered. Then their variables hold the
// answers. The error is [ErrCancelled], io.EOF without a terminal if there are no more lines, or
// that of [tui.Ask]; the variables are unchanged then. Any goroutine but the loop.
func Ask(ctx context.Context, app *tui.App, fields ...Question) error {
	return (&Form{Pages: []Page{{Fields: fields}}}).Ask(ctx, app)
}

// Steps asks as [Ask] does, one field after the other.
func Steps(ctx context.Context, app *tui.App, fields ...Question) error {
	return (&Form{Pages: []Page{{Fields: fields, Steps: true}}}).Ask(ctx, app)
}

// Ask shows the form and waits until it is answered, see [Ask]. It sets OnDone, OnCancel and Say.
func (f *Form) Ask(ctx context.Context, app *tui.App) error {
	for _, q := range f.fields() {
		if err := q.checkUsable(); err != nil {
			return err
		}
	}
	place := f.Place
	if place == (tui.Place{}) {
		place.Replace = true
	}
	f.Say = app.Transcript().Print
	for _, q := range f.fields() {
		if in, ok := q.control.(interface{ input() *widget.Input }); ok {
			in.input().Copy = app.Copy
		}
		if l, ok := q.control.(*lines); ok {
			l.w.Copy = app.Copy
		}
	}
	err, failed := tui.Ask(ctx, app, place, func(done func(error)) tui.Component {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.started = false
		f.start()
		if f.focus() == nil {
			done(nil)
		}
		f.OnCancel = func() { done(ErrCancelled) }
		f.OnDone = func() {
			if !f.NoSummary {
				f.printAnswers(app.Transcript())
			}
			done(nil)
		}
		return f
	})
	if failed == nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if q := f.focus(); q != nil && errors.Is(failed, io.EOF) {
		failed = unanswered{q.label}
	}
	f.restoreAll()
	return failed
}

// printAnswers writes the answers, a row each.
func (f *Form) printAnswers(t *tui.Transcript) {
	for _, q := range f.fields() {
		if q.isAsked() {
			answer := q.answerText()
			if answer == "" {
				answer = "none"
			}
			t.Append(&tui.Text{Spans: []tui.Span{{Text: titled(q.label) + " "}, {Text: answer}}}).Done()
		}
	}
}
