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

// Sessions are other sessions of the same workspace. Paths are absolute.
type Sessions interface {
	// Changed tells them of a change of a file.
	Changed(path string)
	// AlsoChanged returns which of them has changed a file, for a person; "": none.
	AlsoChanged(path string) string
}

// Env is what the built-in tools need.
type Env struct {
	Workspace *workspace.Workspace
	// History records each change of a file; nil: changes are not recorded.
	History *undo.History
	Now     func() time.Time // the clock; nil: the system's
	// NewID returns a new id for a proposal, unique in the process; nil: a random one.
	NewID func() string
	// AskUnchanged makes a write that changes nothing ask too (HARN-5).
	AskUnchanged bool
	// MayRead returns the decision of the rules about read_file for a path, as
	// [workspace.Path.Match] returns it. Other tools that show content leave out or refuse files
	// that are not allowed. nil: every file may be read.
	MayRead func(path string) approval.Action
	// Modes holds the mode of the session, which a plan changes; nil: there is no plan mode.
	Modes Modes
	// Addresses are what read_file can read besides files; nil: nothing.
	Addresses Addresses
	// Convert returns the text of a document; nil: the conversion runs in this process.
	Convert func(ctx context.Context, r document.Request, data []byte) (string, error)
	// Outputs stores long outputs for read_file; nil: the middle of a long output is lost.
	Outputs *Outputs
	// Resources are the resources of servers for read_file; nil: there are no servers.
	Resources *Resources
	// Format formats the new text of a file before it is shown. file is a slash path below its
	// root. by is the program that did it, "" if the file has none. nil: texts are not formatted.
	Format func(ctx context.Context, file string, text []byte) (formatted []byte, by string, err error)
	// Web fetches pages for read_file; nil: pages cannot be read.
	Web *web.Reader
	// GitHub asks a GitHub host for the tool github, and for read_file; nil: neither.
	GitHub *github.Service
	// WebSearch searches the web for the tool web_search; nil: there is no such tool.
	WebSearch *websearch.Searcher
	// Instructions returns a text that the model gets after the text of a file that read_file has
	// read; nil: there is none.
	Instructions func(ctx context.Context, p workspace.Path) string
	// Tags are the texts that the model has seen, by their tags. With them the model gets the tool
	// edit, which names lines of these texts, instead of edit_file. nil: it gets edit_file.
	Tags *snapshot.Store
	// Blocks returns a function that finds the blocks of a file of that name, for edit; nil: blocks
	// are not found.
	Blocks func(name string) hashline.Blocks
	// Bodies returns the ranges of lines that a summary of a source text leaves out, each by its
	// first and last line; nil: there are no summaries.
	Bodies func(name, text string) [][2]int
	// Todo holds the list of the tool todo; nil: the tools make one.
	Todo *todo.Board
	// Sessions are the other sessions of the workspace that run now; nil: none are known.
	Sessions Sessions
	// Team is the agent whose tools they are, among the other agents of the session.
	Team Team
	// Questions passes questions of the model to the person, for the tool ask; nil: there is no
	// such tool.
	Questions *Questions
	// Memory is the notes of earlier sessions for the tool recall; nil: there is no such tool.
	Memory *Memory
	// Checkpoints gives the model the tools checkpoint and rewind too (SH-42).
	Checkpoints bool
	// Commands is how commands run, and Confinement how they, and programs such as language
	// servers, are confined.
	Commands    Commands
	Confinement Confinement
	// Past has the contents of files before a command, so that its changes can be undone; nil: the
	// tools make one if there is a History.
	Past *Past
	// Languages has the language servers that are told of changed files; nil: there are none.
	Languages *lsp.Service
	conflicts *conflicts // the merge conflicts that read_file has shown
	// Secrets are removed from the output of commands and foreign tools. They may be written to
	// files.
	Secrets secret.Set
}

// editor returns the name of the tool by which a model changes a part of a file.
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

// readable refuses a path whose content the rules of read_file deny or want to be asked for.
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

// Registry is a set of tools by name, in the order in which the model is told of them. It is safe
// for use by several goroutines.
type Registry struct {
	mu     sync.Mutex
	tools  []Tool
	names  []string
	owners []string // who has put it there, "" for our own

	tooMuch func([]provider.Tool) bool // of the specs of owners: then they are hidden
	found   []string                   // names of hidden tools that a search has found
}

// NewRegistry puts tools together. Two of one name are an error.
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

// Builtin returns the tools of this package.
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

// builtin returns the tools of this package that an environment has.
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

func (r *Registry) add(t Tool, name string) {
	r.tools, r.names, r.owners = append(r.tools, t), append(r.names, name), append(r.owners, "")
}

// Put gives an owner its tools, in place of the ones that it had. One whose name another has is an
// error; nothing changes then.
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

// Only returns a registry with the tools of those names.
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

// Tools returns the tools, in order.
func (r *Registry) Tools() []Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tools)
}

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

// Prepare prepares a call of the tool of that name.
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
