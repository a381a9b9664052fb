package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// cellHost implements the helper functions that code in a cell can call, such as read and tool. A
// helper that may change something makes a tool call, about which rules and the user decide.
type cellHost struct {
	cells  *Cells
	caller Caller // caller makes the tool calls; nil: none can be made.
	// work is the context of the call that runs the cell.
	work context.Context
}

// cellHelpers maps the names of helper functions to their implementations.
var cellHelpers = map[string]func(*cellHost, context.Context, json.RawMessage) (any, error){
	"read": (*cellHost).read, "write": (*cellHost).write, "append": (*cellHost).add, "tree": (*cellHost).tree,
	"diff": (*cellHost).diff, "output": (*cellHost).output, "tool": (*cellHost).tool,
	"completion": (*cellHost).completion, "agent": (*cellHost).agent,
}

// Call implements eval.Host. It calls the helper function of that name.
func (h *cellHost) Call(ctx context.Context, name string, args []byte) (value any, err error) {
	helper := cellHelpers[name]
	if helper == nil {
		return nil, fmt.Errorf("there is no helper %q", name)
	}
	return helper(h, ctx, args)
}

// call makes a tool call with the arguments args.
func (h *cellHost) call(ctx context.Context, name string, args any) (Result, error) {
	if h.caller == nil {
		return Result{}, errors.New("no tool can be called here")
	}
	input, err := json.Marshal(args)
	if err != nil {
		return Result{}, err
	}
	return h.caller.CallTool(ctx, name, input)
}

// text makes a tool call and returns the text of its result.
func (h *cellHost) text(ctx context.Context, name string, args any) (any, error) {
	r, err := h.call(ctx, name, args)
	return r.Text, err
}

// cellFile holds the arguments of the helper functions for files.
type cellFile struct {
	Path    string `json:"path"`
	Content string `json:"content,omitempty"`
	Offset  int    `json:"offset,omitempty"`
	Limit   int    `json:"limit,omitempty"`
	Depth   int    `json:"depth,omitempty"`
	Hidden  bool   `json:"hidden,omitempty"`
}

// read implements the helper function read: it returns the text of a file, or some of its lines,
// without line numbers.
func (h *cellHost) read(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[cellFile](raw)
	if err != nil {
		return nil, err
	}
	text, _, err := h.fileText(ctx, args.Path)
	if err != nil || args.Offset <= 0 && args.Limit <= 0 {
		return text, err
	}
	lines := strings.SplitAfter(text, "\n")
	lines = lines[min(max(args.Offset-1, 0), len(lines)):]
	if args.Limit > 0 {
		lines = lines[:min(args.Limit, len(lines))]
	}
	return strings.Join(lines, ""), nil
}

// fileText returns the text of a workspace file. It returns an error if the file does not exist or
// rules do not allow reading it.
func (h *cellHost) fileText(ctx context.Context, name string) (text string, exists bool, err error) {
	if isAddress(name) {
		return "", false, invalidArgs("%s is no path: tool.read_file reads addresses", shownLine(name))
	}
	p, err := h.cells.env.Workspace.Resolve(name)
	if err != nil {
		return "", false, err
	}
	if err := h.cells.env.readable(p); err != nil {
		return "", false, err
	}
	f, err := h.cells.env.Workspace.Snapshot(ctx, p, workspace.MaxProposal)
	switch {
	case err != nil:
		return "", false, err
	case !f.Print.Exists:
		return "", false, &workspace.Error{Kind: workspace.NotFound, Path: p.String()}
	}
	return string(f.Data), true, nil
}

// write implements the helper function write: it writes a file by a call of write_file.
func (h *cellHost) write(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[cellFile](raw)
	if err != nil {
		return nil, err
	}
	return h.text(ctx, "write_file", map[string]string{"path": args.Path, "content": args.Content})
}

// add implements the helper function append: it adds text to the end of a file by a call of
// write_file.
func (h *cellHost) add(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[cellFile](raw)
	if err != nil {
		return nil, err
	}
	text, _, err := h.fileText(ctx, args.Path)
	if err != nil && workspace.KindOf(err) != workspace.NotFound {
		return nil, err
	}
	return h.text(ctx, "write_file", map[string]string{"path": args.Path, "content": text + args.Content})
}

// maxTree is the number of names that the helper function tree returns.
const maxTree = 2000

