package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// DebugOwner is the owner of the tool debug in a Registry. A tool with an owner is hidden behind
// the tool search when MCP servers offer too many tools.
const DebugOwner = "debug"

// DebugName is the name of the tool with which a model uses a debugger.
const DebugName = "debug"

// debugTool is the tool debug. It controls a debugger. A workspace has at most one debug session at
// a time.
type debugTool struct {
	env     Env
	service *dap.Service
}

// Debug returns the tool debug, which controls the debug session of a service.
func Debug(env Env, service *dap.Service) []Tool { return []Tool{&debugTool{env, service}} }

type debugArgs struct {
	Action      string         `json:"action" enum:"launch attach set_breakpoint remove_breakpoint set_instruction_breakpoint remove_instruction_breakpoint data_breakpoint_info set_data_breakpoint remove_data_breakpoint continue step_over step_in step_out pause evaluate stack_trace threads scopes variables disassemble read_memory write_memory modules loaded_sources custom_request output terminate sessions" doc:"What to do."`
	Program     string         `json:"program,omitempty" doc:"For launch: the program, a script, or a Go package directory."`
	Args        []string       `json:"args,omitempty" doc:"Arguments of the program."`
	Adapter     string         `json:"adapter,omitempty" doc:"The debugger: dlv, debugpy, gdb, lldb-dap, js-debug. Chosen by the program if missing."`
	Cwd         string         `json:"cwd,omitempty" doc:"Working directory of the program."`
	File        string         `json:"file,omitempty" doc:"Source file of a breakpoint."`
	Line        int            `json:"line,omitempty" doc:"Its line, from 1." min:"1" max:"10000000"`
	Function    string         `json:"function,omitempty" doc:"Function of a breakpoint, in place of file and line."`
	Name        string         `json:"name,omitempty" doc:"For data_breakpoint_info: the variable."`
	Condition   string         `json:"condition,omitempty" doc:"Expression under which a breakpoint stops."`
	Hit         string         `json:"hit_condition,omitempty" doc:"Count of hits at which an instruction or data breakpoint stops."`
	Expression  string         `json:"expression,omitempty" doc:"For evaluate: an expression, or a command of the debugger."`
	Context     string         `json:"context,omitempty" doc:"For evaluate: repl, watch, hover, variables or clipboard; repl if missing."`
	FrameID     *int           `json:"frame_id" doc:"Frame; the current one if missing."`
	ScopeID     *int           `json:"scope_id" doc:"Reference of a scope, for variables."`
	VariableRef *int           `json:"variable_ref" doc:"Reference of a variable, for variables."`
	PID         int            `json:"pid,omitempty" doc:"For attach: a process." min:"1" max:"2147483647"`
	Port        int            `json:"port,omitempty" doc:"For attach: a port where a debugger listens." min:"1" max:"65535"`
	Host        string         `json:"host,omitempty" doc:"Its host; 127.0.0.1 if missing."`
	Levels      int            `json:"levels,omitempty" doc:"Most frames of stack_trace." min:"1" max:"1000"`
	Memory      string         `json:"memory_reference,omitempty" doc:"Address, for disassemble, read_memory and write_memory."`
	Instruction string         `json:"instruction_reference,omitempty" doc:"Address of an instruction breakpoint."`
	Count       int            `json:"count,omitempty" doc:"For read_memory: bytes." min:"1" max:"65536"`
	ICount      int            `json:"instruction_count,omitempty" doc:"For disassemble: instructions." min:"1" max:"2000"`
	IOffset     int            `json:"instruction_offset,omitempty" doc:"For disassemble: instructions to skip; may be negative."`
	Data        string         `json:"data,omitempty" doc:"For write_memory: bytes in base64."`
	DataID      string         `json:"data_id,omitempty" doc:"Id of a data breakpoint, from data_breakpoint_info."`
	Access      string         `json:"access_type,omitempty" enum:"read write readWrite" doc:"When a data breakpoint stops."`
	Command     string         `json:"command,omitempty" doc:"For custom_request: the request of the protocol."`
	Arguments   map[string]any `json:"arguments,omitempty" doc:"For custom_request: its arguments."`
	Offset      int            `json:"offset,omitempty" doc:"Bytes from an address."`
	Symbols     bool           `json:"resolve_symbols,omitempty" doc:"For disassemble: with symbols."`
	Partial     bool           `json:"allow_partial,omitempty" doc:"For write_memory: a part may be written."`
	StartModule int            `json:"start_module,omitempty" doc:"First of the modules." min:"0" max:"1000000"`
	ModuleCount int            `json:"module_count,omitempty" doc:"Most modules." min:"1" max:"10000"`
	Timeout     int            `json:"timeout,omitempty" doc:"Seconds, 5 to 300; 30 if missing."`
}

func (t *debugTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindRuns}
}

