package form

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// ErrCancelled is the error of Ask if the user has left the form with Esc or Ctrl+C. It wraps
// [tui.ErrInterrupted].
var ErrCancelled error = cancelled{}

type cancelled struct{}

func (cancelled) Error() string { return "form: cancelled" }
func (cancelled) Unwrap() error { return tui.ErrInterrupted }

// unanswered is the error of a question for which the input, without a terminal, has no line left.
// It wraps io.EOF.
type unanswered struct{ label string }

// Error returns a message that names the question.
func (u unanswered) Error() string { return fmt.Sprintf("no line is left to answer %q with", u.label) }

// Unwrap returns io.EOF.
func (unanswered) Unwrap() error { return io.EOF }

// Ask shows fields on one page, and waits until the user has answered them. It then stores the
// answers in the fields' variables. If it returns an error the variables are unchanged:
// [ErrCancelled], io.EOF if there is no terminal and no line of input left, or an error of
// [tui.Ask]. It may be called on any goroutine but the loop.
func Ask(ctx context.Context, app *tui.App, fields ...Question) error {
	return (&Form{Pages: []Page{{Fields: fields}}}).Ask(ctx, app)
}

// Steps asks like [Ask], field after field: each appears when the one before it is answered.
func Steps(ctx context.Context, app *tui.App, fields ...Question) error {
	return (&Form{Pages: []Page{{Fields: fields, Steps: true}}}).Ask(ctx, app)
}

// Ask shows the form, and waits until the user has answered it, see the function [Ask]. It sets
// OnDone, OnCancel and Say.
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

// printAnswers appends a row for each answer to the transcript.
func (f *Form) printAnswers(t *tui.Transcript) {
	for _, q := range f.fields() {
		if q.isAsked() {
			answer := q.answerText()
			if answer == "" {
				answer = "none"
			}
			t.Append(&tui.Text{Spans: []tui.Span{{Text: withColon(q.label) + " "}, {Text: answer}}}).Done()
		}
	}
}
