// Package format runs the user's formatters, such as gofmt, on the new text of a file before it is
// shown and written.
//
// A formatter reads a text and prints it formatted. It runs before the user is asked, so that its
// changes are part of the diff.
package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// PathWord is the placeholder in a command that is replaced with the path of the file, relative to
// the workspace.
const PathWord = "{path}"

// Formatter is one program that formats files, such as gofmt. It is started without a shell.
type Formatter struct {
	// globs of the files it formats, relative to the workspace; a glob without a slash matches base
	// names
	Files   []string
	Command []string
	Timeout time.Duration
}

// Name returns the base name of the program, which is shown on the screen.
func (f Formatter) Name() string { return filepath.Base(f.Command[0]) }

// Matches reports whether the formatter formats a file. The path is relative to the workspace, with
// slashes.
func (f Formatter) Matches(file string) bool {
	for _, glob := range f.Files {
		name := file
		if !strings.Contains(glob, "/") {
			name = path.Base(file)
		}
		if ok, err := doublestar.Match(glob, name); ok && err == nil {
			return true
		}
	}
	return false
}

// maxText is the largest number of bytes of a text that is formatted, and of the result.
const maxText = 4 << 20

// Runner runs the user's formatters. The zero value has none.
type Runner struct {
	Formatters []Formatter
	Dir        string   // the workspace directory, in which formatters run
	Env        []string // environment variables for formatters, without secrets
	// Run runs a program and waits for its end. When ctx ends, it stops the program and all
	// processes that it has started.
	Run func(ctx context.Context, cmd *exec.Cmd) error
	// Programs finds the file of a program; nil: the PATH of this process is searched.
	Programs *child.Programs
	// Inside reports whether a file lies in the workspace. Programs and arguments of formatters
	// must not, because other people can change files there; nil: nothing counts as inside.
	Inside func(path string) bool
}

// Format formats the new text of a file with the first formatter that matches the file. by is the
// name of the formatter, or "" if none matches, or if the text is empty or too long. After an
// error, the text is unchanged.
func (r Runner) Format(ctx context.Context, file string, text []byte) (formatted []byte, by string, err error) {
	for _, f := range r.Formatters {
		if !f.Matches(file) || len(text) == 0 || len(text) > maxText {
			continue
		}
		out, err := r.runFormatter(ctx, f, file, text)
		if err != nil {
			return text, f.Name(), err
		}
		return out, f.Name(), nil
	}
	return text, "", nil
}

func (r Runner) runFormatter(ctx context.Context, f Formatter, file string, text []byte) ([]byte, error) {
	program, err := r.Programs.Find(f.Command, r.Dir, r.Inside)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	cmd := exec.Command(program)
	if strings.HasPrefix(file, "-") { // a name that the model gives is no option, such as one that loads code
		file = "./" + file
	}
	for _, w := range f.Command[1:] {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(w, PathWord, filepath.FromSlash(file)))
	}
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, child.SafeEnviron(r.Env, f.Command), bytes.NewReader(text)
	out, stderr, err := child.Output(limited, r.Run, cmd, maxText+1)
	switch message := child.FirstLine(stderr); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("it took longer than %v", f.Timeout)
	case err != nil && message != nil:
		return nil, message
	case err != nil:
		return nil, err
	case len(out) > maxText:
		return nil, fmt.Errorf("it printed more than %d MiB", maxText>>20)
	case len(bytes.TrimSpace(out)) == 0 && len(bytes.TrimSpace(text)) > 0:
		return nil, errors.New("it printed nothing")
	case !utf8.Valid(out):
		return nil, errors.New("it printed what is no UTF-8")
	}
	return out, nil
}
