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

// historyTime is how long the history of a repository is looked through. A longer history may hold
// anything.
const historyTime = 3 * time.Second

// HistoryHolds says which file that names names the repository at the top of the workspace holds,
// in a commit that a branch, a tag, a stash or the log of one leads to, or in the index; "": none.
// Any command reads it there, though the file itself is hidden. What cannot be looked through
// counts as holding one.
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

// historySearch looks through lines of an object's name and its path.
type historySearch struct {
	names func(path string) bool
	found func()
	path  string // the path that was found, or ""
	line  []byte // the beginning of an unfinished one
}

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
