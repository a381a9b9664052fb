package tool

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// undoName is the tool name of calls that undo an earlier change. The model has no such tool: only
// the user starts an undo.
const undoName = "undo"

// Undo prepares a call that undoes change number n of env.History, 0 for the last change. Only the
// user starts it. The call has a Proposal unless the file has its earlier content already. Undo
// returns a conflict error if the file is not in the state in which the change left it.
func Undo(ctx context.Context, env Env, id string, n int) (Call, error) {
	if env.History == nil {
		return Call{}, failed("this session keeps no changes")
	}
	plan, err := env.History.Plan(n)
	if err != nil {
		return Call{}, failed("%v", err)
	}
	return takeBack(ctx, env, id, plan)
}

// Return describes one file that a rewind of the conversation restores to its earlier content.
type Return struct {
	Path string // Path is the file's path for display.
	// Prepare prepares the call that restores the file, as [Undo] does for one change.
	Prepare func(ctx context.Context, id string) (Call, error)
}

// Rewind returns the files that were changed after change number n of env.History. The Prepare
// function of each restores the content that the file had after change n. It returns a conflict
// error if somebody else has changed the file since.
func Rewind(env Env, n int) (list []Return) {
	if env.History == nil {
		return nil
	}
	for _, r := range env.History.RewindPlans(n) {
		path := r.Change.Path()
		prepare := func(ctx context.Context, id string) (Call, error) {
			for _, r := range env.History.RewindPlans(n) { // it may be asked again, later
				switch {
				case r.Change.Path() != path:
				case r.Err != nil:
					return Call{}, &Error{Code: "conflict", Text: r.Err.Error()}
				default:
					return takeBack(ctx, env, id, r.Plan)
				}
			}
			return Call{}, failed("%s is what it was then", path)
		}
		list = append(list, Return{Path: diff.Escape(r.Change.Rel), Prepare: prepare})
	}
	return list
}

// takeBack prepares the call that carries out an undo plan. It returns a conflict error if the file
// is not in the state that the plan expects.
func takeBack(ctx context.Context, env Env, id string, plan undo.Plan) (Call, error) {
	p, err := env.Workspace.Find(plan.Change.Root, plan.Change.Rel)
	if err != nil {
		return Call{}, err
	}
	f, err := loadTarget(ctx, env, env.Workspace.Abs(p))
	if err != nil {
		return Call{}, err
	}
	if f.Path != p {
		return Call{}, &workspace.Error{Kind: workspace.Conflict, Path: p.String()}
	}
	now := stateOf(f)
	if now == plan.Target && now != plan.Expected {
		text := fmt.Sprintf("%s is as it was before change %d already; nothing was written.", shown(p), plan.Change.N)
		return Call{Title: undoName + " " + shown(p), Path: p.Match(),
			Run: func(context.Context, func(string)) (Result, error) {
				return Result{Text: text, Summary: "(no changes)", Detail: "(no changes)"}, nil
			}}, nil
	}
	if now != plan.Expected {
		return Call{},
			&Error{Code: "conflict",
				Text: fmt.Sprintf("%s is not what change %d left: %s. Nothing was undone, so that the newer content "+
					"is not lost.", shown(p), plan.Change.N, differs(now, plan.Expected))}
	}
	c := change{env: env, call: id, tool: undoName, file: f, asked: env.Workspace.Abs(p), after: plan.Data,
		target: wholeFile{}, undoes: plan.Change.N}
	switch {
	case !plan.Target.Exists && !f.Print.Exists:
		return Call{}, failed("%s is not there, as before change %d", shown(p), plan.Change.N)
	case !plan.Target.Exists:
		c.target, c.after = removal{prune: plan.Change.CreatedParents()}, nil
	case !f.Print.Exists:
		c.target = wholeFile{mode: plan.Target.Mode}
		c.notes = append(c.notes, fmt.Sprintf("mode %04o", plan.Target.Mode.Perm()))
	}
	for _, with := range plan.AlsoUndone {
		c.notes = append(c.notes, fmt.Sprintf("change %d goes with it", with))
	}
	c.payload = func(after []byte, s assessment) approval.Payload { return undoPayload(c, plan, s) }
	c.result = func(r workspace.Receipt, s assessment) Result { return undoResult(plan, r, s) }
	return c.prepare()
}

// differs returns a clause that says how the present state of a file differs from the expected one,
// for an error message.
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

// stateOf returns the existence, mode and checksum of a loaded file, as the undo history records
// them.
func stateOf(f workspace.File) undo.State {
	if !f.Print.Exists {
		return undo.State{}
	}
	return undo.StateOf(f.Print.Mode, f.Data)
}