func (t *debugTool) Spec() provider.Tool {
	return provider.Tool{
		Name: DebugName, Schema: schemaOf[debugArgs](),
		Description: "Debug a program with a debugger (Go, Python, C, C++, Rust, JavaScript): launch or attach, " +
			"breakpoints, continue, step_over, step_in, step_out, pause, stack_trace, scopes, variables, " +
			"evaluate, threads, memory, disassemble, output, terminate. There is one session at a time. A program " +
			"stops when it is launched: set breakpoints then, and continue. If it hangs, pause it. What a program " +
			"and an expression may do counts as a command.",
	}
}

// debugTime is the default time limit of an action. minDebugTime and maxDebugTime bound what the
// model may set.
const (
	debugTime    = 30 * time.Second
	minDebugTime = 5 * time.Second
	maxDebugTime = 300 * time.Second
)

// debugReading lists the actions that only read the state of the session. All others are treated
// like shell commands.
var debugReading = []string{"output", "threads", "stack_trace", "scopes", "variables", "disassemble", "read_memory",
	"loaded_sources", "modules", "sessions"}

// debugRequest holds the checked arguments of a call.
type debugRequest struct {
	debugArgs
	id      string
	timeout time.Duration
	file    string // file is the absolute path of File.
	asked   bool   // asked means that the user is asked, because the action runs code that the model has written.
	confine bool   // confine means that the debugged program runs in a sandbox.
}

// limit returns how long the action may take.
func (r debugRequest) limit() time.Duration {
	if r.Timeout == 0 {
		return debugTime
	}
	return min(max(time.Duration(r.Timeout)*time.Second, minDebugTime), maxDebugTime)
}

// Prepare implements Tool. A call that starts a program, or runs code that the model has written,
// asks the user. A call that only controls a program which the user has allowed to start does not.
func (t *debugTool) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[debugArgs](input)
	if err != nil {
		return Call{}, err
	}
	r := debugRequest{debugArgs: args, id: id}
	r.timeout = r.limit()
	if err := r.missing(); err != nil {
		return Call{}, err
	}
	if r.Action == "launch" || r.Action == "attach" {
		return t.start(ctx, r)
	}
	if r.File != "" {
		p, err := t.env.Workspace.Resolve(r.File)
		if err != nil {
			return Call{}, err
		}
		r.file = t.env.Workspace.Abs(p)
	}
	call := Call{Title: r.title(), Mutates: !slices.Contains(debugReading, r.Action)}
	r.confine = t.service.Confines()
	if last := t.service.Last(); last != nil {
		r.confine = last.Confined
	}
	if r.asked = r.runsCode(); r.asked {
		call.Confined = r.confine
		call.Proposal = t.proposal(r, call)
	} else {
		call.Propose = func(context.Context) (*approval.Proposal, error) { return t.proposal(r, call), nil }
	}
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) { return t.run(ctx, r) }
	return call, nil
}

// runsCode reports whether the action runs code that the model has written, or changes the
// program's memory.
func (r debugRequest) runsCode() bool {
	switch r.Action {
	case "evaluate", "write_memory", "custom_request":
		return true
	case "set_breakpoint", "set_instruction_breakpoint", "set_data_breakpoint":
		return r.Condition != "" || r.Hit != ""
	case "data_breakpoint_info": // the name may be an expression
		return true
	}
	return false
}

// proposal returns the question whether an action may run.
func (t *debugTool) proposal(r debugRequest, call Call) *approval.Proposal {
	note := noteFree
	if r.confine {
		note = noteConfined
	}
	var detail strings.Builder
	for _, part := range []struct{ name, text string }{{"expression", r.Expression}, {"name", r.Name},
		{"condition", r.Condition}, {"hit condition", r.Hit}, {"address", r.Memory + r.Instruction + r.DataID},
		{"data", r.Data}, {"request", r.Command}} {
		if part.text != "" {
			fmt.Fprintf(&detail, "%s\n%s\n\n", part.name, part.text)
		}
	}
	if r.Arguments != nil {
		text, _ := json.MarshalIndent(r.Arguments, "", "  ")
		fmt.Fprintf(&detail, "arguments\n%s\n\n", text)
	}
	prop := &approval.Proposal{ID: t.env.newID(), Call: r.id, Tool: DebugName,
		Payload: approval.Generic{Base: approval.Base{Kind: "foreign", Sandbox: "debug",
			Description: "Debugger: " + strings.TrimPrefix(call.Title, DebugName+" ") + " (" + note + ")"},
			Detail: detail.String()},
		Notes: []string{note}}
	if n := approval.CountHidden(detail.String()); n > 0 {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in what it runs"})
	}
	call.Proposal = prop
	prop.Subject = call.Subject(DebugName)
	return prop
}

// title returns the title of the call.
func (r debugRequest) title() string {
	about := ""
	switch {
	case r.Program != "":
		about = strings.Join(append([]string{r.Program}, r.Args...), " ")
	case r.File != "" && r.Line > 0:
		about = fmt.Sprintf("%s:%d", r.File, r.Line)
	default:
		for _, text := range []string{r.Function, r.Expression, r.Command, r.Memory, r.Instruction, r.DataID, r.Name} {
			if about == "" {
				about = text
			}
		}
	}
	return strings.TrimSpace(DebugName + " " + r.Action + " " + titled(about, 160))
}

