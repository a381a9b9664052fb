package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// LanguagesOwner is the owner of the tool lsp in a Registry. A tool with an owner is hidden behind
// the tool search when MCP servers offer too many tools.
const LanguagesOwner = "lsp"

const lspName = "lsp"

// lspTool is the tool lsp. It asks language servers about code. File changes of the servers become
// proposals to the user.
type lspTool struct {
	env     Env
	service *lsp.Service
	// memory holds what the tool remembers between calls.
	memory *lspMemory
	waits  diagnosticWaits
}

// diagnosticWaits holds how long a request waits for a server's diagnostics of a file: single if it
// is the only file, batch if it is one of several.
type diagnosticWaits struct{ single, batch time.Duration }

// usualWaits returns the waits outside of tests.
func usualWaits() diagnosticWaits {
	return diagnosticWaits{single: 3 * time.Second, batch: 400 * time.Millisecond}
}

// lspMemory holds what the tool lsp remembers between calls. It is safe for use by several
// goroutines.
type lspMemory struct {
	mu sync.Mutex
	// granted holds the servers that the user has allowed to start, by the result of grantKey.
	granted map[string]bool
	// plans maps numbers to planned changes, so that a part of a call can be prepared again.
	plans map[string]lsp.Change
	// count is the number of the newest plan.
	count int
}

// maxPlanned is the number of planned changes that are stored.
const maxPlanned = 4 * lsp.MaxChanges

// Languages returns the tool lsp for the language servers of a service.
func Languages(env Env, service *lsp.Service) []Tool {
	env.Languages = service
	return []Tool{&lspTool{env, service, &lspMemory{granted: map[string]bool{}, plans: map[string]lsp.Change{}},
		usualWaits()}}
}

type lspArgs struct {
	Action  string `json:"action" enum:"diagnostics definition references hover symbols rename rename_file code_actions type_definition implementation status reload capabilities request" doc:"What to do."`
	File    string `json:"file,omitempty" doc:"File; for diagnostics also a glob. * is the workspace, for diagnostics, symbols and reload. For rename_file the source, a file or a directory."`
	Line    int    `json:"line,omitempty" doc:"Line of the symbol, from 1." min:"1" max:"10000000"`
	Symbol  string `json:"symbol,omitempty" doc:"Text on the line that is meant; name#2 is its second occurrence."`
	Query   string `json:"query,omitempty" doc:"For symbols of the workspace: a part of the name. For code_actions: a kind such as quickfix, or with apply the number or a part of the title. For request: the method."`
	NewName string `json:"new_name,omitempty" doc:"For rename: the new name. For rename_file: the new path."`
	Apply   *bool  `json:"apply" doc:"For rename and rename_file: false only shows what would change. For code_actions: true proposes the change of one action."`
	Timeout int    `json:"timeout,omitempty" doc:"Seconds, 5 to 60; 20 if missing."`
	Payload string `json:"payload,omitempty" doc:"For request: its parameters as JSON."`
}

func (t *lspTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindReads, Shows: true}
}

func (t *lspTool) Spec() provider.Tool {
	return provider.Tool{
		Name: lspName, ReadOnly: true, Schema: schemaOf[lspArgs](),
		Description: "Ask language servers about code: diagnostics (errors and warnings), definition, " +
			"type_definition, implementation, references, hover (types and documentation), symbols of a file or the " +
			"workspace, rename of a symbol everywhere, rename_file with its imports, code_actions (quick fixes, " +
			"refactorings, organize imports), status, reload, capabilities, and raw requests. A position is file, " +
			"line and symbol. What a server changes is shown to the user file by file before it is written.",
	}
}

// lspRequest holds the checked arguments of a call, with the file and the servers that they mean.
type lspRequest struct {
	lspArgs
	id      string
	path    workspace.Path // path is the path of File; the zero value means the workspace.
	full    string         // full is the absolute path of File; "" means the workspace.
	servers []lsp.Server
	timeout time.Duration
}