// undoPayload returns the payload of the proposal for an undo.
func undoPayload(c change, plan undo.Plan, s assessment) approval.Payload {
	p := c.file.Path
	what := "change"
	switch {
	case c.removes():
		what = "remove"
	case !c.file.Print.Exists:
		what = "create"
	}
	line := fmt.Sprintf("Undo change %d: %s %s", plan.Change.N, what, shown(p))
	if n := s.diff.Stats; n.Hunks > 0 {
		line += fmt.Sprintf(", %s added, %s removed", count(n.Added, "line"), count(n.Removed, "line"))
	}
	with := plan.AlsoUndone
	if with == nil {
		with = []int{}
	}
	dirs := []string{}
	if gone, is := c.target.(removal); is {
		for _, dir := range gone.prune {
			dirs = append(dirs, diff.Escape(dir))
		}
	}
	return approval.Undo{
		Dirs:   dirs,
		Base:   approval.Base{Kind: "undo", Description: line, Path: p.String(), Sandbox: p.Root()},
		Change: plan.Change.N, With: with, FileExists: c.file.Print.Exists, Removes: c.removes(),
		UnifiedDiff: s.unified, DiffLines: diff.CountLines(s.unified), BaseFingerprint: c.file.Print.String(),
		Flags: s.names,
	}
}

// undoResult returns the result of an undo.
func undoResult(plan undo.Plan, r workspace.Receipt, s assessment) Result {
	name := r.Path.Match() // as the model names it
	text := fmt.Sprintf("Undid change %d of %s: the file is as it was before, %s.", plan.Change.N, name,
		count(s.diff.NewLines, "line"))
	summary := fmt.Sprintf("+%d -%d", s.diff.Stats.Added, s.diff.Stats.Removed)
	switch {
	case r.Removed:
		text = fmt.Sprintf("Undid change %d of %s: the file, which it had created, is removed.",
			plan.Change.N, name)
		summary = "removed"
	case s.revised:
		text = fmt.Sprintf("Undid a part of change %d of %s.", plan.Change.N, name)
	}
	return Result{Text: text, Summary: summary}
}

// entry returns the history record of a change that has not been written yet. The mode of a new
// file and the list of created directories are estimates, which keep corrects.
func (c change) entry(s assessment) undo.Change {
	now := time.Now
	if c.env.Now != nil {
		now = c.env.Now
	}
	p := c.file.Path
	e := undo.Change{
		Time: now().UTC(), Root: p.Root(), Rel: p.Rel(), Tool: c.tool, Call: c.call, Added: s.diff.Stats.Added,
		Removed: s.diff.Stats.Removed,
		Before:  stateOf(c.file), Undoes: c.undoes,
	}
	if !c.removes() {
		e.After = undo.StateOf(c.file.Print.Mode, c.whole)
	}
	if c.revision != "" { // then the file is not what it was before
		e.Undoes = 0
	}
	if at := path.Dir(p.Rel()); !c.file.Print.Exists {
		for ; at != "." && at != c.file.Print.Dir.Rel; at = path.Dir(at) {
			e.Dirs = append(e.Dirs, at)
		}
		slices.Reverse(e.Dirs)
	}
	return e
}

// private reports whether the history must not store the old content on disk, because a rule denies
// the model to read the file.
func (c change) private() bool {
	return c.env.MayRead != nil && c.env.MayRead(c.file.Path.Match()) == approval.Deny
}

// begin announces the change to the undo history before it is written, so that a crash in between
// can be noticed: see [Settle].
func (c change) begin(s assessment) {
	if h := c.env.History; h != nil {
		h.Begin(c.entry(s), c.file.Data, c.private())
	}
}

// keep completes the history's record after an attempt to write the change. If made is true, it
// records the change and tells other sessions and agents of it, else it drops the announcement.
func (c change) keep(r workspace.Receipt, s assessment, made bool) {
	h := c.env.History
	if made {
		c.env.noteChange(c.file.Path)
	}
	switch {
	case h == nil:
		return
	case !made:
		h.Drop()
		return
	}
	e := c.entry(s)
	if r.Print.Exists {
		e.After.Mode = r.Print.Mode
	}
	if e.Dirs = nil; r.Created {
		for _, dir := range r.Dirs {
			e.Dirs = append(e.Dirs, strings.TrimPrefix(dir, e.Root+"/"))
		}
	}
	h.Add(e, c.file.Data, c.private())
}

// Settle handles a change that a session had announced when it was killed. If the file has the
// announced new content, and had not before, Settle adds the change to env.History and returns
// true. Otherwise it drops the announcement.
func Settle(ctx context.Context, env Env, c undo.Change) (made bool) {
	p, err := env.Workspace.Find(c.Root, c.Rel)
	if err != nil {
		return false
	}
	f, err := loadTarget(ctx, env, env.Workspace.Abs(p))
	if err != nil || f.Path != p {
		return false
	}
	now := stateOf(f)
	if now.Exists != c.After.Exists || now.Sum != c.After.Sum ||
		now.Exists == c.Before.Exists && now.Sum == c.Before.Sum {
		env.History.Drop()
		return false
	}
	c.After = now // a new file has its mode from the system
	env.History.AddRecovered(c)
	return true
}
