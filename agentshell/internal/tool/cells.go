package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// CellsOwner is the owner of the tool eval in a Registry. A tool with an owner is hidden behind the
// tool search when MCP servers offer too many tools.
const CellsOwner = "eval"

// EvalName is the name of the tool that runs code cells.
const EvalName = "eval"

// cellTime is the default time limit of a code cell in seconds, and maxCellTime the longest that
// the model may set. maxCells is the number of cells in one call.
const (
	cellTime    = 30
	maxCellTime = 600
	maxCells    = 64
)

// Cells runs the code cells of one conversation, which share their variables. It is safe for use by
// several goroutines.
type Cells struct {
	env     Env
	service *eval.Service
	// way controls the network access of the interpreters.
	way *wayOut
	// known returns the languages that are installed. The result does not change, because the model
	// is told only once.
	known func() []eval.Language
}

// CellsConfig holds the options of [NewCells].
type CellsConfig struct {
	Languages []eval.Language
	Width     int  // Width is how many functions the helpers parallel and pipeline call at the same time; 0: all.
	Jupyter   bool // Jupyter runs Python cells in a Jupyter kernel if one is installed.
	Options   helper.Options
	Grace     time.Duration // Grace is the field of the same name in [eval.Config].
}

// NewCells returns the code cells of a conversation whose tools use env. It starts no interpreter.
func NewCells(env Env, c CellsConfig) *Cells {
	cells := &Cells{env: env, way: &wayOut{hosts: env.Confinement.Hosts}}
	config := eval.Config{Languages: c.Languages, Dir: env.Workspace.Dir(), Env: HelperEnviron(env.Commands.Environ),
		Family:  env.Commands.family(),
		Secrets: env.Secrets, Width: c.Width, Options: c.Options,
		Grace: c.Grace,
		// The sandbox of macOS allows no sockets.
		Jupyter: c.Jupyter && (env.Confinement.Cell == nil || runtime.GOOS == "linux")}
	if env.Confinement.Cell != nil {
		config.Cell = cells.confine
	}
	cells.service = eval.NewService(config)
	cells.known = sync.OnceValue(cells.service.Languages)
	return cells
}

// confine makes the sandbox of an interpreter, which may reach the same hosts as commands. shared
// is a folder in which the interpreter may write.
func (c *Cells) confine(cmd *exec.Cmd, shared string) (*sandbox.Cell, error) {
	reach := Reach{Shared: shared}
	if c.env.Confinement.Hosts != nil {
		p := &proxy.Proxy{Hosts: c.env.Confinement.Hosts, Refused: c.way.unreached.Refuse, Failed: c.way.unreached.Fail}
		reach.Out = func(l net.Listener) { p.Serve(context.Background(), l) }
	}
	return c.env.Confinement.Cell(cmd, reach)
}

// Tools returns the tool eval, which runs these cells.
func (c *Cells) Tools() []Tool { return []Tool{&evalTool{c}} }

// Status returns the states of the interpreters.
func (c *Cells) Status() []helper.Status { return c.service.Status() }

// Stop ends the interpreter of a language, "py" or "js". The next cell in this language starts it
// again.
func (c *Cells) Stop(language string) error { return c.service.Stop(eval.Language(language)) }

// Close ends all interpreters.
func (c *Cells) Close() { c.service.Close() }

// evalTool is the tool eval. It runs code cells.
type evalTool struct{ cells *Cells }

type evalArgs struct {
	Cells []evalCell `json:"cells" doc:"Run in order; the first that fails ends the call."`
}

type evalCell struct {
	Language string `json:"language" enum:"py js" doc:"py is Python, js JavaScript."`
	Code     string `json:"code" doc:"The code, as it is."`
	Title    string `json:"title,omitempty" doc:"A few words for the user."`
	Timeout  *int   `json:"timeout" doc:"Seconds, 30 if missing. Time in tool, agent and completion does not count." min:"1" max:"600"`
	Reset    bool   `json:"reset,omitempty" doc:"Forget all names of this language before."`
}

// Traits implements Tool.
func (t *evalTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindRuns}
}

// evalText is the beginning of the tool's description for the model.
const evalText = "Run cells of code, which keep their names from call to call, in the directory of the " +
	"workspace. Use it " +
	"in place of python -c and node -e. await works at the top level; the value of the last expression is " +
	"shown. Both " +
	"languages have: display(value) for JSON, Markdown, tables and pictures, read(path), write(path, text), " +
	"append, " +
	"tree(path), diff(a, b), output(id), env, sort, uniq, counter, tool.NAME(arguments) for any of your tools, " +
	"completion(prompt, schema) for an answer of a model, agent(prompt) for the work of an agent, " +
	"parallel(functions) and pipeline(items, stages...) for much of it side by side. write and tool ask the user " +
	"as your own calls do. Nothing can be typed in."

// Spec implements Tool. The description depends on which languages are installed.
func (t *evalTool) Spec() provider.Tool {
	text := evalText
	known := t.languages()
	for _, l := range known {
		switch l {
		case eval.Python:
			text += " In Python the helpers are plain functions with keyword arguments: read(p, offset=1, " +
				"limit=9), " +
				"tool.search(pattern=\"x\"). Do not use asyncio.run at the top level."
		case eval.JavaScript:
			text += " In JavaScript the helpers give promises and take options last: await read(p, {offset: 1}), " +
				"await tool.search({pattern: \"x\"}). import and return work at the top level."
		}
	}
	if len(known) == 1 {
		text += " Only " + known[0].Name() + " is installed here."
	}
	return provider.Tool{Name: EvalName, Schema: schemaOf[evalArgs](), Description: text}
}

