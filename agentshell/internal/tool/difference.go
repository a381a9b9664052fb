package tool

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Difference is what a session has changed in a file: from its content before the session's first
// change of it to its content now. Secrets are removed from both.
type Difference struct {
	Path             string // untrusted text
	Created, Removed bool
	Before, After    []byte
	Diff             diff.Diff
	Problem          string // why there is no diff; "": there is one
}

// Differences compares each file that was changed in the session of env.History with what it was
// before, in the order of the first changes. What others have changed in such a file is in it, too.
// Files that are as they were are left out.
func Differences(ctx context.Context, env Env) (list []Difference) {
	if env.History == nil {
		return nil
	}
	for _, plan := range env.History.RewindPlans(0) {
		d := Difference{Path: plan.Change.Path(), Created: !plan.Target.Exists}
		now, err := contentNow(ctx, env, plan.Change.Root, plan.Change.Rel)
		d.Removed = err == nil && !now.Print.Exists
		switch {
		case plan.Target.Exists && plan.Data == nil && plan.Err != nil:
			d.Problem = plan.Err.Error()
		case err != nil:
			d.Problem = err.Error()
		case d.Created && d.Removed:
			continue
		case workspace.Sniff(plan.Data) == workspace.Binary || workspace.Sniff(now.Data) == workspace.Binary:
			d.Problem = "its content is binary"
		default:
			d.Before = []byte(env.Secrets.Redact(string(plan.Data)))
			d.After = []byte(env.Secrets.Redact(string(now.Data)))
			d.Diff = diff.Make(d.Before, d.After, diff.Context)
			if d.Diff.Identical() && !d.Created && !d.Removed {
				continue
			}
		}
		list = append(list, d)
	}
	return list
}

// contentNow returns a file of the workspace as it is now.
func contentNow(ctx context.Context, env Env, root, rel string) (workspace.File, error) {
	p, err := env.Workspace.Find(root, rel)
	if err != nil {
		return workspace.File{}, err
	}
	return env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
}
