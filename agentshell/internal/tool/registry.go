package tool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/websearch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// Sessions connects a session with the other sessions that run in the same workspace. Paths are
// absolute.
type Sessions interface {
	// Changed tells the other sessions that this one has changed a file.
	Changed(path string)
	// AlsoChanged returns the name, for display, of another session that has changed the file; "":
	// none has.
	AlsoChanged(path string) string
}

// Env holds what the built-in tools of one agent need: the workspace, services and rules. Nil
// fields disable features.
type Env struct {
	Workspace *workspace.Workspace
	// History records each change of a file; nil: changes are not recorded.
	History *undo.History
	Now     func() time.Time // Now returns the current time; nil: the system's clock is used.
	// NewID returns a new id for a proposal, unique in the process; nil: a random one.
	NewID func() string
	// AskUnchanged makes a write ask the user even if it changes nothing (HARN-5).
	AskUnchanged bool
	// MayRead returns the decision of the rules about read_file for a path, as
	// [workspace.Path.Match] returns it. Other tools that show content leave out or refuse files
	// that are not allowed. nil: every file may be read.
	MayRead func(path string) approval.Action
	// Modes holds the permission mode of the session, which the tool plan changes; nil: there is no
	// such tool.
	Modes Modes
	// Addresses maps the schemes of addresses such as artifact:// that read_file reads to functions
	// that return the text; nil: there are none.
	Addresses Addresses
	// Convert returns the text of a document such as a PDF; nil: the conversion runs in this
	// process.
	Convert func(ctx context.Context, r document.Request, data []byte) (string, error)
	// Outputs stores the long outputs of commands, so that read_file can read them; nil: the middle
	// of a long output is lost.
	Outputs *Outputs
	// Resources holds the MCP servers whose resources read_file can read; nil: there are none.
	Resources *Resources
	// Format formats the new text of a file before the change is shown. file is a slash path
	// relative to its root. by is the name of the formatter, or "" if the file has none. nil: texts
	// are not formatted.
	Format func(ctx context.Context, file string, text []byte) (formatted []byte, by string, err error)
	// Web fetches pages for read_file; nil: pages cannot be read.
	Web *web.Reader
	// GitHub sends requests to a GitHub host, for the tool github and for read_file; nil: neither
	// can.
	GitHub *github.Service
	// WebSearch searches the web for the tool web_search; nil: there is no such tool.
	WebSearch *websearch.Searcher
	// Instructions returns instructions that apply to the file p, such as those of an AGENTS.md in
	// its directory, which read_file appends for the model; nil: there are none.
	Instructions func(ctx context.Context, p workspace.Path) string
	// Tags stores the file texts that the model has seen, by a short tag. With it the model gets
	// the tool edit, which refers to lines of these texts; without it (nil) it gets edit_file.
	Tags *snapshot.Store
	// Blocks returns a function that finds the syntactic blocks of a file with that name, for the
	// tool edit; nil: edits cannot name blocks.
	Blocks func(name string) hashline.Blocks
	// Bodies returns the line ranges that a summary of a source file leaves out, such as function
	// bodies, each as its first and last line; nil: long files are not summarized.
	Bodies func(name, text string) [][2]int
	// Todo holds the list of the tool todo; nil: the registry makes an empty one.
	Todo *todo.Board
	// Sessions connects to other sessions that run in the same workspace; nil: none are known.
	Sessions Sessions
	// Team connects the agent that uses the tools with the other agents of its session.
	Team Team
	// Questions passes the model's questions to the user, for the tool ask; nil: there is no such
	// tool.
	Questions *Questions
	// Memory holds the notes that sessions keep for later ones, for the tool recall; nil: there is
	// no such tool.
	Memory *Memory
	// Checkpoints gives the model the tools checkpoint and rewind (SH-42).
	Checkpoints bool
	// Commands holds how shell commands run. Confinement holds how they, and programs such as
	// language servers, are sandboxed.
	Commands    Commands
	Confinement Confinement
	// Past holds the contents of files before a shell command runs, so that its changes can be
	// undone; nil: the registry makes one if there is a History.
	Past *Past
	// Languages runs the language servers, which are told of changed files; nil: there are none.
	Languages *lsp.Service
	conflicts *conflicts // conflicts holds the merge conflicts that read_file has shown to the model.
	// Secrets holds the user's keys, which are removed from the output of commands and of MCP
	// servers' tools. They may still be written to files.
	Secrets secret.Set
}

// editor returns the name of the tool with which the model edits a file: edit or edit_file.
func (e Env) editor() string {
	if e.Tags != nil {
		return editName
	}
	return "edit_file"
}

func (e Env) now() time.Time {
	if e.Now != nil {
		return e.Now()
	}
	return time.Now()
}

func (e Env) newID() string {
	if e.NewID != nil {
		return e.NewID()
	}
	return rand.Text()
}

