package tool

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// pastFiles and the constants below limit the file contents that are remembered so that changes of
// shell commands can be undone.
const (
	pastFiles = 20_000    // pastFiles is the number of files, not counting those that git ignores.
	pastFile  = 256 << 10 // pastFile is the number of bytes in one file.
	pastBytes = 32 << 20  // pastBytes is the number of bytes in all files together.
	// pastTime is how long reading the files before a command may take.
	pastTime = 500 * time.Millisecond
	// settles is the resolution of a file system's clock: two writes within it may leave the same
	// time.
	settles = 50 * time.Millisecond
)

// Past holds the contents of a workspace's text files, so that the changes of a shell command can
// be shown and undone. A file is read again only if its metadata has changed. The zero value is
// empty. It is safe for use by several goroutines.
type Past struct {
	mu    sync.Mutex
	files map[string]held // files maps paths, which begin with the name of their root, to files.
	off   bool            // off is true if the workspace is too large: then nothing is remembered.
}

// held is the remembered state of a file.
type held struct {
	// is holds the metadata at the time when the file was read.
	is   workspace.Entry
	mode fs.FileMode
	// data is the content, if text is true.
	data []byte
	// text is true for a text file whose content is held; false for binary and too large files.
	text bool
}

// look reads the files that have changed, and returns the present state of all files. It returns
// nil if there are too many to do so before each command. The caller owns the map.
func (p *Past) look(ctx context.Context, w *workspace.Workspace) map[string]held {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, pastTime)
	defer cancel()
	now, size, many := make(map[string]held, len(p.files)), 0, false
	look := func(t *workspace.Tree) error {
		if !t.Mode().IsRegular() {
			return nil
		}
		is, err := t.Stat()
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		if len(now) == pastFiles {
			many = true
			return errEnough
		}
		path := t.Path().String()
		h, known := p.files[path]
		if !known || h.is != is {
			h = held{is: is, mode: is.Mode}
			if time.Since(is.Change) < settles {
				h.is = workspace.Entry{} // another write may come to the same time: it is read again
			}
			if is.Size <= pastFile && size < pastBytes {
				if h.data, err = t.Read(pastFile); err == nil {
					h.text = bytes.IndexByte(h.data[:min(len(h.data), 8000)], 0) < 0
				}
				if !h.text {
					h.data = nil
				}
			}
		}
		if size += len(h.data); size > pastBytes {
			h.data, h.text = nil, false
		}
		now[path] = h
		return nil
	}
	var err error
	for _, top := range w.WritableRoots() {
		if err = walk(limited, w, top, looks{}, look); err != nil {
			break
		}
	}
	if many || err != nil && ctx.Err() == nil {
		p.off, p.files = true, nil
		return nil
	}
	p.files = now
	return maps.Clone(now)
}

// Edited describes the change of one text file by a shell command.
type Edited struct {
	N    int    // N is the number of the change in the undo history.
	Path string // Path is the file's path for display.
	// New means that the command created the file, and Removed that it deleted it.
	New, Removed bool
	Denied       bool      // Denied means that the change was not made, because the user or a rule denied it.
	Diff         diff.Diff // Diff has no hunks if the diffs are too long.
}

const (
	// mostEdits is the number of changed files of one command that are recorded in the undo
	// history.
	mostEdits = 50
	mostLines = 2000 // mostLines is the number of changed lines that are shown of all files together.
)

// edits returns the changes that a command has made in text files, and records them in the undo
// history if the earlier content is known. past is the result of [Past.look] before the command. A
// change of a file that another tool has recorded since entry number told is left out.
func (t *bash) edits(ctx context.Context, past map[string]held, told int, changed workspace.Changes) (list []Edited) {
	h := t.env.History
	if past == nil || h == nil {
		return nil
	}
	var now map[string]held // asked for new files only: git may ignore them
	lines := 0
	for _, c := range changed.Files {
		path := c.Path.String()
		before, had := past[path]
		switch {
		case len(list) == mostEdits:
			return list
		case had && !before.text, !had && !c.New:
			continue
		case !had && now == nil:
			if now = t.env.Past.look(ctx, t.env.Workspace); now == nil {
				return list
			}
		}
		e := undo.Change{Time: t.now().UTC(), Root: c.Path.Root(), Rel: c.Path.Rel(), Tool: "bash",
			Call: t.call}
		if had {
			e.Before = undo.StateOf(before.mode, before.data)
		} else if new := now[path]; !new.text {
			continue
		}
		after, err := t.env.Workspace.Snapshot(ctx, c.Path, pastFile)
		if err != nil || bytes.IndexByte(after.Data[:min(len(after.Data), 8000)], 0) >= 0 {
			continue
		}
		if e.After = stateOf(after); e.After == e.Before || knows(changesSince(h, told), e) {
			continue
		}
		d := diff.Make(before.data, after.Data, diff.Context)
		e.Added, e.Removed = d.Stats.Added, d.Stats.Removed
		private := t.env.MayRead != nil && t.env.MayRead(c.Path.Match()) == approval.Deny
		n := h.Add(e, before.data, private)
		t.env.noteChange(c.Path)
		if lines += d.Stats.Added + d.Stats.Removed; lines > mostLines || private {
			d.Hunks = nil
		}
		list = append(list, Edited{N: n, Path: path, New: !had, Removed: !e.After.Exists, Diff: d})
	}
	return list
}

// changesSince returns the changes of a history after the first n. It returns none if the history
// has been replaced by a shorter one.
func changesSince(h *undo.History, n int) []undo.Change {
	if h == nil {
		return nil
	}
	all := h.Changes()
	return all[min(n, len(all)):]
}

// knows reports whether another tool has recorded a change of the same file while the command ran
// in the background.
func knows(since []undo.Change, e undo.Change) bool {
	return slices.ContainsFunc(since, func(c undo.Change) bool { return c.Root == e.Root && c.Rel == e.Rel })
}

func (t *bash) now() time.Time {
	if t.env.Now != nil {
		return t.env.Now()
	}
	return time.Now()
}
