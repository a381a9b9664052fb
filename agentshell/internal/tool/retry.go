package tool

import (
	"bytes"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// InPlaceOf returns c in a form that can run instead of the call outdated. Both were prepared from
// the same input, but the file has changed after outdated was prepared, and the user has not been
// shown its proposal. The returned call reverts no change of another program: an edit must not
// touch lines that others have changed, and a whole new text is merged with the file. If that is
// impossible, InPlaceOf returns a conflict error.
func (c Call) InPlaceOf(outdated Call) (Call, error) {
	was, now := outdated.Proposal, c.Proposal
	conflict := &workspace.Error{Kind: workspace.Conflict, Path: outdated.Path}
	switch {
	case was == nil || c.Path != outdated.Path:
		return Call{}, conflict
	case now == nil: // others have made the same change
		return c, nil
	case was.Path != now.Path || was.Remove || now.Remove || (was.Before == nil) != (now.Before == nil):
		return Call{}, conflict
	case bytes.Equal(was.Before, now.Before): // something else of the file has changed
		return c, nil
	case c.merge == nil || isBinary(was.Before, was.After, now.Before):
		return Call{}, conflict
	}
	if _, edit := now.Payload.(approval.Edit); edit {
		theirs := diff.Make(was.Before, now.Before, 0)
		if !apart(theirs.Hunks, now.Diff.Hunks) {
			return Call{}, conflict
		}
		return c.merge(now.After)
	}
	after, clean := diff.Merge(was.Before, was.After, now.Before)
	if !clean {
		return Call{}, conflict
	}
	return c.merge(after)
}

// isBinary reports whether one of the contents is binary.
func isBinary(texts ...[]byte) bool {
	for _, text := range texts {
		if workspace.Sniff(text) == workspace.Binary {
			return true
		}
	}
	return false
}

// apart reports whether my hunks change none of the lines that their hunks have written. The old
// file of mine is the new file of theirs.
func apart(theirs, mine []diff.Hunk) bool {
	for _, t := range theirs {
		from, to := t.NewStart-1, t.NewStart-1+t.NewLines
		if t.NewLines == 0 {
			from, to = t.NewStart, t.NewStart
		}
		for _, m := range mine {
			for _, r := range changedRanges(m) {
				empty := from == to || r.from == r.to // its place among new lines would be a guess
				if r.from < to && from < r.to || empty && r.from <= to && from <= r.to {
					return false
				}
			}
		}
	}
	return true
}

// lineRange is a half-open range of lines, counted from 0.
type lineRange struct{ from, to int }

// changedRanges returns the ranges of lines in the old text that a hunk changes, without its
// context lines. A range is empty if lines are only added.
func changedRanges(h diff.Hunk) (list []lineRange) {
	at := h.OldStart - 1
	if h.OldLines == 0 {
		at = h.OldStart
	}
	changing := false
	for _, l := range h.Lines {
		if l.Op == diff.Equal {
			at, changing = at+1, false
			continue
		}
		if !changing {
			list, changing = append(list, lineRange{at, at}), true
		}
		if l.Op == diff.Delete {
			at++
			list[len(list)-1].to = at
		}
	}
	return list
}
