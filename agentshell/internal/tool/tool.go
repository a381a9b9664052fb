// Package tool holds what a model can do in a workspace.
package tool

import (
	"context"
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Tool is one tool that a model can call. Prepare checks the arguments and plans the call, without
// side effects on disk (PAY-11, HARN-1). Changes are made only by Call.Run, after the user or a
// rule has allowed the call.
type Tool interface {
	// Spec returns the name, the description and the schema that the model is told.
	Spec() provider.Tool
	// Traits returns what permission rules and front ends need to know of all calls of the tool.
	Traits() approval.Traits
	// Prepare checks the arguments in input and returns the planned call. id is the model's id of
	// the call.
	Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error)
}

// Call represents one prepared tool call: what it will do, what permission rules see of it, and the
// functions that carry it out.
type Call struct {
	Title string // Title is one line for the transcript, such as "read_file notes.md".
	// Proposal is the question that must be answered before Run; nil: the call itself asks nothing.
	Proposal *approval.Proposal
	Mutates  bool // Mutates means that no other call may run at the same time (SH-8).
	// Path is the real path of a file tool's file, relative to its root, or the address that the
	// tool reads. Rules match it. It is "" for other tools.
	Path string
	Also []string // Also lists further paths of the same call: diff has two.
	// Name is the name that rules match for tools with a NameSubject, such as the host of ssh; ""
	// for other tools.
	Name string
	// Command is the shell command line that rules match; "" for calls that run no command.
	Command string
	// Hash is the hash of the schema and the description of an MCP server's tool; "" for built-in
	// tools.
	Hash     string
	Confined bool                // Confined means that Run runs the command in a sandbox.
	Hides    func() (why string) // Hides is the function of the same name in [approval.Subject].
	// Parts holds one prepared call for each file if the call changes several files. Each part is
	// decided and carried out separately, and Run and Proposal of the whole call are nil. It is
	// empty for all other calls.
	Parts []Part
	// Revise returns the same change with the content after instead of the proposed one, as a new
	// Call with a new Proposal: the user has edited the proposal or chosen some of its hunks
	// (PANE-5). It is nil if the change cannot be revised.
	Revise func(ctx context.Context, after []byte) (Call, error)
	// InPlace returns the same change of a hard-linked file, written in the other way: in place
	// instead of as a new file, or the reverse (FS-65). It is nil if the file has only one name.
	InPlace func(ctx context.Context) (Call, error)
	// In returns the call for a user who has chosen the mode in which the session continues. It is
	// nil if there is no mode to choose.
	In func(mode string) Call
	// Rebase prepares a proposal that the user has edited again, because the file has changed
	// since. It merges the user's text with the file's new content if possible, and otherwise keeps
	// the text as it is. It is nil if the user has not edited the proposal: then the call is
	// prepared anew from its input.
	Rebase func(ctx context.Context) (Call, error)
	// Hold locks the file against writes by other sessions until release is called. The call must
	// then be prepared again with the returned context. Hold is nil if the file cannot be locked.
	Hold func(ctx context.Context) (held context.Context, release func())
	// merge returns the same change with the content after, into which the changes of another
	// program have been merged.
	merge func(after []byte) (Call, error)
	// Propose returns a Proposal for a call that has none, because a permission rule demands that
	// the user is asked. It is nil if Proposal is set.
	Propose func(ctx context.Context) (*approval.Proposal, error)
	// Run carries out the call. It calls progress with output as it arrives, never concurrently,
	// but from another goroutine, and not any more after Run has returned. If Run returns a Result
	// together with an error, the Result describes what was done before the call was stopped.
	Run func(ctx context.Context, progress func(text string)) (Result, error)
	// Reads returns the reason why the call may do more than read the workspace, or "" if it only
	// reads. A nil Reads means that this is unknown. Reading is Run for a call that only reads,
	// with no possibility to do anything else; it is nil if Reads is nil.
	Reads   func() (why string)
	Reading func(ctx context.Context, progress func(text string)) (Result, error)
	// Location and Beside are the fields of the same name in [approval.Subject].
	Location approval.Location
	Beside   func(parts []int) (why string)
	// Own replaces Run if the user, not the model, made the call; nil: Run is used.
	Own func(ctx context.Context, progress func(text string)) (Result, error)
}

// Part represents one of several files that a call changes. Call is what the tool prepares if it
// gets Input alone.
type Part struct {
	Input json.RawMessage
	Call  Call
}

// Subject returns the call in the form that permission rules and modes examine. It maps the tool's
// name to the one that rules use: to them every change of a file is edit_file, and every start of a
// program is bash.
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

// Result represents the result of a finished call. Text is for the model. Summary, a few words such
// as "41 lines", and Detail, lines of plain text that may be empty, are for the user.
type Result struct {
	Text, Summary string
	Detail        string
	Changed       []string // Changed lists the files that the call has changed, for display.
	Edits         []Edited // Edits describes the changes of text files that a command has made.
	Partial       bool     // Partial means that a part of the call failed; Text says which.
	// Images holds pictures for the model and the user; Text describes them in words.
	Images []picture.Picture
	// Data is the structured result if the tool has one, such as an EditResult or a DiffResult.
	Data any
}
