package tool

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// BringName is the tool name under which rules and modes see a change that a subagent has made in a
// copy of the workspace.
const BringName = "write_file"

// Bring returns the files that the subagent by has changed in a copy of the workspace. The Prepare
// function of each prepares the same change of the workspace. Files come first in which the
// workspace has changed the same lines meanwhile. aside holds a sentence for each change that
// cannot be proposed, such as that of a link.
func Bring(ctx context.Context, env Env, by string, changes []isolation.Change) (list []Return, aside []string) {
	var conflicting, others []Return
	for _, change := range changes {
		b := brought{env: env, by: by, Change: change}
		text, proposed := b.aside()
		if text != "" {
			aside = append(aside, text)
		}
		if !proposed {
			continue
		}
		r := Return{Path: diff.Escape(change.Path), Prepare: b.prepare}
		if call, err := b.prepare(ctx, ""); err != nil || call.Proposal != nil &&
			call.Proposal.Flagged(approval.FlagConflict) {
			conflicting = append(conflicting, r)
			continue
		}
		others = append(others, r)
	}
	return slices.Concat(conflicting, others), aside
}

// brought is one file change that a subagent has made in a copy of the workspace.
type brought struct {
	env Env
	// by is the name of the subagent.
	by string
	isolation.Change
}

// isLink reports whether s is the state of a symbolic link.
func isLink(s *isolation.State) bool { return s != nil && s.Mode&fs.ModeSymlink != 0 }

// aside returns a sentence about the part of the change that cannot be proposed, or "". proposed
// says whether something is left to propose.
func (b brought) aside() (text string, proposed bool) {
	name := diff.Escape(b.Path)
	switch {
	case isLink(b.After):
		return fmt.Sprintf("%s is a link to %s in the copy; links are not made here.", name,
			diff.Escape(string(b.After.Data))), false
	case isLink(b.Before) && b.After == nil:
		return fmt.Sprintf("%s, a link, is gone in the copy; links are not removed here.", name), false
	case isLink(b.Before):
		return fmt.Sprintf("%s, a link, is a file in the copy; links are not replaced here.", name), false
	case b.Before == nil || b.After == nil || b.Before.Mode == b.After.Mode:
		return "", true
	}
	sign := "+x"
	if b.After.Mode&0o111 == 0 {
		sign = "-x"
	}
	return fmt.Sprintf("%s: chmod %s makes its mode that of the copy.", name, sign),
		!bytes.Equal(b.Before.Data, b.After.Data)
}

// prepare prepares the change for the workspace file in its present state.
func (b brought) prepare(ctx context.Context, id string) (Call, error) {
	p, err := b.env.Workspace.Find(b.env.Workspace.Default(), b.Path)
	if err != nil {
		return Call{}, err
	}
	f, err := loadTarget(ctx, b.env, b.env.Workspace.Abs(p))
	if err != nil {
		return Call{}, err
	}
	if f.Path != p { // a link leads elsewhere by now
		return Call{}, &workspace.Error{Kind: workspace.Conflict, Path: p.String()}
	}
	c := change{env: b.env, call: id, tool: BringName, file: f, asked: b.env.Workspace.Abs(p), target: wholeFile{}}
	c.payload = func(after []byte, s assessment) approval.Payload { return c.writePayload(after, s) }
	c.result = func(r workspace.Receipt, s assessment) Result { return c.writeResult(r, s) }
	if b.After == nil {
		return b.remove(c)
	}
	return b.write(c)
}

// remove prepares the deletion of a file. It returns a conflict error if the workspace has changed
// the file since the copy was made.
func (b brought) remove(c change) (Call, error) {
	switch f := c.file; {
	case !f.Print.Exists:
		return b.already(c, "is not there any more")
	case !bytes.Equal(f.Data, b.Before.Data):
		return Call{}, b.conflict("%s has removed it, and the workspace has changed it since", b.by)
	}
	c.target = removal{}
	c.payload = func(_ []byte, s assessment) approval.Payload {
		line := fmt.Sprintf("Remove %s, as %s did in its copy", shown(c.file.Path), b.by)
		return approval.Undo{Dirs: []string{}, With: []int{}, FileExists: true, Removes: true,
			Base: approval.Base{Kind: approval.KindRemove, Description: line, Path: c.file.Path.String(),
				Sandbox: c.file.Path.Root()},
			UnifiedDiff: s.unified, DiffLines: diff.CountLines(s.unified), BaseFingerprint: c.file.Print.String(),
			Flags: s.names}
	}
	c.result = func(r workspace.Receipt, _ assessment) Result {
		return Result{Text: fmt.Sprintf("Removed %s.", r.Path), Summary: "removed"}
	}
	c.risks = append(c.risks, approval.Flag{Name: approval.FlagRemoved, Text: "the file is removed"})
	return c.prepare()
}

// write prepares a write of the file's content in the copy, merged with the changes that the
// workspace has made since.
func (b brought) write(c change) (Call, error) {
	f := c.file
	c.after = b.After.Data
	switch {
	case f.Print.Exists && bytes.Equal(f.Data, b.After.Data):
		return b.already(c, "has this content")
	case f.Print.Exists && b.Before != nil && bytes.Equal(f.Data, b.Before.Data):
	case !f.Print.Exists && b.Before == nil:
		if b.After.Mode&0o111 != 0 {
			c.target = wholeFile{mode: b.After.Mode}
			c.notes = append(c.notes, fmt.Sprintf("mode %04o", b.After.Mode.Perm()))
		}
	case !f.Print.Exists:
		return Call{}, b.conflict("%s has changed it, and it was removed in the workspace since", b.by)
	default:
		var before []byte
		if b.Before != nil {
			before = b.Before.Data
		}
		if isBinary(before, f.Data, b.After.Data) {
			return Call{}, b.conflict("%s and the workspace have both changed it, and it is no text", b.by)
		}
		b.merge(&c, before)
	}
	return c.prepare()
}

// merge sets the new content of a file that both the copy and the workspace have changed. If they
// have changed the same lines, both versions stand between conflict markers, and a warning is
// added.
func (b brought) merge(c *change, before []byte) {
	text, conflicts := diff.MergeMarked(before, c.file.Data, b.After.Data, "workspace", b.by)
	c.after = text
	if len(conflicts) == 0 {
		c.notes = append(c.notes, "merged with what the workspace has changed since the copy was made")
		return
	}
	var places []string
	for _, at := range conflicts {
		places = append(places, fmt.Sprintf("%d-%d", at.First, at.Last))
	}
	c.risks = append(c.risks, approval.Flag{Name: approval.FlagConflict, Text: fmt.Sprintf("conflict: the workspace "+
		"and %s have changed the same lines; both stand between marks, in lines %s", b.by,
		strings.Join(places, ", "))})
}

// conflict returns the error for a file that cannot be merged.
func (b brought) conflict(format string, a ...any) error {
	return &Error{Code: "conflict", Text: fmt.Sprintf("%s: ", diff.Escape(path.Clean(b.Path))) +
		fmt.Sprintf(format, a...) + ". It was left as it is."}
}

// already returns a call that does nothing, for a file that already has the wanted state.
func (b brought) already(c change, how string) (Call, error) {
	text := fmt.Sprintf("%s %s; nothing was written.", shown(c.file.Path), how)
	return Call{Title: BringName + " " + shown(c.file.Path), Path: c.file.Path.Match(),
		Run: func(context.Context, func(string)) (Result, error) {
			return Result{Text: text, Summary: "(no changes)", Detail: "(no changes)"}, nil
		}}, nil
}
