package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind is the kind of an error. There may be more kinds in future, so a switch over it needs a
// default branch (FS-45).
type Kind uint8

const (
	Failed      Kind = iota // Failed means that the backend failed; Cause has the reason (FS-44).
	InvalidArgs             // InvalidArgs means that the request makes no sense.
	NotFound                // NotFound means that the file does not exist (FS-40).
	// NotPermitted means that the file is outside of the roots, is binary, is refused by an editor,
	// or that permissions are missing (FS-41).
	NotPermitted
	Conflict    // Conflict means that the file is not in the base state any more (FS-42).
	TooLarge    // TooLarge means that the file or the result has more than Limit bytes (FS-43).
	IsDirectory // IsDirectory means that the path names a directory instead of a file.
)

// Error is the type of every error of this package. Test its kind by errors.Is(err, &Error{Kind:
// k}), and get its fields by errors.As.
type Error struct {
	Kind         Kind
	Path         string // Path is the path as it is displayed.
	Reason       string // Reason is set for InvalidArgs and NotPermitted.
	Bytes, Limit int64  // Bytes and Limit are set for TooLarge.
	Cause        error
}

func (e *Error) Error() string {
	switch e.Kind {
	case InvalidArgs:
		return e.Reason
	case NotFound:
		return "file not found: " + e.Path
	case NotPermitted:
		return "operation not permitted: " + e.Reason
	case Conflict:
		return "file changed since last read: " + e.Path
	case TooLarge:
		return fmt.Sprintf("file too large: %d bytes > %d", e.Bytes, e.Limit)
	case IsDirectory:
		return "is a directory: " + e.Path
	default:
		return fmt.Sprintf("backend failure: %v", e.Cause)
	}
}

func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an *Error of the same kind.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind
}

// KindOf returns the kind of err, or Failed if err is no [Error].
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}

func invalidError(format string, a ...any) error {
	return &Error{Kind: InvalidArgs, Reason: fmt.Sprintf(format, a...)}
}

func refusedError(format string, a ...any) error {
	return &Error{Kind: NotPermitted, Reason: fmt.Sprintf(format, a...)}
}

func conflictError(p Path) error { return &Error{Kind: Conflict, Path: p.String()} }

// systemError converts an error of the operating system to an [Error]. path is the file as it is
// displayed.
func systemError(path string, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: NotFound, Path: path, Cause: err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &Error{Kind: NotPermitted, Reason: fmt.Sprintf("no rights for %s", path), Path: path, Cause: err}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return &Error{Kind: InvalidArgs, Reason: "path is too long: " + clipMiddle(path), Cause: err}
	}
	return &Error{Kind: Failed, Path: path, Cause: err}
}

// clipMiddle returns s for a message, without its middle if it is longer than 120 bytes.
func clipMiddle(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:60] + "..." + s[len(s)-40:]
}
