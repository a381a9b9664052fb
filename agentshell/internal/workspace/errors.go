package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind says what went wrong. The set may grow: have a default branch (FS-45).
type Kind uint8

const (
	Failed       Kind = iota // the backend failed; Cause says how (FS-44)
	InvalidArgs              // the request makes no sense
	NotFound                 // FS-40
	NotPermitted             // bounds, binary, client denial, rights (FS-41)
	Conflict                 // the file is no longer the base (FS-42)
	TooLarge                 // FS-43
	IsDirectory              // a file was wanted
)

// Error is every error of this package. errors.Is(err, &Error{Kind: k}) asks for the kind;
// errors.As gives the data.
type Error struct {
	Kind         Kind
	Path         string // as shown
	Reason       string // for InvalidArgs and NotPermitted
	Bytes, Limit int64  // for TooLarge
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

// Is matches an *Error of the same kind.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind
}

// KindOf returns the kind of err, Failed if it is not an [Error].
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}

func invalid(format string, a ...any) error {
	return &Error{Kind: InvalidArgs, Reason: fmt.Sprintf(format, a...)}
}

func refused(format string, a ...any) error {
	return &Error{Kind: NotPermitted, Reason: fmt.Sprintf(format, a...)}
}

func conflict(p Path) error { return &Error{Kind: Conflict, Path: p.String()} }

// systemError gives an error of the operating system its kind.
func systemError(shown string, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: NotFound, Path: shown, Cause: err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &Error{Kind: NotPermitted, Reason: fmt.Sprintf("no rights for %s", shown), Path: shown, Cause: err}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return &Error{Kind: InvalidArgs, Reason: "path is too long: " + clip(shown), Cause: err}
	}
	return &Error{Kind: Failed, Path: shown, Cause: err}
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:60] + "..." + s[len(s)-40:]
}