// tree implements the helper function tree: it lists the names in a folder and its subfolders,
// without what git ignores.
func (h *cellHost) tree(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[cellFile](raw)
	if err != nil {
		return nil, err
	}
	top, err := h.cells.env.Workspace.ResolveDir(strings.TrimPrefix(path.Clean(args.Path), "./"))
	if err != nil {
		return nil, err
	}
	base := top.Rel()
	seen := map[string]bool{}
	err = Files(ctx, h.cells.env.Workspace, func(name string, _ time.Time) bool {
		rest, below := name, true
		if base != "" && base != "." {
			rest, below = strings.CutPrefix(name, base+"/")
		}
		parts := strings.Split(rest, "/")
		for i, part := range parts {
			if !below || !args.Hidden && strings.HasPrefix(part, ".") || args.Depth > 0 && i >= args.Depth {
				break
			}
			entry := strings.Join(parts[:i+1], "/")
			if i < len(parts)-1 {
				entry += "/"
			}
			seen[entry] = true
		}
		return len(seen) < maxTree
	})
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, "\n"), err
}

// diff implements the helper function diff: it compares two files by a call of the tool diff.
func (h *cellHost) diff(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		A string `json:"a"`
		B string `json:"b"`
	}](raw)
	if err != nil {
		return nil, err
	}
	return h.text(ctx, "diff", map[string]string{"path_a": args.A, "path_b": args.B})
}

// output implements the helper function output: it returns the result of a subagent, or an earlier
// output that was stored.
func (h *cellHost) output(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		ID string `json:"id"`
	}](raw)
	if err != nil {
		return nil, err
	}
	address := args.ID
	switch {
	case isAddress(address):
	case IsOutput(address):
		address = "artifact://" + address
	default:
		address = agentScheme + "://" + address
	}
	return h.text(ctx, "read_file", map[string]string{"path": address})
}

// tool implements the helper function tool: it makes a call of any tool.
func (h *cellHost) tool(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	}](raw)
	if err != nil {
		return nil, err
	}
	return h.text(ctx, args.Name, args.Args)
}

// respondName is the name of the tool that a model is forced to call when its answer must match a
// schema.
const respondName = "respond"

// completion implements the helper function completion: it asks a model for one answer. With a
// schema the answer is JSON that matches it.
func (h *cellHost) completion(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Prompt string          `json:"prompt"`
		Model  string          `json:"model,omitempty"`
		System string          `json:"system,omitempty"`
		Schema json.RawMessage `json:"schema,omitempty"`
	}](raw)
	switch {
	case err != nil:
		return nil, err
	case h.caller == nil:
		return nil, errors.New("no model can be asked here")
	case strings.TrimSpace(args.Prompt) == "":
		return nil, errors.New("the prompt is empty")
	case args.Model == "":
		args.Model = "default"
	}
	req := provider.Request{System: args.System, Messages: []provider.Message{{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: args.Prompt}}}}}
	if len(args.Schema) > 0 {
		req.Tools, req.Force = []provider.Tool{{Name: respondName, Description: "Give the answer.",
			Schema:   args.Schema,
			ReadOnly: true}}, respondName
	}
	answer, err := h.caller.Complete(ctx, args.Model, req)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, p := range answer.Parts {
		switch p := p.(type) {
		case provider.Text:
			text.WriteString(p.Text)
		case provider.ToolCall:
			if req.Force != "" && p.Name == respondName && json.Valid(p.Input) {
				return p.Input, nil
			}
		}
	}
	switch {
	case req.Force != "":
		return nil, errors.New("the model gave no answer of that form")
	case strings.TrimSpace(text.String()) == "":
		return nil, errors.New("the model gave an empty answer")
	}
	return text.String(), nil
}

// agent implements the helper function agent: it lets a subagent work, by a call of task, and
// returns its result.
func (h *cellHost) agent(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Prompt    string          `json:"prompt"`
		AgentType string          `json:"agentType,omitempty"`
		Model     string          `json:"model,omitempty"`
		Label     string          `json:"label,omitempty"`
		Schema    json.RawMessage `json:"schema,omitempty"`
	}](raw)
	if err != nil {
		return nil, err
	}
	if args.AgentType == "" {
		args.AgentType = "task"
	}
	ctx = withAgentWish(ctx, agentWish{model: args.Model, output: args.Schema})
	item := map[string]string{"assignment": args.Prompt}
	if args.Label != "" {
		item["id"] = args.Label
	}
	r, err := h.call(ctx, TaskName, map[string]any{"agent": args.AgentType, "context": " ", "tasks": []any{item}})
	if err != nil {
		return nil, err
	}
	list, _ := r.Data.([]AgentResult)
	switch {
	case len(list) != 1:
		return nil, errors.New("the agent gave no result")
	case list[0].Err != nil:
		return nil, fmt.Errorf("%s: %w", list[0].ID, list[0].Err)
	case len(args.Schema) == 0:
		return list[0].Text, nil
	case !json.Valid([]byte(list[0].Text)):
		return nil, fmt.Errorf("%s gave a result that is no JSON", list[0].ID)
	}
	return json.RawMessage(list[0].Text), nil
}
