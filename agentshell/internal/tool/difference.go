package tool

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Difference describes how a file has changed in a session: from its content before the session's
// first change to its content now. Secrets are removed from both.
type Difference struct {
	Path             string // Path is the path of the file. It is untrusted text.
	Created, Removed bool
	// Before and After are the old and the new content; nil if Problem is set.
	Before, After []byte
	Diff          diff.Diff
	Problem       string // Problem is the reason why there is no diff; "": there is one.
}

// Differences returns the differences of all files that were changed in the session of env.History,
// in the order of their first changes. Changes that other programs have made to these files are
// included. Files that have their original content again are left out.
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

// contentNow returns a file of the workspace with its present content.
func contentNow(ctx context.Context, env Env, root, rel string) (workspace.File, error) {
	p, err := env.Workspace.Find(root, rel)
	if err != nil {
		return workspace.File{}, err
	}
	return env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
}
