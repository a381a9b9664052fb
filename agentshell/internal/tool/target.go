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

// target is what a change is about: a whole file, a member of an archive, a row of a database, or a
// file that is removed.
type target interface {
	// part returns the name behind the file's and a colon, and what it is; both are "" where all of
	// the file is shown.
	part() (name, what string)
	// before returns what is there now of what is shown.
	before(f workspace.File) (data []byte, exists bool)
	// pack makes the file's new bytes from those that are shown.
	pack(after []byte) ([]byte, error)
	// flags returns those of this kind of target.
	flags() []approval.Flag
	// offer adds to a call what a person can choose of it.
	offer(c change, s assessment, call *Call)
	// commit writes the change.
	commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error)
}

// all is what targets have in common that are all of a file.
type all struct{}

func (all) part() (name, what string) { return "", "" }

func (all) before(f workspace.File) (data []byte, exists bool) { return f.Data, f.Print.Exists }

func (all) pack(after []byte) ([]byte, error) { return after, nil }

func (all) flags() []approval.Flag { return nil }

// wholeFile is a file that gets other bytes.
type wholeFile struct {
	all
	mode fs.FileMode // of a file that is made again
}

func (wholeFile) offer(c change, s assessment, call *Call) {
	c.offerText(s, call)
	if c.revision != "" {
		call.Rebase = c.rebase
	}
}

func (t wholeFile) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Data: c.whole, Mode: t.mode, Executable: c.script()})
}

// removal is a file that is taken away.
type removal struct {
	all
	prune []string  // directories that go with it, if they are empty then
	note  *noteFile // what the file is; nil: no note
}

func (t removal) flags() []approval.Flag {
	if t.note == nil || t.note.scope != memory.Person {
		return nil
	}
	return []approval.Flag{{Name: approval.FlagLasting, Text: "/undo does not take it back"}}
}

// offer adds no choice: there is no text to choose.
func (t removal) offer(_ change, _ assessment, call *Call) {
	if t.note != nil {
		t.note.setPath(call)
	}
}

func (t removal) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Remove: true, Prune: t.prune})
}

// piece is what targets have in common that are a part of a file.
type piece struct {
	name   string // behind the file's and a colon
	data   []byte // as it is; nil: it is not there
	exists bool
}

func (p piece) before(workspace.File) (data []byte, exists bool) { return p.data, p.exists }

// archiveEntry is a member of an archive.
type archiveEntry struct {
	piece
	put func(after []byte) ([]byte, error) // makes the archive with the member's new bytes
}

func (t archiveEntry) part() (name, what string) { return t.name, "entry" }

func (t archiveEntry) pack(after []byte) ([]byte, error) { return t.put(after) }

func (archiveEntry) flags() []approval.Flag { return nil }

func (archiveEntry) offer(c change, s assessment, call *Call) { c.offerText(s, call) }

func (archiveEntry) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	return c.commit(ctx, s, workspace.Change{Data: c.whole})
}

// tableRow is a row of a database. It is written in its place, so that the bytes that are shown are
// all that can be written, and no undo takes them back.
type tableRow struct {
	piece
	besides []approval.Flag // of the files that are written besides
	write   func(ctx context.Context, file string) error
}

func (t tableRow) part() (name, what string) { return t.name, "row" }

func (tableRow) pack(after []byte) ([]byte, error) { return after, nil }

func (t tableRow) flags() []approval.Flag {
	return slices.Concat([]approval.Flag{{Name: approval.FlagLasting, Text: "/undo does not take it back"}}, t.besides)
}

// offer takes back the check of the file: others may write the rest of it.
func (tableRow) offer(_ change, _ assessment, call *Call) {
	call.Proposal.Check, call.Proposal.Fixed = nil, true
}

func (t tableRow) commit(ctx context.Context, c change, _ assessment) (workspace.Receipt, error) {
	p := c.file.Path
	err := c.env.Workspace.WithPinned(ctx, p, c.file.Print, func(name string) error { return t.write(ctx, name) })
	return workspace.Receipt{Path: p}, err
}

// offerText adds to a call what a person can do with a new text: change it, or have it written in
// place.
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

// oldText returns the bytes that the file had, nil if there was none.
func (c change) oldText() []byte {
	if !c.file.Print.Exists {
		return nil
	}
	return append([]byte{}, c.file.Data...)
}

// commit writes a change of a file. w holds what is peculiar to its target.
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
