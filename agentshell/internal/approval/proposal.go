package approval

import (
	"context"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Proposal is one change that a person decides about. The same value is shown, approved and
// written. It is immutable: nobody changes it or its slices after its maker has returned it. A
// changed proposal is a new one with a new id.
type Proposal struct {
	ID   string // unique in the process
	Call string // the tool call's id
	Tool string
	By   string // the id of the agent that asks; "": the one that the person talks to

	// Payload is what a front end shows. Its type is [Write], [Edit], [Read], [Command], [Generic]
	// or another one of this package.
	Payload Payload
	Flags   []Flag
	Notes   []string // what happens besides, in words: "CRLF kept"
	// Why says why the person is asked, beyond that every change is: [Verdict.Reason]. "": there is
	// nothing to add. See [Proposal.Asked].
	Why string

	// Subject is the call as rules see it, for [Policy.Offers].
	Subject Subject

	// Path is the file as it is shown: the root's name and the path below it, with links resolved.
	// It is "" for a command.
	Path string
	// Before and After are the file's bytes; Before is nil for a new file. Nil both for a command.
	Before, After []byte
	// Remove is true if the file is removed; After is nil then. Only a person who undoes the
	// creation of a file proposes it.
	Remove bool
	// Diff is the complete difference between Before and After. It is empty for a binary file (flag
	// "binary").
	Diff diff.Diff
	// Revision says how a person changed what the model proposed: "edited by the user", "2 of 5
	// hunks applied". "": it is unchanged.
	Revision string
	// InPlace is true if the bytes are written into the hard-linked file itself, so that all of its
	// names show them. Else a new file replaces this name (FS-65).
	InPlace bool

	// Fixed is true if the change is made completely or not at all: a person cannot choose parts of
	// it or edit it.
	Fixed bool

	// Check returns an error if the file is no longer the base of this proposal. It may be nil. See
	// [Proposal.Changed].
	Check func(ctx context.Context) error `json:"-"`
}

// AskedBy returns the note that says which agent asks.
func AskedBy(agent string) string { return "asked by the agent " + agent }

// Asked returns why the person is asked as a sentence, or "".
func (p *Proposal) Asked() string {
	if p.Why == "" {
		return ""
	}
	return "you are asked because " + p.Why
}

// AskedBecause returns the proposal with the reason why the person is asked.
func (p *Proposal) AskedBecause(why string) *Proposal {
	if p == nil || why == p.Why {
		return p
	}
	asked := *p
	asked.Why = why
	return &asked
}

// Danger returns the [Danger] of a command, "" if its effects or [Proposal.Why] say it.
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

// Revisable reports whether a person can choose parts of it and edit it: it is text, and not fixed.
func (p *Proposal) Revisable() bool { return p.After != nil && !p.Fixed && !p.Flagged(FlagBinary) }

// File reports whether the proposal changes a file. In a Plan or a Form, After is only a text to
// edit.
func (p *Proposal) File() bool {
	switch p.Payload.(type) {
	case Plan, Form:
		return false
	}
	return p.After != nil || p.Remove
}

// Changed returns an error if the file is no longer what this proposal was made from (PANE-8,
// FS-55), or if that cannot be determined. It reads the file: call it a few times a second at most.
func (p *Proposal) Changed(ctx context.Context) error {
	if p.Check == nil {
		return nil
	}
	return p.Check(ctx)
}

// Flag is one risk. The pane shows its text above the keys. A flagged proposal asks for Y (PANE-5),
// and no rule allows it.
type Flag struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Flagged reports whether the proposal carries the flag of that name.
func (p *Proposal) Flagged(name string) bool {
	for _, f := range p.Flags {
		if f.Name == name {
			return true
		}
	}
	return false
}

// The names of flags.
const (
	FlagBinary    = "binary"     // no line diff: type, sizes and hashes are shown
	FlagTooLong   = "truncated"  // the unified text exceeds 2 MiB; the structured diff is complete
	FlagCoarse    = "coarse"     // parts were too costly to compare line by line
	FlagRunsCode  = "runs code"  // the file is executed by git, an editor, CI or a shell (FS-34)
	FlagHidden    = "hidden"     // control, bidi, zero-width or tag characters
	FlagHardLink  = "hardlinked" // the file has other names: they keep the old content, or change too (FS-65)
	FlagName      = "name"       // the file name itself is confusable or has hidden characters
	FlagGenerated = "generated"  // the file says that a program has written it and may do so again
	FlagNotebook  = "notebook"   // a notebook becomes a file that is none
	FlagConflict  = "conflict"   // two sides have changed the same lines, and both stand between marks
	FlagRemoved   = "removed"    // an agent has removed the file in its copy
	FlagLasting   = "lasting"    // /undo cannot undo it
	FlagOutside   = "unconfined" // a command that the model wants to run outside of the sandbox
	FlagNetwork   = "network"    // a confined command that the model wants to reach new hosts
	FlagLeads     = "elsewhere"  // a command that leaves the place where rules can speak of it
	FlagOpaque    = "exact"      // a command that only a rule for its whole line covers (PANE-13)
)
