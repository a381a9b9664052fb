package tool

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// target represents the object of a change: a whole file, a member of an archive, a row of a
// database, or a file that is deleted.
type target interface {
	// part returns the name of an archive member or a database row, without the file's name, and
	// the noun for it: "entry" or "row". Both are "" for a whole file.
	part() (name, what string)
	// before returns the present content of the file, member or row, and whether it exists. f is
	// the file that contains it.
	before(f workspace.File) (data []byte, exists bool)
	// pack returns the new bytes of the whole file, in which the file, member or row has the
	// content after.
	pack(after []byte) ([]byte, error)
	// flags returns the warnings that every proposal for such a target shows.
	flags() []approval.Flag
	// offer adds to a call the choices that the user has besides allowing it, such as
	// [Call.Revise].
	offer(c change, s assessment, call *Call)
	// commit writes the change to disk.
	commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error)
}

// all implements the methods that [wholeFile] and [removal] have in common: their target is the
// file itself, not a part of it.
type all struct{}

func (all) part() (name, what string) { return "", "" }

func (all) before(f workspace.File) (data []byte, exists bool) { return f.Data, f.Print.Exists }

func (all) pack(after []byte) ([]byte, error) { return after, nil }

func (all) flags() []approval.Flag { return nil }

// wholeFile is the target of a change that creates a file or replaces its content.
type wholeFile struct {
	all
	mode fs.FileMode // mode is the mode of a deleted file that an undo creates again; 0: the default.
}

func (wholeFile) offer(c change, s assessment, call *Call) {
	c.offerText(s, call)
	if c.revision != "" {
		call.Rebase = c.rebase
	}
}

// commit writes the new content of the file.
func (t wholeFile) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Data: c.whole, Mode: t.mode, Executable: c.script()})
}

// removal is the target of a change that deletes a file.
type removal struct {
	all
	prune []string  // prune lists directories that are removed too if they have become empty.
	note  *noteFile // note describes the memory note in the file; nil: the file is no note.
}

// flags returns a warning if the file is a note of the user, whose deletion cannot be undone.
func (t removal) flags() []approval.Flag {
	if t.note == nil || t.note.scope != memory.Person {
		return nil
	}
	return []approval.Flag{{Name: approval.FlagLasting, Text: "/undo does not take it back"}}
}

// offer offers no choices, because a deletion has no text that could be revised.
func (t removal) offer(_ change, _ assessment, call *Call) {
	if t.note != nil {
		t.note.setPath(call)
	}
}

// commit deletes the file, and the directories in prune that have become empty.
func (t removal) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Remove: true, Prune: t.prune})
}

// piece holds what targets that are a part of a file have in common: the part's name and its
// present content. It is embedded in [archiveEntry] and [tableRow].
type piece struct {
	name string // name is the member's or row's name, without the file's name and the colon.
	data []byte // data is the present content; nil if the member or row does not exist.
	// exists is false if the change creates the part.
	exists bool
}

func (p piece) before(workspace.File) (data []byte, exists bool) { return p.data, p.exists }

// archiveEntry is the target of a change of one member of an archive.
type archiveEntry struct {
	piece
	// put returns the bytes of the archive in which the member has the content after.
	put func(after []byte) ([]byte, error)
}

func (t archiveEntry) part() (name, what string) { return t.name, "entry" }

func (t archiveEntry) pack(after []byte) ([]byte, error) { return t.put(after) }

func (archiveEntry) flags() []approval.Flag { return nil }

func (archiveEntry) offer(c change, s assessment, call *Call) { c.offerText(s, call) }

// commit writes the archive with the changed member.
func (archiveEntry) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Data: c.whole})
}

// tableRow is the target of a change of one row of an SQLite database. The database itself writes
// the row in place. So the user cannot edit the proposed row, and no undo restores the old one.
type tableRow struct {
	piece
	// besides holds warnings about other files that the database writes, such as its journal.
	besides []approval.Flag
	// write changes the row in the database file.
	write func(ctx context.Context, file string) error
}

func (t tableRow) part() (name, what string) { return t.name, "row" }

func (tableRow) pack(after []byte) ([]byte, error) { return after, nil }

// flags returns a warning that the change cannot be undone, and those about other files.
func (t tableRow) flags() []approval.Flag {
	return slices.Concat([]approval.Flag{{Name: approval.FlagLasting, Text: "/undo does not take it back"}}, t.besides)
}

// offer offers no revision. It removes the check that the file is unchanged, because other programs
// may write other rows meanwhile.
func (tableRow) offer(_ change, _ assessment, call *Call) {
	call.Proposal.Check, call.Proposal.Fixed = nil, true
}

// commit writes the row, if the database is still the same file.
func (t tableRow) commit(ctx context.Context, c change, _ assessment) (workspace.Receipt, error) {
	p := c.file.Path
	err := c.env.Workspace.WithPinned(ctx, p, c.file.Print, func(name string) error { return t.write(ctx, name) })
	return workspace.Receipt{Path: p}, err
}

// offerText adds to a call the choices that a change of text has: to revise the text, and to write
// a hard-linked file in place.
func (c change) offerText(s assessment, call *Call) {
	call.merge = c.merge
	call.Revise = func(_ context.Context, after []byte) (Call, error) { return c.revise(after, s.diff) }
	if c.file.Print.Links > 1 {
		call.InPlace = func(context.Context) (Call, error) {
			other := c
			other.inPlace = !c.inPlace
			return other.prepare()
		}
	}
}

// oldText returns a copy of the file's content before the change, or nil if the file did not exist.
func (c change) oldText() []byte {
	if !c.file.Print.Exists {
		return nil
	}
	return append([]byte{}, c.file.Data...)
}

// commit writes the change to the workspace, records it in the undo history, and tells the language
// servers. w holds the fields that depend on the kind of target; commit fills in the others.
func (c change) commit(ctx context.Context, s assessment, w workspace.Change) (workspace.Receipt, error) {
	// What a file is for may have changed since it was shown: "config" is a text until a HEAD
	// stands beside it.
	p := c.file.Path
	if c.env.Workspace.RunsCode(p, c.asked, 0) != "" && !slices.Contains(s.names, approval.FlagRunsCode) {
		return workspace.Receipt{}, &Error{Code: "fs_denied",
			Text: fmt.Sprintf("%s has become a file that programs run; call again, so that the user is asked", p)}
	}
	c.begin(s)
	w.Path, w.Base, w.InPlace, w.MayLose = p, c.file.Print, c.inPlace, c.file.Loses
	r, err := c.env.Workspace.Commit(ctx, w)
	c.keep(r, s, err == nil)
	if err == nil && c.env.Languages != nil {
		after := c.whole
		if c.removes() {
			after = nil
		}
		c.env.Languages.Note(c.env.Workspace.Abs(p), c.oldText(), after, true)
	}
	return r, err
}
