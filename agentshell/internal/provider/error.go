package provider

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// ErrOtherConversation is wrapped by the error of a model that was made to answer one conversation
// and meets another one, as a script does.
var ErrOtherConversation = errors.New("the model was made for another conversation")

// Error is a failed attempt to get an answer. A caller may try again when Retryable says so.
type Error struct {
	Status     int           // HTTP status; 0: the connection or the stream broke
	What       string        // what happened, in our words; "": what the status says
	Message    string        // the provider's own words, untrusted text
	Advice     string        // what a person can do about it, a sentence; "": what the status suggests
	Final      bool          // another attempt would fail likewise, whatever the status
	RetryAfter time.Duration // what the provider asked for; 0: nothing
	TooLong    bool          // the conversation does not fit into the model; the provider knows its words for it
	Cause      error         // may be nil
}

// Error says what happened in one line.
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

// Short returns what happened in a few words, without the provider's own.
func (e *Error) Short() string { return cmp.Or(e.What, e.describe()) }

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

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Retryable reports whether another attempt can succeed: a broken connection, a timeout, a rate
// limit, an error on the provider's side.
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
