package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-dap"

	debug "github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
)

// move lets the program continue or step, or pauses it, as the action says.
func (t *debugTool) move(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	timedOut := false
	if r.Action == "pause" {
		err = s.Pause(ctx)
	} else {
		command := map[string]string{"continue": "continue", "step_over": "next", "step_in": "stepIn",
			"step_out": "stepOut"}[r.Action]
		timedOut, err = s.Resume(ctx, command)
	}
	if err != nil {
		return "", "", err
	}
	sum := s.Summary()
	lines := []string{t.snapshot(sum)}
	verb := map[string]string{"continue": "Program", "step_over": "Step over", "step_in": "Step in",
		"step_out": "Step out", "pause": "Program"}[r.Action]
	switch {
	case timedOut:
		lines = append(lines, fmt.Sprintf("Program is still running after %ds. Use pause to interrupt and inspect "+
			"state.", int(r.timeout.Seconds())))
	case sum.Status == debug.Stopped:
		where := t.location(sum)
		if where == "" {
			where = "unknown location"
		}
		lines = append(lines, verb+" stopped at "+where+".")
	case sum.Status == debug.Terminated && sum.ExitCode != nil:
		lines = append(lines, fmt.Sprintf("Program terminated with exit code %d.", *sum.ExitCode))
	case sum.Status == debug.Terminated:
		lines = append(lines, "Program terminated.")
	default:
		lines = append(lines, "Program is running.")
	}
	return strings.Join(lines, "\n"), sum.Status, nil
}

// frame returns the id of the stack frame in the request, or of the current one. ok is false if
// there is none.
func (r debugRequest) frame(s *debug.Session) (id int, ok bool) {
	if r.FrameID != nil {
		return *r.FrameID, true
	}
	return s.Frame()
}

// evaluate carries out the action evaluate: the debug adapter evaluates an expression.
func evaluate(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	args := map[string]any{"expression": r.Expression, "context": "repl"}
	if r.Context != "" {
		args["context"] = r.Context
	}
	if frame, ok := r.frame(s); ok {
		args["frameId"] = frame
	}
	var body dap.EvaluateResponseBody
	if err := s.Ask(ctx, "evaluate", args, &body); err != nil {
		return "", "", err
	}
	text = "Result: " + body.Result
	if body.Type != "" {
		text += "\nType: " + body.Type
	}
	if body.VariablesReference > 0 {
		text += fmt.Sprintf("\nVariables ref: %d", body.VariablesReference)
	}
	return text, "evaluated", nil
}

// custom carries out the action custom_request: it sends the request that the model has written.
func custom(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	var body rawBody
	var args any
	if r.Arguments != nil {
		args = r.Arguments
	}
	if err := s.Ask(ctx, r.Command, args, &body); err != nil {
		return "", "", err
	}
	text = "null"
	if len(body) > 0 && string(body) != "null" {
		text = indented([]byte(body), "")
	}
	return titled(r.Command, 80) + " response:\n" + text, bytesWord(len(body)), nil
}

// rawBody is the JSON body of an answer, not decoded.
type rawBody []byte

// UnmarshalJSON implements json.Unmarshaler. It copies data.
func (b *rawBody) UnmarshalJSON(data []byte) error {
	*b = append(rawBody{}, data...)
	return nil
}

// requires returns nil if able is true, else an error that the debug adapter does not support what.
func requires(able bool, what string) error {
	if able {
		return nil
	}
	return failed("Active adapter does not support %s.", what)
}

// breakpoint sets or removes a breakpoint, and returns the list of all breakpoints of its kind.
func (t *debugTool) breakpoint(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string,
	err error) {
	can, remove := s.Can(), strings.HasPrefix(r.Action, "remove_")
	b := debug.Breakpoint{Condition: r.Condition, HitCondition: r.Hit}
	title := "Function breakpoints:"
	switch {
	case r.Action == "data_breakpoint_info":
		if err := requires(can.SupportsDataBreakpoints, "data breakpoints"); err != nil {
			return "", "", err
		}
		return dataInfo(ctx, s, r)
	case strings.HasSuffix(r.Action, "instruction_breakpoint"):
		title, b.Instruction, b.Offset = "Instruction breakpoints:", r.Instruction, r.Offset
		err = requires(can.SupportsInstructionBreakpoints, "instruction breakpoints")
	case strings.HasSuffix(r.Action, "data_breakpoint"):
		title, b.DataID, b.Access = "Data breakpoints:", r.DataID, r.Access
		err = requires(can.SupportsDataBreakpoints, "data breakpoints")
	case r.Function != "":
		b.Function = r.Function
		err = requires(can.SupportsFunctionBreakpoints, "function breakpoints")
	default:
		title, b.Line = "Breakpoints for "+t.place(r.file)+":", r.Line
	}
	if err == nil && b.Condition != "" && !remove {
		err = requires(can.SupportsConditionalBreakpoints, "conditions of breakpoints")
	}
	if err != nil {
		return "", "", err
	}
	list, err := s.SetBreakpoint(ctx, r.file, b, remove)
	if err != nil {
		return "", "", err
	}
	lines := []string{title}
	for _, one := range list {
		lines = append(lines, "- "+breakpointLine(one))
	}
	if len(list) == 0 {
		lines = append(lines, "(none)")
	}
	return strings.Join(lines, "\n"), count(len(list), "breakpoint"), nil
}

// breakpointLine returns a breakpoint as one line.
func breakpointLine(b debug.Breakpoint) string {
	text := b.Function + b.DataID
	switch {
	case b.Line != 0:
		text = fmt.Sprintf("line %d", b.Line)
	case b.Instruction != "" && b.Offset != 0:
		text = fmt.Sprintf("%s%+d", b.Instruction, b.Offset)
	case b.Instruction != "":
		text = b.Instruction
	}
	text = escaped(text)
	if b.Verified {
		text += ": verified"
	} else {
		text += ": pending"
	}
	for _, part := range []struct{ before, value, after string }{{" (", b.Access, ")"}, {" if ", b.Condition, ""},
		{" after ", b.HitCondition, ""}, {" (", b.Message, ")"}} {
		if part.value != "" {
			text += part.before + escaped(part.value) + part.after
		}
	}
	return text
}

// dataInfo carries out the action data_breakpoint_info: it asks whether a variable can have a data
// breakpoint.
func dataInfo(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	args := map[string]any{"name": r.Name}
	switch {
	case r.VariableRef != nil:
		args["variablesReference"] = *r.VariableRef
	case r.ScopeID != nil:
		args["variablesReference"] = *r.ScopeID
	default:
		if frame, ok := r.frame(s); ok {
			args["frameId"] = frame
		}
	}
	var body dap.DataBreakpointInfoResponseBody
	if err := s.Ask(ctx, "dataBreakpointInfo", args, &body); err != nil {
		return "", "", err
	}
	lines := []string{"Data breakpoint info: " + escaped(body.Description)}
	id, known := body.DataId.(string)
	if !known || id == "" {
		id = "(not available)"
	}
	lines = append(lines, "Data ID: "+id)
	if len(body.AccessTypes) > 0 {
		words := []string{}
		for _, a := range body.AccessTypes {
			words = append(words, string(a))
		}
		lines = append(lines, "Access types: "+strings.Join(words, ", "))
	}
	if body.CanPersist {
		lines = append(lines, "Persistent: yes")
	}
	return strings.Join(lines, "\n"), "info", nil
}
