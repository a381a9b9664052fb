package provider

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// ErrOtherConversation is the error, wrapped in another one, of a model that can answer only one
// particular conversation and gets a different one. A scripted model is such a model.
var ErrOtherConversation = errors.New("the model was made for another conversation")

// Error is a failed request to a model. The caller may try again if Retryable returns true.
type Error struct {
	Status     int           // The HTTP status; 0 if the connection or the stream broke.
	What       string        // What happened, in the shell's own words; "": a text for the Status.
	Message    string        // The provider's message, which is untrusted text.
	Advice     string        // What the user can do about it, as a sentence; "": advice for the Status.
	Final      bool          // Another attempt would fail in the same way, whatever the Status.
	RetryAfter time.Duration // The wait before the next attempt that the provider asks for; 0: none.
	// The conversation does not fit into the model's context, as the provider's message says.
	TooLong bool
	Cause   error // The underlying error, or nil.
}

// Error returns what happened, with the provider's message or the cause, in one line.
func (e *Error) Error() string {
	what := e.Short()
	if e.TooLong && e.Status != 413 {
		what = fmt.Sprintf("the conversation no longer fits the model (%d); /compact makes it smaller", e.Status)
	}
	if e.Message != "" {
		what += ": " + e.Message
	} else if e.Cause != nil && e.Status == 0 { // of a status, the cause says no more than the status
		what += ": " + e.Cause.Error()
	}
	return what
}

// Short returns what happened in a few words, without the provider's message.
func (e *Error) Short() string { return cmp.Or(e.What, e.describe()) }

// describe returns a text for the HTTP status.
func (e *Error) describe() string {
	switch e.Status {
	case 0:
		return "the connection to the model broke"
	case 401, 403:
		return fmt.Sprintf("the provider refused the key (%d)", e.Status)
	case 404:
		return "the provider does not know this model (404)"
	case 413:
		return "the conversation no longer fits the model (413); /compact makes it smaller"
	case 429:
		return "rate limited (429)"
	case 529:
		return "the provider is overloaded (529)"
	}
	return fmt.Sprintf("the provider answered %d", e.Status)
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Retryable reports whether another attempt can succeed: after a broken connection, a timeout, a
// rate limit, or an error on the provider's side.
func (e *Error) Retryable() bool {
	if e.TooLong || e.Final {
		return false
	}
	switch e.Status {
	case 0, 408, 409, 425, 429, 498: // 498 is Groq's: no capacity at the moment
		return true
	}
	return e.Status >= 500
}