// languages returns the languages in which cells can run.
func (t *evalTool) languages() []eval.Language {
	if t.cells == nil {
		return []eval.Language{eval.Python, eval.JavaScript}
	}
	return t.cells.known()
}

// Prepare implements Tool.
func (t *evalTool) Prepare(_ context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[evalArgs](input)
	if err != nil {
		return Call{}, err
	}
	switch {
	case len(args.Cells) == 0:
		return Call{}, invalidArgs("cells is empty: name one cell at least")
	case len(args.Cells) > maxCells:
		return Call{}, invalidArgs("cells are %d; one call takes %d at most", len(args.Cells), maxCells)
	}
	size := 0
	for i, c := range args.Cells {
		if size += len(c.Code); strings.TrimSpace(c.Code) == "" {
			return Call{}, invalidArgs("cells[%d] has no code", i)
		}
		if err := t.available(eval.Language(c.Language)); err != nil {
			return Call{}, err
		}
	}
	if size > maxCommand {
		return Call{}, invalidArgs("the code is too long: %d bytes > %d", size, maxCommand)
	}
	call := Call{Title: titled(args.title(), 200), Proposal: t.cells.proposal(id, args.Cells), Mutates: true,
		Confined: t.cells.env.Confinement.Cell != nil}
	call.Run = func(ctx context.Context, progress func(string)) (Result, error) {
		return t.cells.run(ctx, args.Cells, progress)
	}
	call.Proposal.Subject = call.Subject(EvalName)
	return call, nil
}

// available returns an error if cells in that language cannot run here.
func (t *evalTool) available(l eval.Language) error {
	err := t.cells.service.Available(l)
	var missing *helper.Missing
	switch {
	case errors.As(err, &missing):
		return &Error{Code: "not_found", Text: missing.Error()}
	case err != nil:
		return failed("%v", err)
	}
	return nil
}

// title returns one line that describes the cells.
func (a evalArgs) title() string {
	var parts []string
	for _, c := range a.Cells {
		about := c.Title
		if about == "" {
			about, _, _ = strings.Cut(strings.TrimSpace(c.Code), "\n")
		}
		parts = append(parts, c.Language+" "+about)
	}
	return EvalName + " " + strings.Join(parts, "; ")
}

// time returns how long the cell may run.
func (c evalCell) time() time.Duration {
	seconds := cellTime
	if c.Timeout != nil {
		seconds = min(max(*c.Timeout, 1), maxCellTime)
	}
	return time.Duration(seconds) * time.Second
}

// head returns a comment, in the language of the cell, that stands above its code in a proposal. i
// is the index of the cell, and n the number of cells.
func (c evalCell) head(i, n int) string {
	mark := "#"
	if c.Language == string(eval.JavaScript) {
		mark = "//"
	}
	text := eval.Language(c.Language).Name()
	if n > 1 {
		text = fmt.Sprintf("cell %d of %d, %s", i+1, n, text)
	}
	if c.Title != "" {
		text += ": " + strings.Join(strings.Fields(c.Title), " ")
	}
	if c.Reset {
		text += " (all its names are forgotten before)"
	}
	return mark + " " + text
}

// cellsAsked returns the number of the cells and their languages as words, such as "2 cells of
// Python".
func cellsAsked(list []evalCell) string {
	var languages []string
	for _, cell := range list {
		if name := eval.Language(cell.Language).Name(); !slices.Contains(languages, name) {
			languages = append(languages, name)
		}
	}
	number := "a cell"
	if len(list) > 1 {
		number = fmt.Sprintf("%d cells", len(list))
	}
	return number + " of " + strings.Join(languages, " and ")
}

// proposal returns the question whether the cells may run. It shows all of their code and what the
// code may reach.
func (c *Cells) proposal(id string, list []evalCell) *approval.Proposal {
	var text strings.Builder
	seconds := 0
	for i, cell := range list {
		fmt.Fprintf(&text, "%s\n%s\n", cell.head(i, len(list)), strings.TrimRight(cell.Code, "\n"))
		seconds += int(cell.time() / time.Second)
	}
	code := strings.TrimRight(text.String(), "\n")
	root := c.env.Workspace.RootPath()
	note := noteFree
	switch {
	case c.env.Confinement.Cell != nil && c.env.Confinement.Hosts != nil && c.env.Confinement.Hosts.Any():
		note = noteHosts
	case c.env.Confinement.Cell != nil:
		note = noteConfined
	}
	p := &approval.Proposal{ID: c.env.newID(), Call: id, Tool: EvalName, Notes: []string{note},
		Payload: approval.Command{Base: approval.Base{Kind: "command", Path: root.String(), Sandbox: root.Root(),
			Description: "Run " + diff.Escape(code)}, Command: code, TimeoutS: seconds, Simple: []string{},
			Effects: []approval.Effect{}, Note: note, What: cellsAsked(list)}}
	if n := approval.CountHidden(code); n > 0 {
		p.Flags = append(p.Flags, approval.Flag{Name: approval.FlagHidden,
			Text: count(n, "hidden character") + " in the code"})
	}
	return p
}
