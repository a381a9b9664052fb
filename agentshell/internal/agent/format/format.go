// Package format lets programs of the person's put a text in order before it is shown and written.
//
// A formatter reads a text and prints it anew. It is asked before the person is, so that what it
// makes is a part of the difference that is decided on.
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

// PathWord stands for the path of the file in a command, as that is below the workspace.
const PathWord = "{path}"

// Formatter is one program. It runs without a shell.
type Formatter struct {
	Files   []string // globs of paths below the workspace; one without a slash is of names
	Command []string
	Timeout time.Duration
}

// Name returns the program's name for the screen.
func (f Formatter) Name() string { return filepath.Base(f.Command[0]) }

// Matches reports whether a file, a slash path below the workspace, is one of its files.
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

// maxText is how many bytes a text may have that is formatted, and what comes of it.
const maxText = 4 << 20

// Runner formats. The zero value has no formatters.
type Runner struct {
	Formatters []Formatter
	Dir        string   // of the workspace, where they run
	Env        []string // without secrets
	// Run runs a program to its end, and ends it with all that it has started when ctx ends.
	Run func(ctx context.Context, cmd *exec.Cmd) error
	// Programs finds what is run; nil: on the PATH of this process.
	Programs *child.Programs
	// Inside reports whether a file lies in the workspace. Neither a program nor a word behind it
	// may: what is there is not the person's alone. Nil: nothing does.
	Inside func(path string) bool
}

// Text returns text as the first formatter of the file prints it, and that formatter's name; "":
// the file has none, or the text is empty or too long. An error is that of the formatter; text is
// as it was then.
func (r Runner) Text(ctx context.Context, file string, text []byte) (formatted []byte, by string, err error) {
	for _, f := range r.Formatters {
		if !f.Matches(file) || len(text) == 0 || len(text) > maxText {
			continue
		}
		out, err := r.one(ctx, f, file, text)
		if err != nil {
			return text, f.Name(), err
		}
		return out, f.Name(), nil
	}
	return text, "", nil
}

func (r Runner) one(ctx context.Context, f Formatter, file string, text []byte) ([]byte, error) {
	program, err := r.Programs.Find(f.Command, r.Dir, r.Inside)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	cmd := exec.Command(program)
	for _, w := range f.Command[1:] {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(w, PathWord, filepath.FromSlash(file)))
	}
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, bytes.NewReader(text)
	out, problem, err := child.Output(limited, r.Run, cmd, maxText+1)
	switch said := child.FirstLine(problem); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("it took longer than %v", f.Timeout)
	case err != nil && said != nil:
		return nil, said
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
