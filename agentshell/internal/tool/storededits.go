package tool

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// KeepDenied records in env.History a change that the user or a rule has denied, so that its diff
// can be shown later. call is the id of the tool call.
func KeepDenied(env Env, call string, p *approval.Proposal) {
	if env.History == nil || p == nil || p.Diff.Identical() {
		return
	}
	path, err := env.Workspace.Resolve(p.Path)
	if err != nil {
		return
	}
	now := time.Now
	if env.Now != nil {
		now = env.Now
	}
	c := undo.Change{Time: now().UTC(), Root: path.Root(), Rel: path.Rel(), Tool: p.Tool, Call: call,
		Added: p.Diff.Stats.Added, Removed: p.Diff.Stats.Removed}
	if p.Before != nil {
		c.Before = undo.StateOf(0, p.Before)
	}
	if !p.Remove {
		c.After = undo.StateOf(0, p.After)
	}
	private := env.MayRead != nil && env.MayRead(path.Match()) == approval.Deny
	env.History.Deny(c, p.Before, p.After, private)
}

// StoredEdits returns the file changes that one tool call of a stored conversation has made, and
// the denied changes of that call, from the undo history. A change has no hunks if its contents are
// no longer stored.
func StoredEdits(ctx context.Context, env Env, call string) (list []Edited) {
	if env.History == nil || call == "" {
		return nil
	}
	lines := 0
	changes := env.History.Changes()
	made := len(changes)
	for i, c := range append(changes, env.History.Denied()...) {
		if c.Call != call {
			continue
		}
		e := Edited{N: c.N, Path: c.Path(), New: !c.Before.Exists, Removed: !c.After.Exists, Denied: i >= made,
			Diff: diff.Diff{Stats: diff.Stats{Added: c.Added, Removed: c.Removed}}}
		if lines += c.Added + c.Removed; lines <= mostLines {
			if d, ok := storedDiff(ctx, env, c); ok {
				e.Diff = d
			}
		}
		list = append(list, e)
	}
	return list
}

// storedDiff returns the diff of a recorded change. ok is false if the content before or after it
// is no longer known, or a rule denies reading the file.
func storedDiff(ctx context.Context, env Env, c undo.Change) (d diff.Diff, ok bool) {
	p, err := env.Workspace.Resolve(c.Path())
	if err != nil || env.MayRead != nil && env.MayRead(p.Match()) == approval.Deny {
		return d, false
	}
	before, ok := storedContent(ctx, env, p, c.Before)
	if !ok {
		return d, false
	}
	after, ok := storedContent(ctx, env, p, c.After)
	if !ok {
		return d, false
	}
	return diff.Make(before, after, diff.Context), true
}

// storedContent returns the content that the file p had in a recorded state, from the undo history,
// or from the file itself if it is in that state now. ok is false if neither has it.
func storedContent(ctx context.Context, env Env, p workspace.Path, s undo.State) (data []byte, ok bool) {
	if !s.Exists {
		return nil, true
	}
	if data, err := env.History.Content(s); err == nil {
		return data, true
	}
	f, err := env.Workspace.Snapshot(ctx, p, pastFile)
	if err != nil || !f.Print.Exists || stateOf(f).Sum != s.Sum {
		return nil, false
	}
	return f.Data, true
}
