package approval

import (
	"context"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Proposal is one change that the user decides on. The same value is shown, approved and written.
// It is immutable: after its maker has returned it, nobody changes it or its slices. A changed
// proposal is a new one with a new id.
type Proposal struct {
	ID   string // the id of the proposal, unique in the process
	Call string // the id of the tool call
	Tool string
	By   string // the id of the sub-agent that asks; "": the agent that the user talks to

	// Payload is the content for front ends to show. Its type is [Write], [Edit], [Read],
	// [Command], [Generic] or another one of this package.
	Payload Payload
	Flags   []Flag
	Notes   []string // additional effects in words, such as "CRLF kept"
	// Why is the reason for asking ([Verdict.Reason]), other than that the call changes something.
	// "": there is nothing to add. See [Proposal.Asked].
	Why string

	// Subject is the call in the form that rules are applied to, for [Policy.Offers].
	Subject Subject

	// Path is the path of the file as it is shown: the name of its root, and the path relative to
	// that, with symbolic links resolved. It is "" for a command.
	Path string
	// Before and After are the contents of the file; Before is nil for a new file. Both are nil for
	// a command.
	Before, After []byte
	// Remove says that the file is removed; After is nil then. It is used only if the user undoes
	// the creation of a file, or for a file that a sub-agent has removed in its copy.
	Remove bool
	// Diff is the complete difference between Before and After. It is empty for a binary file,
	// which has the flag "binary".
	Diff diff.Diff
	// Revision says how the user has changed the model's proposal: "edited by the user", "2 of 5
	// hunks applied". "": it is unchanged.
	Revision string
	// InPlace says that a hard-linked file is overwritten in place, so that the change is visible
	// under all of its names. Otherwise a new file replaces only this name (FS-65).
	InPlace bool

	// Fixed says that the change can be made only as a whole: the user cannot choose parts of it or
	// edit it.
	Fixed bool

	// Check returns an error if the file has changed since this proposal was made. It may be nil.
	// See [Proposal.Changed].
	Check func(ctx context.Context) error `json:"-"`
}

// AskedBy returns a note that says which sub-agent asks.
func AskedBy(agent string) string { return "asked by the agent " + agent }

// Asked returns the reason for asking as a sentence, or "".
func (p *Proposal) Asked() string {
	if p.Why == "" {
		return ""
	}
	return "you are asked because " + p.Why
}

// AskedBecause returns a copy of the proposal with a reason for asking.
func (p *Proposal) AskedBecause(why string) *Proposal {
	if p == nil || why == p.Why {
		return p
	}
	asked := *p
	asked.Why = why
	return &asked
}

// Danger returns the [Danger] of a command, or "" if its effects or [Proposal.Why] mention it
// already.
func (p *Proposal) Danger() string {
	c, ok := p.Payload.(Command)
	if !ok || p.Tool != "bash" || slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Removes }) {
		return ""
	}
	if why := Danger(c.Command); why != p.Why {
		return why
	}
	return ""
}

// Revisable reports whether the user can edit the new content or choose parts of it. That is so for
// texts, unless the proposal is Fixed.
func (p *Proposal) Revisable() bool { return p.After != nil && !p.Fixed && !p.Flagged(FlagBinary) }

// File reports whether the proposal changes a file. In a Plan or a Form, After is only a text that
// the user may edit.
func (p *Proposal) File() bool {
	switch p.Payload.(type) {
	case Plan, Form:
		return false
	}
	return p.After != nil || p.Remove
}

// Changed returns an error if the file has changed since this proposal was made (PANE-8, FS-55), or
// if that cannot be determined. It reads the file, so call it at most a few times a second.
func (p *Proposal) Changed(ctx context.Context) error {
	if p.Check == nil {
		return nil
	}
	return p.Check(ctx)
}

// Flag is a risk of a proposal that the user must notice. Its text is shown above the keys. A
// flagged proposal needs the key Y instead of y (PANE-5), and, with few exceptions, no rule allows
// it.
type Flag struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Flagged reports whether the proposal has the flag with that name.
func (p *Proposal) Flagged(name string) bool {
	for _, f := range p.Flags {
		if f.Name == name {
			return true
		}
	}
	return false
}

// The names of flags. The comment of each says when a proposal has the flag.
const (
	FlagBinary   = "binary"     // the file is binary: no diff is shown, but type, sizes and hashes
	FlagTooLong  = "truncated"  // the unified diff would exceed 2 MiB; the structured diff is complete
	FlagCoarse   = "coarse"     // some parts were too long to be compared line by line
	FlagRunsCode = "runs code"  // git, an editor, CI or a shell executes the file (FS-34)
	FlagHidden   = "hidden"     // the text has control, bidirectional, zero-width or tag characters
	FlagHardLink = "hardlinked" // the file has other names: they keep the old content, or change too (FS-65)
	FlagName     = "name"       // the file name has invisible characters, or looks like another name
	// according to its text, the file was generated by a program, which may overwrite it
	FlagGenerated = "generated"
	FlagNotebook  = "notebook" // a notebook would become a file of another kind
	// two sides have changed the same lines; the file contains both between conflict markers
	FlagConflict = "conflict"
	FlagRemoved  = "removed"    // a sub-agent has removed the file in its copy of the workspace
	FlagLasting  = "lasting"    // /undo cannot undo the call
	FlagOutside  = "unconfined" // the model wants to run the command outside of the sandbox
	// the model wants a confined command to reach new hosts, or to read a page of a new host
	FlagNetwork = "network"
	// the command names a path that leaves the workspace or leads through a symbolic link
	FlagLeads  = "elsewhere"
	FlagOpaque = "exact" // only a rule for the whole line can cover the command (PANE-13)
)
