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

// What is kept of the files of a workspace for /undo of what commands change.
const (
	pastFiles = 20_000    // that git does not ignore
	pastFile  = 256 << 10 // bytes of one file
	pastBytes = 32 << 20  // of all
	pastTime  = 500 * time.Millisecond
	settles   = 50 * time.Millisecond // of a file system's clock
)

// Past is what the text files of a workspace hold, so that what a command changes in them can be
// shown and taken back. A file is read again when its state is another one. The zero value is
// empty; it is safe for use by several goroutines.
type Past struct {
	mu    sync.Mutex
	files map[string]held // by the path with the name of its root
	off   bool            // the workspace is too large
}

// held is a file as it was.
type held struct {
	is   workspace.Entry
	mode fs.FileMode
	data []byte
	text bool
}

// look returns the files as they are now, nil if they are too many to look at before each command.
// The map is the caller's.
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

// Edited is what a command did to a text file.
type Edited struct {
	N            int    // of the change, for /undo
	Path         string // as it is shown
	New, Removed bool
	Denied       bool      // it was not made
	Diff         diff.Diff // without hunks where it is long
}

const (
	mostEdits = 50   // files of one command that are kept for /undo
	mostLines = 2000 // lines of all diffs that are shown
)

// edits returns the changes that a command has made in text files. Those for which the earlier
// content is known are told to the history, unless another tool has told it of the same one
// meanwhile.
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

// changesSince returns the changes of a history behind the first n. The history may be another one
// by now.
func changesSince(h *undo.History, n int) []undo.Change {
	if h == nil {
		return nil
	}
	all := h.Changes()
	return all[min(n, len(all)):]
}

// knows reports whether a change of the file has been told since: that of another tool while the
// command ran in the background.
func knows(since []undo.Change, e undo.Change) bool {
	return slices.ContainsFunc(since, func(c undo.Change) bool { return c.Root == e.Root && c.Rel == e.Rel })
}

func (t *bash) now() time.Time {
	if t.env.Now != nil {
		return t.env.Now()
	}
	return time.Now()
}
