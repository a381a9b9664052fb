package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/undo"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// undoName is the tool of a change that takes another one back. No model can call it.
const undoName = "undo"

// Undo prepares to take back change n of env.History, 0 for the last one: a person's own gesture. What it gives has a Proposal, or, where the
// file has that content already, nothing to ask. A file that is not what the session left is not touched.
func Undo(ctx context.Context, env Env, id string, n int) (Call, error) {
	if env.History == nil {
		return Call{}, failed("no changes are kept in this session")
	}
	plan, err := env.History.Plan(n)
	if err != nil {
		return Call{}, failed("%v", err)
	}
	p, err := env.Workspace.Find(plan.Change.Root, plan.Change.Rel)
	if err != nil {
		return Call{}, err
	}
	f, err := load(ctx, env, env.Workspace.Abs(p))
	if err != nil {
		return Call{}, err
	}
	if f.Path != p {
		return Call{}, &workspace.Error{Kind: workspace.Conflict, Path: p.String()}
	}
	if now := stateOf(f); now != plan.Now {
		return Call{}, &Error{Code: "conflict", Text: fmt.Sprintf("%s is not what change %d left: %s. Nothing was done; what stands in it now is not ours to take away.", shown(p), plan.Change.N, differs(now, plan.Now))}
	}
	c := change{env: env, call: id, tool: undoName, file: f, asked: env.Workspace.Abs(p), after: plan.Data, undoes: plan.Change.N}
	switch {
	case !plan.To.Exists && !f.Print.Exists:
		return Call{}, failed("%s is not there, as before change %d", shown(p), plan.Change.N)
	case !plan.To.Exists:
		c.remove, c.after, c.prune = true, nil, plan.Change.Below()
	case !f.Print.Exists:
		c.mode = plan.To.Mode
		c.notes = append(c.notes, fmt.Sprintf("mode %04o", plan.To.Mode.Perm()))
	}
	for _, with := range plan.With {
		c.notes = append(c.notes, fmt.Sprintf("change %d goes with it", with))
	}
	c.payload = func(after []byte, s sheet) approval.Payload { return undoPayload(c, plan, s) }
	c.result = func(r workspace.Receipt, s sheet) Result { return undoResult(plan, r, s) }
	return c.prepare()
}

// differs says in what a file is not as expected.
func differs(now, want undo.State) string {
	switch {
	case !now.Exists:
		return "it was removed since"
	case !want.Exists:
		return "somebody made it since"
	case now.Sum == want.Sum:
		return fmt.Sprintf("its mode was changed since, from %04o to %04o", want.Mode.Perm(), now.Mode.Perm())
	}
	return "it was changed since, by a command or another program"
}

func stateOf(f workspace.File) undo.State {
	if !f.Print.Exists {
		return undo.State{}
	}
	return undo.StateOf(f.Print.Mode, f.Data)
}

func undoPayload(c change, plan undo.Plan, s sheet) approval.Payload {
	p := c.file.Path
	what := "change"
	switch {
	case c.remove:
		what = "remove"
	case !c.file.Print.Exists:
		what = "create"
	}
	line := fmt.Sprintf("Undo change %d: %s %s", plan.Change.N, what, shown(p))
	if n := s.diff.Stats; n.Hunks > 0 {
		line += fmt.Sprintf(", %s added, %s removed", count(n.Added, "line"), count(n.Removed, "line"))
	}
	with := plan.With
	if with == nil {
		with = []int{}
	}
	dirs := []string{}
	for _, dir := range c.prune {
		dirs = append(dirs, diff.Escape(dir))
	}
	return approval.Undo{
		Dirs:   dirs,
		Base:   approval.Base{Kind: "undo", Description: line, Path: p.String(), Sandbox: p.Root()},
		Change: plan.Change.N, With: with, FileExists: c.file.Print.Exists, Removes: c.remove,
		UnifiedDiff: s.unified, DiffLines: diff.CountLines(s.unified), BaseFingerprint: c.file.Print.String(), Flags: s.names,
	}
}

func undoResult(plan undo.Plan, r workspace.Receipt, s sheet) Result {
	text := fmt.Sprintf("Took back change %d of %s: the file is as it was before, %s.", plan.Change.N, r.Path, count(s.diff.NewLines, "line"))
	summary := fmt.Sprintf("+%d -%d", s.diff.Stats.Added, s.diff.Stats.Removed)
	switch {
	case r.Removed:
		text = fmt.Sprintf("Took back change %d of %s: the file, which it had created, is removed.", plan.Change.N, r.Path)
		summary = "removed"
	case s.revised:
		text = fmt.Sprintf("Took back a part of change %d of %s.", plan.Change.N, r.Path)
	}
	return Result{Text: text, Summary: summary}
}

// keep tells the history of a commit. What was displaced stays off the disk if the model may not read it.
func (c change) keep(r workspace.Receipt, s sheet) {
	h := c.env.History
	if h == nil {
		return
	}
	now := time.Now
	if c.env.Now != nil {
		now = c.env.Now
	}
	p := c.file.Path
	entry := undo.Change{
		Time: now().UTC(), Root: p.Root(), Rel: p.Rel(), Tool: c.tool, Added: s.diff.Stats.Added, Removed: s.diff.Stats.Removed,
		Before: stateOf(c.file), Undoes: c.undoes,
	}
	if r.Print.Exists {
		entry.After = undo.StateOf(r.Print.Mode, c.after)
	}
	if c.revision != "" { // then the file is not what it was before
		entry.Undoes = 0
	}
	if r.Created {
		for _, dir := range r.Dirs {
			entry.Dirs = append(entry.Dirs, strings.TrimPrefix(dir, p.Root()+"/"))
		}
	}
	h.Add(entry, c.file.Data, c.env.MayRead != nil && c.env.MayRead(p.Match()) == approval.Deny)
}
