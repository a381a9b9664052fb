package tool

import (
	"context"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Error is a tool's own error with its kind string (FS-46).
type Error struct {
	Code string // invalid_args, fs_denied, tool_failed, not_found, conflict, too_large, edit_not_unique, edit_not_found
	Text string
	Err  error
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

func invalidArgs(format string, a ...any) error {
	return &Error{Code: "invalid_args", Text: fmt.Sprintf(format, a...)}
}

func failed(format string, a ...any) error {
	return &Error{Code: "tool_failed", Text: fmt.Sprintf(format, a...)}
}

// Kind returns the kind string of an error of a tool (FS-46); tool_failed for every error that is
// not known.
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
