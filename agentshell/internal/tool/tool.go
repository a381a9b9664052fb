// Package tool holds what a model can do in a workspace.
package tool

import (
	"context"
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Tool is one ability. Prepare checks and plans a call and has no side effect on disk (PAY-11,
// HARN-1); what changes anything happens in Call.Run, after the answer.
type Tool interface {
	Spec() provider.Tool
	Traits() approval.Traits
	Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error)
}

// Call is one prepared call.
type Call struct {
	Title    string              // one line for the transcript: "read_file notes.md"
	Proposal *approval.Proposal  // what has to be answered first; nil: nothing to ask
	Mutates  bool                // runs exclusively (SH-8)
	Path     string              // the root-relative real path of a file tool: what rules match; "" for others
	Also     []string            // further paths of the same call (diff has two)
	Name     string              // what a call with a NameSubject is about: what rules match; "" for others
	Command  string              // the command line of bash: what rules match; "" for others
	Hash     string              // of a foreign tool's schema and description
	Confined bool                // Run confines the command
	Hides    func() (why string) // as in [approval.Subject]
	// Parts are the changes of a call that is about several files: they are decided and made each
	// by itself, and Run and Proposal are nil. None: the call is one.
	Parts []Part
	// Revise makes the same change with other bytes (PANE-5, e and s): a new Call with a new
	// Proposal. Nil: it cannot be revised.
	Revise func(ctx context.Context, after []byte) (Call, error)
	// InPlace makes the same change of a hard-linked file in the other way, in place or by a new
	// file (FS-65): a new Call with a new Proposal. Nil where the file has one name.
	InPlace func(ctx context.Context) (Call, error)
	// In is the call for a person who chose in which mode the work goes on; nil where nothing is to
	// be chosen.
	In func(mode string) Call
	// Rebase makes a proposal that a person changed anew for a file that changed since: the
	// person's text is merged with the file, or stands against it as it is. Nil where nobody
	// changed the proposal: it is prepared again.
	Rebase func(ctx context.Context) (Call, error)
	// Hold keeps other sessions from writing the file until release is called, if the call is made
	// again with the context that it gives; nil where that is not possible.
	Hold func(ctx context.Context) (held context.Context, release func())
	// merge makes the same change with bytes that have in them what others wrote.
	merge func(after []byte) (Call, error)
	// Propose makes the proposal of a call that asks nothing by itself, for a rule that asks; nil
	// where Proposal is set.
	Propose func(ctx context.Context) (*approval.Proposal, error)
	// Run makes the call. progress gets output as it comes, one call at a time, from a goroutine of
	// Run's, and none after Run returned. A Result may come with an error: what was done before a
	// stop.
	Run func(ctx context.Context, progress func(text string)) (Result, error)
	// Reads says why the call may do more than read the workspace, "" if it does not; nil: nobody
	// knows. Reading is Run for a call that may do nothing else; nil where Reads is.
	Reads   func() (why string)
	Reading func(ctx context.Context, progress func(text string)) (Result, error)
	// Location and Beside are those of [approval.Subject].
	Location approval.Location
	Beside   func(parts []int) (why string)
	// Own is Run for a person who made the call themselves; nil: it is Run.
	Own func(ctx context.Context, progress func(text string)) (Result, error)
}

// Part is a part of a call: Call is what the tool prepares from Input alone.
type Part struct {
	Input json.RawMessage
	Call  Call
}

// Subject returns the call as rules and modes see it. To them an edit is an edit, whatever its
// form.
func (c Call) Subject(tool string) approval.Subject {
	switch {
	case tool == editName, tool == lspName && c.Mutates && c.Path != "":
		tool = "edit_file"
	case tool == lspName && c.Command != "":
		tool = "bash" // the start of a server
	case tool == DebugName && c.Command != "":
		tool = "bash" // the start of a program
	case tool == "read_file" && c.Name != "":
		tool = GitHubName // an issue or a pull request
	}
	s := approval.Subject{Tool: tool, Path: c.Path, Also: c.Also, Name: c.Name, Command: c.Command,
		Mutates: c.Mutates, Hash: c.Hash, Asks: c.Proposal != nil, Reads: c.Reads, Confined: c.Confined,
		Hides: c.Hides, Location: c.Location, Beside: c.Beside}
	if c.Proposal != nil {
		s.Flags = c.Proposal.Flags
	}
	return s
}

// Result is what a call gave. Text goes to the model, Summary (a few words: "41 lines") and Detail
// (rows of plain text, may be empty) to the person.
type Result struct {
	Text, Summary string
	Detail        string
	Changed       []string          // files that the call changed, as shown
	Edits         []Edited          // of text files, by a command
	Partial       bool              // something in the call failed; Text says what
	Images        []picture.Picture // for the model and the person; Text says in words what they are
	Data          any               // the structured result, if the tool has one: EditResult, DiffResult
}
