package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

const (
	maxChanged = 200 // maxChanged is the number of changed files that are named.
	// maxChangedSeen is the number of changed files that are checked for whether git ignores them.
	// It is high because installing packages changes many ignored files.
	maxChangedSeen = 20_000
)

// commandChanges describes the files that a shell command has changed.
type commandChanges struct {
	workspace.Changes     // without the others
	ignored           int // ignored is the number of changed files that git ignores.
	own               int // own is the number of changed files in the private folders of git and similar programs.
}

// changes returns the files that have changed since before was taken. It has the same time limit as
// the search before the command.
func (t *bash) changes(ctx context.Context, before *workspace.Stamps) commandChanges {
	ctx, cancel := context.WithTimeout(ctx, t.env.Commands.lookTime())
	defer cancel()
	w := t.env.Workspace
	all := commandChanges{Changes: w.Changes(ctx, before, maxChangedSeen)}
	lookup, own := ignore.NewLookup(w), workspace.NewOwnFolders(w)
	made := newRepositories(own, all.Files)
	isMade := func(p workspace.Path) bool { return made[p.Dir()] || made[p.Dir().Dir()] }
	var named []workspace.Changed
	for _, c := range all.Files {
		folder, is := own.Of(c.Path)
		switch {
		case is && (isMade(c.Path) || !workspace.RunsIn(folder, c.Path)):
			all.own++
		case ctx.Err() == nil && lookup.Ignores(c.Path, false):
			all.ignored++
		case len(named) == maxChanged:
			all.Omitted++
		default:
			named = append(named, c)
		}
	}
	all.Files = named
	return all
}

// newRepositories returns the folders of git repositories that a command has created. Programs
// named in them come from git's template, so changes in these folders need not be listed.
func newRepositories(own *workspace.OwnFolders, files []workspace.Changed) map[workspace.Path]bool {
	made := map[workspace.Path]bool{}
	for _, c := range files {
		if c.New && c.Path.Base() == "HEAD" && own.IsGit(c.Path.Dir()) {
			made[c.Path.Dir()] = true
		}
	}
	return made
}

// noteChanges tells the language servers which files a command has changed.
func (t *bash) noteChanges(ctx context.Context, cs commandChanges) {
	if t.env.Languages == nil {
		return
	}
	for _, c := range cs.Files {
		f, err := t.env.Workspace.Snapshot(context.WithoutCancel(ctx), c.Path, workspace.MaxProposal)
		switch {
		case err != nil:
		case !f.Print.Exists:
			t.env.Languages.Note(t.env.Workspace.Abs(c.Path), nil, nil, false)
		default:
			t.env.Languages.Note(t.env.Workspace.Abs(c.Path), nil, append([]byte{}, f.Data...), false)
		}
	}
}

// text returns a list of the changed files with the number of the others, or "" if none was
// changed.
func (cs commandChanges) text() string {
	var parts []string
	for _, c := range cs.Files {
		part := shown(c.Path)
		switch {
		case c.New:
			part += " (new)"
		case c.Removed:
			part += " (removed)"
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, ", ")
	switch {
	case cs.Omitted > 0 && len(parts) > 0:
		text += fmt.Sprintf(" and %d more", cs.Omitted)
	case cs.Omitted > 0:
		text = count(cs.Omitted, "file") + " deep in the tree"
	}
	var others []string
	if cs.ignored > 0 {
		others = append(others, count(cs.ignored, "file")+" that git ignores")
	}
	if cs.own > 0 {
		others = append(others, count(cs.own, "file")+" of the repository itself")
	}
	if text != "" && len(others) > 0 {
		text += ", and "
	}
	return text + strings.Join(others, ", and ")
}

// names returns the paths of the files in the list.
func (cs commandChanges) names() []string {
	var ns []string
	for _, c := range cs.Files {
		ns = append(ns, c.Path.String())
	}
	return ns
}
