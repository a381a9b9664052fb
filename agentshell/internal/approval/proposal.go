package approval

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Proposal is one change that a person decides on: what is shown, what is granted and what is
// written are this value. It is immutable: its maker hands it out once, nobody writes to it or to
// its slices, and a changed one is a new one with a new id.
type Proposal struct {
	ID   string // unique in the process
	Call string // the tool call's id
	Tool string

	// Payload is what a front end shows, by its type: [Write], [Edit], [Read], [Command],
	// [Generic].
	Payload Payload
	Flags   []Flag
	Notes   []string // what happens besides, in words: "CRLF kept", "owner is not kept"

	// Subject is what rules speak of in this call: for [Policy.Offers].
	Subject Subject

	// Path is the file as shown, `<root>/rest` with links resolved; "" for a command.
	Path string
	// Before and After are the file's bytes; Before is nil for a new file. Nil both for a command.
	Before, After []byte
	// Remove: the file goes, and After is nil. Only a person who takes a creation back proposes it.
	Remove bool
	// Diff is the whole difference of Before and After; empty for a binary file (flag "binary").
	Diff diff.Diff
	// Revision is not empty if a person changed what the model proposed: "edited by the user", "2
	// of 5 hunks applied".
	Revision string
	// InPlace: the bytes go into the hard-linked file itself, so that all of its names change; else
	// a new file takes the name's place (FS-65).
	InPlace bool

	// Fixed: what is shown is written as it is or not at all; no part of it, and nothing edited.
	Fixed bool

	// Check reports whether the file is still the base of this proposal; nil if there is none. See
	// [Proposal.Changed].
	Check func(ctx context.Context) error `json:"-"`
}

// Revisable reports whether a person can choose from it and edit it: it is text, and not fixed.
func (p *Proposal) Revisable() bool { return p.After != nil && !p.Fixed && !p.Flagged(FlagBinary) }

// File reports whether the proposal is the change of a file: of others, After is a text that is
// edited and no more.
func (p *Proposal) File() bool {
	switch p.Payload.(type) {
	case Plan, Form:
		return false
	}
	return p.After != nil || p.Remove
}

// Changed reports whether the file is no longer what this proposal was made from (PANE-8, FS-55);
// the reason is the error: a conflict, or that it cannot be told. It reads the file, so it is to be
// called a few times a second at most.
func (p *Proposal) Changed(ctx context.Context) error {
	if p.Check == nil {
		return nil
	}
	return p.Check(ctx)
}

// Flag is one risk, in words that the pane shows above the keys; a flagged proposal asks for Y
// (PANE-5) and is never covered by a rule.
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
	FlagTooLong   = "truncated"  // the unified text exceeds 2 MiB; the structured diff is whole
	FlagCoarse    = "coarse"     // parts were too costly to compare line by line
	FlagRunsCode  = "runs code"  // the file is executed by git, an editor, CI or a shell (FS-34)
	FlagHidden    = "hidden"     // control, bidi, zero-width or tag characters
	FlagHardLink  = "hardlinked" // the file has other names: they keep the old content, or change too (FS-65)
	FlagName      = "name"       // the file name itself is confusable or has hidden characters
	FlagGenerated = "generated"  // the file says that a program has written it and may do so again
	FlagLasting   = "lasting"    // /undo cannot take it back
	FlagOutside   = "unconfined" // a command that the model wants to run outside of the sandbox
	FlagNetwork   = "network"    // a confined command that the model wants to reach new hosts
	FlagOpaque    = "opaque"     // a command that no rule can speak of (PANE-13)
)
