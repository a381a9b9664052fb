package tool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// historyTime is how long a git history is searched. A history that takes longer counts as
// containing the file.
const historyTime = 3 * time.Second

// HistoryHolds looks for a file in the git history of the workspace for whose path names returns
// true. It returns the reason to ask about a command, or "" if there is no such file: any command
// could read the file from git, though the sandbox hides the file itself. It searches everything
// that branches, tags, stashes, reflogs and the index lead to. A history that cannot be searched
// counts as containing one.
func (e Env) HistoryHolds(ctx context.Context, names func(path string) bool) (why string) {
	if _, err := os.Lstat(filepath.Join(e.Workspace.Dir(), ".git")); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	cmd, err := e.git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects")
	if err != nil {
		return "the history of the git repository cannot be looked through"
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	found := &historySearch{names: names, found: cancel}
	cmd.Stdout = found
	switch err := e.Commands.family().Run(ctx, cmd); {
	case found.path != "":
		return "the history of the git repository holds " + diff.Escape(found.path)
	case ctx.Err() != nil:
		return "the history of the git repository is too long to be looked through"
	case err != nil:
		return "the history of the git repository cannot be looked through"
	}
	return ""
}

// historySearch is a writer for the output of git rev-list --objects. It ends the search at the
// first path that names accepts.
type historySearch struct {
	// names reports whether a path is one of those to find.
	names func(path string) bool
	// found ends the git command.
	found func()
	path  string // path is the path that was found, or "".
	line  []byte // line is the beginning of an incomplete line.
}

// Write implements io.Writer.
func (s *historySearch) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && s.path == ""; {
		part, more, ended := bytes.Cut(rest, []byte{'\n'})
		s.line, rest = append(s.line, part...), more
		if !ended {
			break
		}
		if _, name, has := bytes.Cut(s.line, []byte{' '}); has && len(name) > 0 && s.names(string(name)) {
			s.path = string(name)
			s.found()
		}
		s.line = s.line[:0]
	}
	return len(p), nil
}