// Prepare implements Tool. If the user has not yet allowed a server to start, the call proposes to
// start it. A call that changes files asks its server immediately, and has one part for each
// changed file.
func (t *lspTool) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	var part struct {
		Part string `json:"part"`
	}
	if json.Unmarshal(input, &part) == nil && part.Part != "" {
		return t.part(ctx, id, part.Part)
	}
	r, err := t.request(ctx, id, input)
	if err != nil {
		return Call{}, err
	}
	if r.Action == "diagnostics" && r.File == everywhere {
		return t.checkWorkspace(ctx, r)
	}
	call := Call{Path: r.path.Match(),
		Title: strings.TrimSpace(lspName + " " + r.Action + " " + titled(r.about(), 160))}
	if r.Action == "status" {
		call.Run = func(context.Context, func(string)) (Result, error) { return t.status(), nil }
		return call, nil
	}
	if start, server, err := t.start(r); err != nil || start != nil {
		if err != nil {
			return Call{}, err
		}
		return t.startFirst(r, call, start, server)
	}
	if r.changes() {
		return t.propose(ctx, r, call)
	}
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) { return t.look(ctx, r) }
	if r.Action == "request" {
		t.askRequest(r, &call)
	}
	return call, nil
}

// everywhere is the value of the argument file that means the whole workspace.
const everywhere = "*"

