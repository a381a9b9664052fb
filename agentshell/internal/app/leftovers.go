package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// leftover is a copy of the workspace with changes of an agent that the user has not decided about.
type leftover struct {
	*isolation.Copy
	changes []isolation.Change
	err     error // Why the changes cannot be determined; nil if they are known.
}

// findLeftovers returns the copies of the workspace dir in which agents have left changes, and
// locks them. Copies without a change are removed.
func findLeftovers(ctx context.Context, store isolation.Store, dir string) (list []leftover) {
	for _, work := range store.Left(dir) {
		changes, err := work.Changes(ctx)
		switch {
		case ctx.Err() != nil:
			work.Release()
		case err == nil && len(changes) == 0:
			_ = work.Remove() // on failure, the next start removes it
		default:
			list = append(list, leftover{work, changes, err})
		}
	}
	return list
}

// about returns a phrase about the leftover, such as "Writer (3 files)".
func (l leftover) about() string {
	if l.err != nil {
		return fmt.Sprintf("%s (%v)", l.Agent, l.err)
	}
	return fmt.Sprintf("%s (%s)", l.Agent, countOf(len(l.changes), "file", "files"))
}

// leftLine returns a line that says which agents have left changes.
func leftLine(list []leftover) string {
	var names []string
	for _, l := range list {
		names = append(names, diff.Escape(l.about()))
	}
	return countOf(len(list), "agent", "agents") + " left work behind: " + strings.Join(names, ", ")
}

// releaseLeftovers unlocks the leftovers, so that the next start can ask about them.
func (r *project) releaseLeftovers() {
	for _, l := range r.left {
		l.Release()
	}
	r.left = nil
}

// leftoverOffer returns the question what to do with the changes that agents have left, or nil if
// there are none. who returns the approver that asks about each change.
func (c *conversation) leftoverOffer(ctx context.Context, who func() approval.Approver) *shell.Offer {
	if len(c.left) == 0 {
		return nil
	}
	var text strings.Builder
	for _, l := range c.left {
		patch, err := l.Patch(ctx, l.changes)
		fmt.Fprintf(&text, "%s, begun %s\n", l.about(), l.Began.Local().Format("2006-01-02 15:04"))
		if l.Description != "" {
			fmt.Fprintf(&text, "  %s\n", l.Description)
		}
		if err != nil {
			fmt.Fprintf(&text, "  %v\n", err)
		}
		fmt.Fprintf(&text, "\n%s\n", c.secrets.Redact(string(patch)))
	}
	return &shell.Offer{What: "the work that agents left behind", Files: len(c.left), Text: text.String(),
		Question: leftLine(c.left) + ". Yes: each change is shown, and asked for by itself. No: all of it is thrown " +
			"away. Esc: it stays.",
		Settle: func(ctx context.Context, yes bool) string {
			if yes {
				return c.applyLeftovers(ctx, who())
			}
			return c.discardLeftovers()
		}}
}

// applyLeftovers asks about each change that agents have left, and applies the approved ones. It
// returns a line for each agent.
func (c *conversation) applyLeftovers(ctx context.Context, who approval.Approver) string {
	var lines []string
	for _, l := range c.left {
		outcome, stopped := c.bringCopy(ctx, who, l.Copy, l.changes)
		lines = append(lines, l.Agent+": "+outcome.text())
		if stopped || l.err != nil {
			l.Release()
			lines = append(lines, "Not all was decided. "+whereLeft)
		} else if err := l.Remove(); err != nil {
			lines = append(lines, err.Error())
		}
	}
	c.left = nil
	return strings.Join(lines, "\n")
}

// discardLeftovers removes the changes that agents have left, and returns a line that says so.
func (c *conversation) discardLeftovers() string {
	line := "What agents left behind is thrown away."
	for _, l := range c.left {
		if err := l.Remove(); err != nil {
			line += " " + err.Error()
		}
	}
	c.left = nil
	return line
}

// LeftoverOptions holds the options of `agentshell leftovers`.
type LeftoverOptions struct {
	Agent     string `arg:"" optional:"" help:"The agent. Default: all."`
	Show      bool   `help:"Print the changes as a patch."`
	Discard   bool   `help:"Discard the changes."`
	Workspace string `placeholder:"DIR" default:"." help:"The workspace. Default: the current directory."`
}

// Leftovers handles `agentshell leftovers [AGENT] [--show|--discard]`: it lists, shows or discards
// the changes that agents have left in copies of the workspace. The shell asks about them when it
// starts.
func (p Host) Leftovers(ctx context.Context, f LeftoverOptions) (int, error) {
	dir, err := realPath(f.Workspace)
	if err != nil {
		return 0, UsageErrorf("--workspace: %w", err)
	}
	p.family.Programs.Exclude(dir)
	list := findLeftovers(ctx, p.copies(), dir)
	defer (&project{left: list}).releaseLeftovers()
	if f.Agent != "" {
		if list = slices.DeleteFunc(slices.Clone(list), func(l leftover) bool {
			return !strings.EqualFold(l.Agent, f.Agent)
		}); len(list) == 0 {
			return 0, UsageErrorf("no agent %q left work behind in this workspace", f.Agent)
		}
	}
	if len(list) == 0 {
		PrintLine(p.Stdout, "No agent left work behind in this workspace.")
	}
	var errs []error
	for _, l := range list {
		switch {
		case f.Discard:
			errs = append(errs, l.Remove())
		case f.Show:
			patch, err := l.Patch(ctx, l.changes)
			errs = append(errs, l.err, err)
			PrintLine(p.Stdout, "%s", visibleText(string(patch)))
		default:
			PrintLine(p.Stdout, "%s  %s  %s", l.Began.Local().Format("2006-01-02 15:04"), visibleText(l.about()),
				l.Dir())
		}
	}
	return headless.ExitDone, errors.Join(errs...)
}

// leftoverFindings reports, for the doctor, the changes that agents have left in copies of the
// workspace.
func (p Host) leftoverFindings(ctx context.Context, dir string) (list []finding) {
	left := findLeftovers(ctx, p.copies(), dir)
	defer (&project{left: left}).releaseLeftovers()
	if len(left) > 0 {
		list = append(list, finding{About: "files", Name: "agents", Value: leftLine(left),
			Advice: "The shell asks about it at its start. agentshell leftovers lists, shows and discards it."})
	}
	return list
}