// readable returns an error if the rules about read_file deny the path p, or demand a question for
// it.
func (e Env) readable(p workspace.Path) error {
	if e.MayRead == nil {
		return nil
	}
	switch e.MayRead(p.Match()) {
	case approval.Deny:
		return &Error{Code: "fs_denied",
			Text: fmt.Sprintf("operation not permitted: reading %s is denied by a rule", p)}
	case approval.Ask:
		return &Error{Code: "fs_denied",
			Text: fmt.Sprintf("operation not permitted: reading %s must be asked for; use read_file", p)}
	}
	return nil
}

// Registry is an ordered set of tools with unique names. The model is told of the tools in this
// order. A Registry is safe for use by several goroutines.
type Registry struct {
	mu    sync.Mutex
	tools []Tool
	// names holds the name of each tool in tools.
	names  []string
	owners []string // owners holds, for each tool, the owner that has put it there; "" for built-in tools.

	// tooMuch reports whether the specs of the tools with owners are so long that they are hidden
	// behind the tool search.
	tooMuch func([]provider.Tool) bool
	found   []string // found lists the names of hidden tools that a tool search has found.
}

// NewRegistry returns a registry of the tools. It returns an error if two of them have the same
// name.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{}
	for _, t := range tools {
		name := t.Spec().Name
		if r.find(name) != nil {
			return nil, fmt.Errorf("two tools are named %q", name)
		}
		r.add(t, name)
	}
	return r, nil
}

// Builtin returns a registry of this package's tools, as far as env has what they need.
func Builtin(env Env) *Registry {
	if env.Todo == nil {
		env.Todo = new(todo.Board)
	}
	if env.Past == nil && env.History != nil {
		env.Past = new(Past)
	}
	env.conflicts = new(conflicts)
	r := &Registry{}
	for _, t := range builtin(env) {
		r.add(t, t.Spec().Name)
	}
	return r
}

// builtin returns this package's tools, as far as env has what they need, in the order in which the
// model is told of them.
func builtin(env Env) []Tool {
	var editing Tool = &editFile{env}
	if env.Tags != nil {
		editing = &edit{env}
	}
	all := []Tool{
		&readFile{env}, &listDir{env}, &find{env}, &search{env}, &writeFile{env}, editing, &diffFiles{env},
		&bash{env: env}, &todoTool{env.Todo},
	}
	if env.Commands.Jobs != nil {
		all = append(all, &jobTool{env.Commands.Jobs})
	}
	if env.Modes != nil {
		all = append(all, &plan{env})
	}
	all = append(all, env.Team.tools(env.Commands.Jobs, env.now)...)
	if env.Questions != nil {
		all = append(all, &ask{env.Questions})
	}
	if env.Memory != nil {
		all = append(all, &recall{env.Memory})
	}
	if env.WebSearch != nil {
		all = append(all, newWebSearch(env))
	}
	if env.Checkpoints {
		all = append(all, &checkpoint{env.now}, rewind{})
	}
	return all
}

// add appends a built-in tool. The caller holds r.mu, or nobody else knows r yet.
func (r *Registry) add(t Tool, name string) {
	r.tools, r.names, r.owners = append(r.tools, t), append(r.names, name), append(r.owners, "")
}

// Put replaces the tools of an owner, such as an MCP server. It returns an error, and changes
// nothing, if a tool of another owner has the name of a new one.
func (r *Registry) Put(owner string, tools []Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := &Registry{}
	for i, t := range r.tools {
		if r.owners[i] != owner || owner == "" {
			next.add(t, r.names[i])
			next.owners[len(next.owners)-1] = r.owners[i]
		}
	}
	for _, t := range tools {
		name := t.Spec().Name
		if slices.Contains(next.names, name) {
			return fmt.Errorf("two tools are named %q", name)
		}
		next.add(t, name)
		next.owners[len(next.owners)-1] = owner
	}
	r.tools, r.names, r.owners = next.tools, next.names, next.owners
	return nil
}

// Only returns a new registry with only the named tools; names of unknown tools are ignored.
func (r *Registry) Only(names ...string) *Registry {
	r.mu.Lock()
	defer r.mu.Unlock()
	few := &Registry{}
	for i, t := range r.tools {
		if slices.Contains(names, r.names[i]) {
			few.add(t, r.names[i])
		}
	}
	return few
}

// Tools returns the tools in their order, including hidden ones.
func (r *Registry) Tools() []Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tools)
}

// find returns the tool of that name, or nil. The tool that searches for tools exists while others
// are hidden.
func (r *Registry) find(name string) Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.names, name); i >= 0 {
		return r.tools[i]
	}
	if name == searchToolsName && r.tooMuch != nil {
		return &searchTools{r}
	}
	return nil
}

// Prepare prepares a call of the named tool. It returns an error if there is no such tool.
func (r *Registry) Prepare(ctx context.Context, name, id string, input json.RawMessage) (Call, error) {
	t := r.find(name)
	if t == nil {
		return Call{}, invalidArgs("there is no tool %q", name)
	}
	if err := ctx.Err(); err != nil {
		return Call{}, err
	}
	return t.Prepare(ctx, id, input)
}
