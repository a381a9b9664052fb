package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Target describes the file that a session is exported to.
type Target struct {
	File   string // The path of the file; "" if a name has to be chosen.
	Format Format // The format; "" if it follows from the extension of the file.
	Force  bool   // An existing file is replaced.
}

// ParseTarget parses the arguments that a user types after /export: --format NAME, --force, and a
// file, whose name may contain blanks.
func ParseTarget(args string) (t Target, err error) {
	rest := strings.TrimSpace(args)
	for strings.HasPrefix(rest, "--") {
		word, after, _ := strings.Cut(rest, " ")
		rest = strings.TrimSpace(after)
		switch name, value, given := strings.Cut(word, "="); {
		case word == "--force":
			t.Force = true
		case name == "--format":
			if !given {
				value, after, _ = strings.Cut(rest, " ")
				rest = strings.TrimSpace(after)
			}
			t.Format = Format(value)
			if t.Format.extensions() == nil {
				return t, formatError(value)
			}
		default:
			return t, fmt.Errorf("there is no %s: --format html, markdown or json, --force, and a file", word)
		}
	}
	t.File = rest
	return t, nil
}

// formatError returns the error for a format name that does not exist.
func formatError(name string) error {
	return fmt.Errorf("%q is no format: html, markdown or json", name)
}

// Resolve returns the target with an absolute path and a format. A relative path is in dir, and
// "~/" stands for home. If no file is given, its name is made from id, the session's id.
func (t Target) Resolve(dir, home, id string) (Target, error) {
	if t.Format != "" && t.Format.extensions() == nil {
		return t, formatError(string(t.Format))
	}
	if t.File == "" {
		if t.Format == "" {
			t.Format = HTML
		}
		t.File = "session-" + id + t.Format.extensions()[0]
	}
	if rest, ok := strings.CutPrefix(t.File, "~/"); ok && home != "" {
		t.File = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(t.File) {
		t.File = filepath.Join(dir, t.File)
	}
	if t.Format == "" {
		if t.Format = FormatOf(t.File); t.Format == "" {
			return t, fmt.Errorf("the name %q says no format: end it in .html, .md or .json, or add --format",
				filepath.Base(t.File))
		}
	}
	return t, nil
}

// Write creates the file with the content that write writes to it. Other users cannot read the
// file. An existing file is an error unless Force is set; then it is replaced atomically, when the
// new content is complete. After an error no new file is left.
func (t Target) Write(write func(io.Writer) error) error {
	if info, err := os.Lstat(t.File); err == nil && (!t.Force || !info.Mode().IsRegular()) {
		return t.existsError(info)
	}
	f, err := os.CreateTemp(filepath.Dir(t.File), ".agentshell-export-*") // with mode 0600
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = t.place(f.Name())
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// place renames a complete temporary file to the name of the target. Without Force it never
// replaces a file.
func (t Target) place(from string) error {
	if t.Force {
		return os.Rename(from, t.File)
	}
	err := os.Link(from, t.File)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist): // the file was created meanwhile
		return t.existsError(nil)
	}
	// A file system without links: the name is taken first, so that nothing is replaced.
	f, err := os.OpenFile(t.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return t.existsError(nil)
	} else if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Rename(from, t.File))
}

// existsError returns the error for a target whose name is already taken. info describes what has
// that name, or is nil.
func (t Target) existsError(info fs.FileInfo) error {
	if info != nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: choose another name", t.File)
	}
	return fmt.Errorf("%s exists: choose another name, or add --force to replace it", t.File)
}