// about returns the file, line and words of the request for its title.
func (r lspRequest) about() string {
	words := []string{r.File}
	if r.Line > 0 {
		words[0] += fmt.Sprintf(":%d", r.Line)
	}
	for _, w := range []string{r.Symbol, r.Query, r.NewName} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// changes reports whether the request changes files, so that the user must be asked.
func (r lspRequest) changes() bool {
	switch r.Action {
	case "rename", "rename_file":
		return r.Apply == nil || *r.Apply
	case "code_actions":
		return r.Apply != nil && *r.Apply
	}
	return false
}

// request parses and checks the arguments, and finds the file and its servers.
func (t *lspTool) request(ctx context.Context, id string, input json.RawMessage) (r lspRequest, err error) {
	args, err := decode[lspArgs](input)
	if err != nil {
		return r, err
	}
	r = lspRequest{lspArgs: args, id: id, timeout: 20 * time.Second}
	if r.Timeout != 0 {
		r.timeout = time.Duration(min(max(r.Timeout, 5), 60)) * time.Second
	}
	if err := r.missing(); err != nil {
		return r, err
	}
	if r.File != "" && r.File != everywhere && !(r.Action == "diagnostics" && isGlob(r.File)) {
		if r.path, err = t.env.Workspace.Resolve(r.File); err != nil {
			return r, err
		}
		if err := t.env.readable(r.path); err != nil {
			return r, err
		}
		r.full = t.env.Workspace.Abs(r.path)
	}
	r.servers, err = t.servers(ctx, r)
	return r, err
}

// missing returns an error that names an argument which the action needs and which is missing, or
// nil.
func (r lspRequest) missing() error {
	need := func(name, value string) error {
		if value != "" {
			return nil
		}
		return invalidArgs("%s is missing: %s needs it", name, r.Action)
	}
	inWorkspace := r.File == "" || r.File == everywhere
	switch r.Action {
	case "status", "reload", "capabilities":
		return nil
	case "request":
		if r.Payload != "" && !json.Valid([]byte(r.Payload)) {
			return invalidArgs("payload is no JSON")
		}
		return need("query", r.Query)
	case "symbols":
		if inWorkspace {
			return need("query", r.Query)
		}
		return nil
	case "diagnostics":
		return need("file", r.File)
	case "rename", "rename_file":
		if err := need("new_name", r.NewName); err != nil {
			return err
		}
	}
	if inWorkspace {
		return need("file", "")
	}
	return nil
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// servers returns the servers to ask for the request's action.
func (t *lspTool) servers(ctx context.Context, r lspRequest) ([]lsp.Server, error) {
	switch {
	case r.Action == "status", r.Action == "diagnostics" && r.File == everywhere:
		return nil, nil
	case r.Action == "diagnostics" && r.full == "":
		return t.globServers(ctx, r)
	case r.Action == "rename_file":
		return t.renameServers(ctx, r)
	case r.full == "":
		list := primary(t.service.Workspace())
		if len(list) == 0 {
			return nil, failed("No language servers configured for this project: none that is installed has its root " +
				"marker at the top of the workspace. Name a file.")
		}
		if r.Action == "request" {
			list = list[:1]
		}
		return list, nil
	}
	list := t.service.Servers(r.full)
	if len(list) == 0 {
		return nil, failed("No language server found for %s", shown(r.path))
	}
	if r.Action == "diagnostics" || r.Action == "code_actions" {
		return list, nil
	}
	if list = primary(list); len(list) == 0 {
		return nil, failed("No language server but linters found for %s", shown(r.path))
	}
	if r.Action == "capabilities" {
		return list, nil
	}
	return list[:1], nil
}

// primary returns the servers in the list that are not only linters.
func primary(list []lsp.Server) (some []lsp.Server) {
	for _, s := range list {
		if !s.Linter {
			some = append(some, s)
		}
	}
	return some
}

// start returns the command that starts the first server of a request that the user has not allowed
// yet, as a payload for a proposal. It returns nil if all are allowed. Servers that are not
// installed are skipped; if none is installed, start returns an error.
func (t *lspTool) start(r lspRequest) (start *approval.Command, server lsp.Server, err error) {
	var missing error
	installed := 0
	for _, s := range r.servers {
		line, reach, confined, err := t.service.Start(s)
		if err != nil {
			missing = err
			continue
		}
		installed++
		t.memory.mu.Lock()
		granted := t.memory.granted[grantKey(s)]
		t.memory.mu.Unlock()
		if granted || r.Action == "reload" {
			continue
		}
		root := t.env.Workspace.RootPath()
		note := noteFree
		if confined {
			note = noteConfined
		}
		return &approval.Command{Base: approval.Base{Kind: "command", Path: root.String(), Sandbox: root.Root(),
			Description: "Start the language server " + s.Name + ": " + diff.Escape(line) + " (" + reach + ")"},
			Command: line, Simple: []string{}, Effects: []approval.Effect{}, Note: note,
			What: "the language server " + s.Name}, s, nil
	}
	var absent *helper.Missing
	switch {
	case installed > 0 || missing == nil:
		return nil, server, nil
	case errors.As(missing, &absent):
		return nil, server, &Error{Code: "not_found", Text: missing.Error()}
	}
	return nil, server, failed("%v", missing)
}

// idleNote is the note in a proposal that says when a started helper program ends. It is short
// enough for a narrow dialog.
const idleNote = "ends after 10 idle minutes"

// grantKey returns the string under which the permission to start a server is stored: its name and
// its command.
func grantKey(s lsp.Server) string {
	return strings.Join(append([]string{s.Name}, s.Command...), "\x00")
}

// startFirst returns a call that starts a server and then carries out the request. If the request
// changes files, the model has to repeat it after the start, because the user must see the changes
// first.
func (t *lspTool) startFirst(r lspRequest, call Call, start *approval.Command, server lsp.Server) (Call, error) {
	name := server.Name
	call.Path, call.Command, call.Mutates = "", start.Command, true
	call.Confined = t.env.Confinement.Cell != nil
	prop := &approval.Proposal{ID: t.env.newID(), Call: r.id, Tool: lspName, Payload: *start,
		Notes: []string{start.Note, idleNote}}
	call.Proposal = prop
	call.Run = func(ctx context.Context, progress func(string)) (Result, error) {
		t.memory.mu.Lock()
		t.memory.granted[grantKey(server)] = true
		t.memory.mu.Unlock()
		next, other, err := t.start(r)
		switch {
		case err != nil:
			return Result{}, err
		case next != nil:
			return Result{Summary: name + " allowed",
				Text: name + " may be used now. " + other.Name + " has to be started, too: call lsp again."}, nil
		case r.changes():
			for _, s := range r.servers {
				err := t.with(ctx, s, r.timeout, func(context.Context, *lsp.Client) error { return nil })
				if err != nil {
					return Result{}, failed("%v", err)
				}
			}
			return Result{Summary: name + " started", Text: name + " has started. Call lsp again with the same " +
				"arguments: the changes are shown to the user then."}, nil
		}
		return t.look(ctx, r)
	}
	prop.Subject = call.Subject(lspName)
	return call, nil
}

// with calls do with a connection to the server s, starting it if needed, after telling it about
// changed files. limit is the time limit for all of this.
func (t *lspTool) with(ctx context.Context, s lsp.Server, limit time.Duration,
	do func(ctx context.Context, c *lsp.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, release, err := t.service.Use(ctx, s)
	if err != nil {
		return timedOut(s, limit, err)
	}
	defer release()
	if err := t.sync(ctx, c); err != nil {
		return err
	}
	c.Load(ctx, min(lsp.LoadTime, limit/2))
	return timedOut(s, limit, do(ctx, c))
}

// timedOut replaces an error about an exceeded deadline by one that names the server.
func timedOut(s lsp.Server, limit time.Duration, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer within %v", s.Name, limit)
	}
	return err
}

// sync tells a server which files have changed on disk since the last request.
func (t *lspTool) sync(ctx context.Context, c *lsp.Client) error {
	events := map[string]lsp.Event{}
	for _, full := range c.OpenFiles() {
		text, exists, err := t.text(ctx, full)
		switch {
		case err != nil || !exists:
			events[full] = lsp.Deleted
			if err := c.Close(ctx, full); err != nil {
				return err
			}
		default:
			if _, fresh, err := c.Open(ctx, full, text); err != nil {
				return err
			} else if fresh {
				events[full] = lsp.Changed
			}
		}
	}
	for full, event := range c.TakeNoted() {
		if events[full] == 0 {
			events[full] = event
		}
	}
	return c.Watch(ctx, events)
}

// text returns the text of the workspace file at an absolute path.
func (t *lspTool) text(ctx context.Context, full string) (text string, exists bool, err error) {
	p, err := t.env.Workspace.Resolve(full)
	if err != nil {
		return "", false, err
	}
	f, err := t.env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
	return string(f.Data), f.Print.Exists, err
}

// open opens the file of a request at the server, and returns its text.
func (t *lspTool) open(ctx context.Context, c *lsp.Client, r lspRequest) (text string, err error) {
	text, exists, err := t.text(ctx, r.full)
	switch {
	case err != nil:
		return "", err
	case !exists:
		return "", &workspace.Error{Kind: workspace.NotFound, Path: r.path.String()}
	}
	version, fresh, err := c.Open(ctx, r.full, text)
	if err == nil && fresh {
		c.Settle(ctx, r.full, version)
	}
	return text, err
}

// where opens the file of a request at the server, and returns the LSP parameters for its position.
func (t *lspTool) where(ctx context.Context, c *lsp.Client, r lspRequest) (map[string]any, error) {
	text, err := t.open(ctx, c, r)
	if err != nil {
		return nil, err
	}
	pos, err := symbolPosition(text, max(r.Line, 1), r.Symbol, c.Encoding)
	if err != nil {
		return nil, err
	}
	return map[string]any{"textDocument": map[string]any{"uri": lsp.URIOf(r.full)}, "position": pos}, nil
}

// place returns an absolute path for display: relative to the workspace if it lies there.
func (t *lspTool) place(full string) string {
	rel, err := filepath.Rel(t.service.Dir(), full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return diff.Escape(full)
	}
	return diff.Escape(filepath.ToSlash(rel))
}
