package tool

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// revise returns the call for the same change with content that the user has chosen instead of the
// proposed one. If the content consists of some of the proposed hunks, the model is told how many
// of them were chosen, else that the user has edited the proposal.
func (c change) revise(after []byte, proposed diff.Diff) (Call, error) {
	r := c
	if c.revision != "" {
		proposed = c.proposed
	}
	r.proposed = proposed
	r.after = slices.Clone(after)
	if r.after == nil {
		r.after = []byte{}
	}
	if bytes.Equal(after, c.after) {
		return r.prepare()
	}
	r.revision = "edited by the user"
	before, _ := c.before()
	if workspace.Sniff(before) != workspace.Binary && workspace.Sniff(after) != workspace.Binary {
		if n, chosen := chosenHunks(proposed, diff.Make(before, after, diff.Context)); chosen {
			r.revision = fmt.Sprintf("%d of %s chosen", n, count(len(proposed.Hunks), "hunk"))
		}
	}
	return r.prepare()
}

// merged is the note for a change whose content includes what another program has written.
const merged = "merged with what another program wrote meanwhile"

// merge returns the call for the same change with the content after, into which the changes of
// another program have been merged.
func (c change) merge(after []byte) (Call, error) {
	c.after = after
	c.notes = append(slices.Clip(c.notes), merged)
	return c.prepare()
}

// rebase returns the call that writes the user's edited proposal to the file as it is now. It
// merges the text with the changes of other programs if that is possible line by line. Otherwise
// the text stays as it is, and its diff shows which of those changes it reverts. The proposal
// becomes one to write the whole file, whatever the model had called.
func (c change) rebase(ctx context.Context) (Call, error) {
	f, err := loadTarget(ctx, c.env, c.asked)
	if err != nil {
		return Call{}, err
	}
	if f.Path != c.file.Path {
		return Call{}, &workspace.Error{Kind: workspace.Conflict, Path: c.file.Path.String()}
	}
	r := c
	r.file, r.proposed = f, diff.Diff{}
	r.payload, r.result = r.writePayload, r.writeResult
	r.revision = "edited by the user"
	const alone = "another program changed the file meanwhile: this takes its changes back"
	r.notes = slices.DeleteFunc(slices.Clone(c.notes), func(n string) bool { return n == merged || n == alone })
	after, clean := diff.Merge(c.file.Data, c.after, f.Data)
	switch {
	case c.file.Print.Exists && f.Print.Exists && clean:
		r.after = after
		r.notes = append(r.notes, merged)
	default:
		r.notes = append(r.notes, alone)
	}
	return r.prepare()
}

// chosenHunks returns how many hunks of the proposed diff are in the revised one. chosen is false
// if the revised diff does not consist of some, but not all, of the proposed hunks.
func chosenHunks(proposed, revised diff.Diff) (n int, chosen bool) {
	left := map[string]bool{}
	for _, h := range revised.Hunks {
		for _, g := range groups(h) {
			left[g] = true
		}
	}
	for _, h := range proposed.Hunks {
		gs := groups(h)
		kept := 0
		for _, g := range gs {
			if left[g] {
				kept++
				delete(left, g)
			}
		}
		switch kept {
		case len(gs):
			n++
		case 0:
		default:
			return 0, false
		}
	}
	return n, len(left) == 0 && n < len(proposed.Hunks)
}

// groups splits a hunk into its runs of adjacent changed lines. Each is returned as a text that
// begins with its line number in the old file, so that equal runs can be compared.
func groups(h diff.Hunk) (gs []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			gs = append(gs, b.String())
			b.Reset()
		}
	}
	at := h.OldStart - 1 // the line of the old file that was passed last
	if h.OldLines == 0 {
		at = h.OldStart
	}
	for _, l := range h.Lines {
		if l.Op == diff.Equal {
			flush()
			at = l.Old
			continue
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "%d\n", at)
		}
		if l.Op == diff.Delete {
			at = l.Old
		}
		fmt.Fprintf(&b, "%c%s%s\n", l.Op, l.Text, l.End)
	}
	flush()
	return gs
}
