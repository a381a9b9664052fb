package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// bringCopy applies the changes that an agent has made in a copy of the workspace to the workspace,
// after questions. If the user has configured that and it is possible, they are merged as a git
// branch, else file by file. stopped says that not all changes were decided.
func (c *conversation) bringCopy(ctx context.Context, who approval.Approver, work *isolation.Copy,
	changes []isolation.Change) (out broughtBack, stopped bool) {
	if c.cfg.Agents.Merge != "branch" || who == nil {
		return c.bring(ctx, who, work.Agent, changes)
	}
	m, err := work.PrepareMerge(ctx, changes)
	if err == nil {
		err = c.mayMerge(m)
	}
	if err != nil {
		out, stopped = c.bring(ctx, who, work.Agent, changes)
		why := "The changes were not merged as a branch: " + diff.Escape(err.Error()) + "."
		out.aside = append([]string{why}, out.aside...)
		return out, stopped
	}
	return c.merge(ctx, who, work.Agent, m)
}

// mayMerge returns an error if an approval rule or the mode denies the change of a file of the
// merge.
func (c *conversation) mayMerge(m *isolation.Merge) error {
	for _, change := range m.Changes {
		s := approval.Subject{Tool: tool.BringName, Path: change.Path, Mutates: true, Asks: true}
		if c.policy.Decide(s).Action == approval.Deny {
			return fmt.Errorf("a change of %s is not allowed", change.Path)
		}
	}
	return nil
}

// merge asks the user about a merge as a whole. After a yes it writes the files and makes the merge
// commit.
func (c *conversation) merge(ctx context.Context, who approval.Approver, agent string,
	m *isolation.Merge) (out broughtBack, stopped bool) {
	out.agent, out.kept = agent, c.log != nil
	line := fmt.Sprintf("Merge %s into %s, %s", m.Branch, m.Into, countOf(len(m.Changes), "file", "files"))
	p := &approval.Proposal{ID: rand.Text(), Tool: "merge", Fixed: true,
		Subject: approval.Subject{Tool: "merge", Mutates: true, Asks: true},
		Payload: approval.Merge{Base: approval.Base{Kind: "merge", Description: line, Sandbox: c.ws.Default()},
			Branch: m.Branch, Into: m.Into, Files: len(m.Changes), UnifiedDiff: c.secrets.Redact(string(m.Patch))},
		Notes: []string{"the branch gets a merge commit; what you have not committed stays as it is"}}
	for _, change := range m.Changes {
		out.addRisk(c, p, change)
	}
	answer, err := who.Ask(ctx, p)
	yes, is := answer.(approval.Yes)
	_, stop := answer.(approval.Stop)
	switch {
	case err != nil || stop || ctx.Err() != nil:
		return out, true
	case !is || yes.ID != p.ID:
		out.aside = append(out.aside, fmt.Sprintf("The user did not want %s merged.", m.Branch))
		return out, false
	}
	out, stopped = c.bring(ctx, shownMerge{c.ws.Default(), m}, agent, m.Changes)
	if len(out.changed) < len(m.Changes) || stopped {
		out.aside = append(out.aside, m.Branch+" was not merged, since not all of its files could be written.")
		return out, stopped
	}
	id, err := m.Commit(context.WithoutCancel(ctx))
	if err != nil {
		out.aside = append(out.aside, fmt.Sprintf("%s was not merged: %s.", m.Branch, diff.Escape(err.Error())))
		return out, false
	}
	out.merged = fmt.Sprintf("Merged %s into %s as %.9s.", m.Branch, m.Into, id)
	return out, false
}

// addRisk adds a flag to the proposal p if the changed file is one that programs run.
func (b *broughtBack) addRisk(c *conversation, p *approval.Proposal, change isolation.Change) {
	path, err := c.ws.Find(c.ws.Default(), change.Path)
	if err != nil || change.After == nil {
		return
	}
	if why := c.ws.RunsCode(path, change.Path, change.After.Mode); why != "" {
		p.Flags = append(p.Flags, approval.Flag{Name: approval.FlagRunsCode,
			Text: diff.Escape(change.Path) + ": " + why})
	}
}

// shownMerge approves the files of a merge that the user has approved as a whole. It approves only
// the exact contents that the user has seen.
type shownMerge struct {
	// The name of the workspace in the paths of proposals.
	root string
	*isolation.Merge
}

// Ask implements [approval.Approver]: it approves exactly the files of the merge, and denies
// everything else.
func (s shownMerge) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	for _, change := range s.Changes {
		if p.Path != s.root+"/"+change.Path || p.Flagged(approval.FlagConflict) {
			continue
		}
		if change.After == nil && p.Remove ||
			change.After != nil && !p.Remove && bytes.Equal(p.After, change.After.Data) {
			return approval.Yes{ID: p.ID}, nil
		}
	}
	return approval.No{ID: p.ID}, errors.New("it is not what was shown")
}