// missing returns an error that names an argument which the action needs and which is missing, or
// nil.
func (r debugRequest) missing() error {
	required := func(name, value string) error {
		if value != "" {
			return nil
		}
		return invalidArgs("%s is required for %s", name, r.Action)
	}
	switch r.Action {
	case "launch":
		return required("program", r.Program)
	case "attach":
		if r.PID == 0 && r.Port == 0 {
			return invalidArgs("attach requires pid or port")
		}
	case "set_breakpoint", "remove_breakpoint":
		if (r.File == "" || r.Line == 0) && r.Function == "" {
			return invalidArgs("%s requires file+line or function", r.Action)
		}
		if r.Function != "" && (r.File != "" || r.Line != 0) {
			return invalidArgs("%s takes file+line or function, not both", r.Action)
		}
	case "set_instruction_breakpoint", "remove_instruction_breakpoint":
		return required("instruction_reference", r.Instruction)
	case "data_breakpoint_info":
		return required("name", r.Name)
	case "set_data_breakpoint", "remove_data_breakpoint":
		return required("data_id", r.DataID)
	case "evaluate":
		return required("expression", r.Expression)
	case "variables":
		if r.VariableRef == nil && r.ScopeID == nil {
			return invalidArgs("variables requires variable_ref or scope_id")
		}
	case "custom_request":
		return required("command", r.Command)
	}
	return r.missingMemory()
}

// missingMemory returns the same kind of error as missing, for the actions on memory.
func (r debugRequest) missingMemory() error {
	numbers := map[string]int{"count": r.Count, "instruction_count": r.ICount}
	texts := map[string]string{"memory_reference": r.Memory, "data": r.Data}
	for _, name := range map[string][]string{"disassemble": {"instruction_count"},
		"read_memory": {"memory_reference", "count"}, "write_memory": {"memory_reference", "data"}}[r.Action] {
		if numbers[name] == 0 && texts[name] == "" {
			return invalidArgs("%s is required for %s", name, r.Action)
		}
	}
	return nil
}

// run carries out an action and returns its result.
func (t *debugTool) run(ctx context.Context, r debugRequest) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	var text, summary string
	var err error
	switch r.Action {
	case "sessions":
		text, summary = t.sessions()
	case "terminate":
		text, summary, err = t.terminate(limited)
	case "output":
		text, summary, err = t.output()
	default:
		err = t.service.With(limited, func(s *dap.Session) error {
			if r.asked && r.confine && !s.Confined {
				return failed("the session is another one now, which is not confined: call debug again")
			}
			text, summary, err = t.act(limited, s, r)
			return err
		})
	}
	if err != nil {
		return Result{}, t.asError(err)
	}
	return t.result(ctx, text, summary), nil
}

// act carries out an action that needs a running debug session.
func (t *debugTool) act(ctx context.Context, s *dap.Session, r debugRequest) (text, summary string, err error) {
	switch r.Action {
	case "continue", "step_over", "step_in", "step_out", "pause":
		return t.move(ctx, s, r)
	case "evaluate":
		return evaluate(ctx, s, r)
	case "stack_trace", "threads", "scopes", "variables":
		return t.look(ctx, s, r)
	case "disassemble", "read_memory", "write_memory":
		return t.memory(ctx, s, r)
	case "modules", "loaded_sources":
		return t.loaded(ctx, s, r)
	case "custom_request":
		return custom(ctx, s, r)
	}
	return t.breakpoint(ctx, s, r)
}

// result returns a text as a result, without secrets and control characters, and cut if it is too
// long.
func (t *debugTool) result(ctx context.Context, text, summary string) Result {
	out := &output{redactor: t.env.Secrets.Stream(), keep: t.env.Outputs, left: roomOf(ctx)}
	_, _ = out.Write([]byte(strings.TrimRight(text, "\n") + "\n"))
	out.flush()
	return Result{Text: withoutControls(out.text()), Summary: summary}
}

// withoutControls returns a text with each control character, except line breaks and tabs, replaced
// by U+FFFD.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// asError returns an error of the debug session in the form that the model gets.
func (t *debugTool) asError(err error) error {
	var own *Error
	if errors.As(err, &own) || errors.Is(err, context.Canceled) {
		return err
	}
	text := t.result(context.Background(), err.Error(), "").Text
	return &Error{Code: "tool_failed", Text: strings.TrimRight(text, "\n"), Err: err}
}

// place returns a path for display: relative to the workspace if it lies there.
func (t *debugTool) place(full string) string {
	rel, err := filepath.Rel(t.service.Dir(), full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return diff.Escape(full)
	}
	return diff.Escape(filepath.ToSlash(rel))
}
