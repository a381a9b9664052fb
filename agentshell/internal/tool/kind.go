package tool

import (
	"context"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Error is an error of a tool call with the code that front ends and logs show (FS-46).
type Error struct {
	// Code is a word for the kind of the error, such as invalid_args, fs_denied, tool_failed,
	// not_found, conflict, too_large or cancelled.
	Code string
	// Text is the message for the model and the user.
	Text string
	// Err is the underlying error; nil: there is none.
	Err error
}

// Error returns the text of the error.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the underlying error, or nil.
func (e *Error) Unwrap() error { return e.Err }

// invalidArgs returns an error about the arguments of a call.
func invalidArgs(format string, a ...any) error {
	return &Error{Code: "invalid_args", Text: fmt.Sprintf(format, a...)}
}

// failed returns an error about a call that could not be carried out.
func failed(format string, a ...any) error {
	return &Error{Code: "tool_failed", Text: fmt.Sprintf(format, a...)}
}

// Kind returns the code of a tool's error (FS-46), such as "not_found". It returns "tool_failed"
// for errors of unknown types.
func Kind(err error) string {
	var own *Error
	var notUnique *EditNotUniqueError
	var notFound *EditNotFoundError
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &notUnique):
		return "edit_not_unique"
	case errors.As(err, &notFound):
		return "edit_not_found"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	switch workspace.KindOf(err) {
	case workspace.InvalidArgs:
		return "invalid_args"
	case workspace.NotPermitted:
		return "fs_denied"
	case workspace.NotFound:
		return "not_found"
	case workspace.Conflict:
		return "conflict"
	case workspace.TooLarge:
		return "too_large"
	default:
		return "tool_failed"
	}
}
