package dap

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-dap"
)

// Breakpoint is a breakpoint of a session with its state at the adapter. One of Line, Function,
// Instruction and DataID is set and tells its kind.
type Breakpoint struct {
	Line        int    // Line is the line in a file.
	Function    string // Function is the name of a function.
	Instruction string // Instruction is the address of an instruction; Offset is added to it.
	Offset      int
	DataID      string // DataID identifies a variable; Access says which accesses stop the program.
	Access      string

	Condition, HitCondition string

	Verified bool
	Message  string
	ID       int
}

// isSamePlace reports whether b and o stop at the same place; their conditions may differ.
func (b Breakpoint) isSamePlace(o Breakpoint) bool {
	return b.Line == o.Line && b.Function == o.Function && b.Instruction == o.Instruction && b.Offset == o.Offset &&
		b.DataID == o.DataID
}

// requestArguments returns the breakpoint as an argument of a DAP request.
func (b Breakpoint) requestArguments() map[string]any {
	args := map[string]any{}
	for name, text := range map[string]string{"name": b.Function, "instructionReference": b.Instruction,
		"dataId": b.DataID, "accessType": b.Access, "condition": b.Condition, "hitCondition": b.HitCondition} {
		if text != "" {
			args[name] = text
		}
	}
	if b.Line != 0 {
		args["line"] = b.Line
	}
	if b.Offset != 0 {
		args["offset"] = b.Offset
	}
	return args
}

// breakpointSet holds all breakpoints of a session. A DAP request always replaces all of one kind,
// or all of one file.
type breakpointSet struct {
	// byFile holds the breakpoints with a line, by the absolute path of the file.
	byFile       map[string][]Breakpoint
	functions    []Breakpoint
	instructions []Breakpoint
	data         []Breakpoint
}

// SetBreakpoint sets b, in place of a breakpoint at the same place, or removes it if remove is
// true. file is the path for a breakpoint with a Line. It returns all breakpoints of that kind, or
// of that file.
func (s *Session) SetBreakpoint(ctx context.Context, file string, b Breakpoint, remove bool) ([]Breakpoint, error) {
	list := &s.breakpoints.functions
	command, args := "setFunctionBreakpoints", map[string]any{}
	switch {
	case b.Line != 0:
		of := s.breakpoints.byFile[file]
		list, command = &of, "setBreakpoints"
		args["source"] = map[string]any{"path": file}
	case b.Instruction != "":
		list, command = &s.breakpoints.instructions, "setInstructionBreakpoints"
	case b.DataID != "":
		list, command = &s.breakpoints.data, "setDataBreakpoints"
	}
	next := slices.DeleteFunc(slices.Clone(*list), b.isSamePlace)
	if !remove {
		next = append(next, b)
	}
	all := []any{}
	for _, one := range next {
		all = append(all, one.requestArguments())
	}
	args["breakpoints"] = all
	if b.Line != 0 { // an older form, which some still read
		lines := []int{}
		for _, one := range next {
			lines = append(lines, one.Line)
		}
		args["lines"] = lines
	}
	var body dap.SetBreakpointsResponseBody
	if err := s.configureAll(ctx, command+" "+file, request{command, args}, &body); err != nil {
		return nil, err
	}
	for i := range next {
		next[i].Verified, next[i].Message, next[i].ID = false, "", 0
		if i < len(body.Breakpoints) {
			got := body.Breakpoints[i]
			next[i].Verified, next[i].Message, next[i].ID = got.Verified, got.Message, got.Id
			if b.Line != 0 && got.Line != 0 && got.Line != next[i].Line && next[i].Message == "" {
				next[i].Message = movedToMessage(got.Line)
			}
		}
	}
	*list = next
	if b.Line != 0 {
		s.breakpoints.byFile[file] = next
	}
	return slices.Clone(next), nil
}

// movedToMessage returns the message that the adapter has put a breakpoint on another line than the
// requested one.
func movedToMessage(line int) string { return fmt.Sprintf("moved to line %d", line) }
