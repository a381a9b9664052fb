package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind is the kind of an error. The set may grow: a switch over it needs a default branch (FS-45).
type Kind uint8

const (
	Failed       Kind = iota // the backend failed; Cause has the reason (FS-44)
	InvalidArgs              // the request makes no sense
	NotFound                 // there is no such file (FS-40)
	NotPermitted             // outside of the roots, binary, refused by an editor, or no rights (FS-41)
	Conflict                 // the file is no longer in the base state (FS-42)
	TooLarge                 // the file or the result has more bytes than Limit (FS-43)
	IsDirectory              // the path names a directory, and a file was asked for
)

// Error is the type of every error of this package. errors.Is(err, &Error{Kind: k}) tests the kind,
// and errors.As gives the fields.
type Error struct {
	Kind         Kind
	Path         string // as it is shown to a person
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

// Is reports whether target is an *Error of the same kind.
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

func conflictError(p Path) error { return &Error{Kind: Conflict, Path: p.String()} }

// systemError turns an error of the operating system into an [Error] with the fitting kind. path is
// the file as it is shown.
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
		return &Error{Kind: InvalidArgs, Reason: "path is too long: " + clip(path), Cause: err}
	}
	return &Error{Kind: Failed, Path: path, Cause: err}
}

// clip returns s, without its middle if it is too long for a message.
func clip(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:60] + "..." + s[len(s)-40:]
}
