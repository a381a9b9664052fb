// Package isolation makes copies of a workspace in which an agent can work without touching the
// user's files, and finds what was changed in one.
//
// # Where a copy is, and why
//
// A copy lies in a directory of the program, never in the workspace. It holds the files of the
// workspace as they are, with what is not committed and what git does not track, but without what
// git ignores. Nothing of the user's repository is written: no object, no ref, no entry of git
// worktree, no stash and no index, but for a merge that the user has approved ([Merge.Commit]).
// The copy has a repository of its own instead, which borrows the
// objects of the user's (objects/info/alternates). So a kill can leave nothing anywhere but in
// the directory of copies, and removing a copy is removing a directory.
//
// # What git runs
//
// What the copy was made from is kept in a second repository, base, which nobody but this package
// opens: an agent may do with the repository in its copy what it likes. Files come into base by
// git fast-import, and are compared by their bytes. So no filter, no attribute, no hook, no monitor
// and no configuration of the workspace or of the user has a part in it. Nested repositories and
// submodules are copied as files.
//
// # After a kill
//
// A note is written, and locked, before the directory of a copy is made. The note of a process that
// has ended is not locked: [Store.Left] finds it.
package isolation

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// ErrNoRepository says that a workspace is in no git repository; a copy needs one.
var ErrNoRepository error = noRepositoryError{}

type noRepositoryError struct{}

// Error returns the message for the model.
func (noRepositoryError) Error() string {
	return "Isolated task execution requires a git repository. The workspace is in none; `git init` makes one, or " +
		"the task can run without isolated"
}

// Store makes copies of workspaces, and finds those that were left by ended processes. Dir and
// Family must be set.
type Store struct {
	Dir     string // Dir is the absolute path of the directory for copies. It is created with the first one.
	Family  *child.Family
	Environ []string
}

// Note describes the purpose of a copy. Its texts are untrusted.
type Note struct {
	Workspace   string    `json:"workspace"` // Workspace is the absolute path of the copied workspace.
	Session     string    `json:"session,omitempty"`
	Agent       string    `json:"agent"`
	Description string    `json:"description,omitempty"`
	Began       time.Time `json:"began"`
}

// Copy is a copy of a workspace in which an agent can work. It is locked until Release or Remove.
type Copy struct {
	Note
	store      Store
	name       string   // name is the name of its directory, and of its note without the ending.
	lockedNote *os.File // lockedNote is the locked file of the note.
	baseCommit string   // baseCommit is the commit with the original files; "": the copy is not complete.
}

// Prepare makes a copy of the default root of a workspace. After an error it leaves nothing.
func (s Store) Prepare(ctx context.Context, ws *workspace.Workspace, note Note) (_ *Copy, err error) {
	origin, err := s.findRepository(ctx, ws.Dir())
	if err != nil {
		return nil, err
	}
	note.Workspace = ws.Dir()
	c := &Copy{Note: note, store: s, name: "copy-" + rand.Text()}
	if c.lockedNote, err = s.writeNote(c.name, note); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Remove())
		}
	}()
	for _, dir := range []string{c.topDir(), c.Dir()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := c.makeRepositories(origin); err != nil {
		return nil, err
	}
	commit, err := c.copyFiles(ctx, ws, origin)
	if err != nil {
		return nil, fmt.Errorf("the workspace cannot be copied: %w", err)
	}
	if err := c.checkOut(ctx, commit); err != nil {
		return nil, err
	}
	c.baseCommit = commit
	return c, writeAtomically(c.baseFile(), commit+"\n")
}

// topDir returns the directory with everything that belongs to the copy.
func (c *Copy) topDir() string { return filepath.Join(c.store.Dir, c.name) }

// Dir returns the directory with the copied files, in which an agent works.
func (c *Copy) Dir() string { return filepath.Join(c.topDir(), "tree") }

// baseRepository returns the directory of the base repository, which no agent opens.
func (c *Copy) baseRepository() string { return filepath.Join(c.topDir(), "base.git") }

// baseFile returns the path of the file with the id of the base commit. It is written when the copy
// is complete.
func (c *Copy) baseFile() string { return filepath.Join(c.topDir(), "base") }

// Objects returns the directories from which git in the copy reads objects.
func (c *Copy) Objects() []string {
	list := []string{filepath.Join(c.baseRepository(), "objects")}
	return append(list, readAlternates(list[0])...)
}

// Release unlocks the copy and leaves it: the next start finds it.
func (c *Copy) Release() { unlock(c.lockedNote) }

// Remove removes the copy.
func (c *Copy) Remove() error {
	defer unlock(c.lockedNote)
	if err := removeTree(c.topDir()); err != nil {
		return fmt.Errorf("the copy of the workspace for %s cannot be removed: %w", c.Agent, err)
	}
	return os.Remove(c.store.noteFile(c.name))
}
