package dap

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-dap"
)

// Breakpoint is a breakpoint that was asked for, with what the adapter says of it. Which of the
// first fields are set says of which kind it is.
type Breakpoint struct {
	Line        int    // of a file
	Function    string // a function
	Instruction string // an address, with Offset
	Offset      int
	DataID      string // a variable, with Access
	Access      string

	Condition, HitCondition string

	Verified bool
	Message  string
	ID       int
}

// same reports whether b is in the place of o.
func (b Breakpoint) same(o Breakpoint) bool {
	return b.Line == o.Line && b.Function == o.Function && b.Instruction == o.Instruction && b.Offset == o.Offset &&
		b.DataID == o.DataID
}

// arguments returns the breakpoint as the protocol has it.
func (b Breakpoint) arguments() map[string]any {
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

// breakpoints are those that a session has: the adapter is told all of a kind at a time.
type breakpoints struct {
	files        map[string][]Breakpoint // by absolute path
	functions    []Breakpoint
	instructions []Breakpoint
	data         []Breakpoint
}

// SetBreakpoint sets a breakpoint, in place of the one that is there, or removes it. file is for
// one with a line. It returns those of the same kind, or of the same file.
func (s *Session) SetBreakpoint(ctx context.Context, file string, b Breakpoint, remove bool) ([]Breakpoint, error) {
	list := &s.breakpoints.functions
	command, args := "setFunctionBreakpoints", map[string]any{}
	switch {
	case b.Line != 0:
		of := s.breakpoints.files[file]
		list, command = &of, "setBreakpoints"
		args["source"] = map[string]any{"path": file}
	case b.Instruction != "":
		list, command = &s.breakpoints.instructions, "setInstructionBreakpoints"
	case b.DataID != "":
		list, command = &s.breakpoints.data, "setDataBreakpoints"
	}
	next := slices.DeleteFunc(slices.Clone(*list), b.same)
	if !remove {
		next = append(next, b)
	}
	all := []any{}
	for _, one := range next {
		all = append(all, one.arguments())
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
	if err := s.tellAll(ctx, command+" "+file, request{command, args}, &body); err != nil {
		return nil, err
	}
	for i := range next {
		next[i].Verified, next[i].Message, next[i].ID = false, "", 0
		if i < len(body.Breakpoints) {
			got := body.Breakpoints[i]
			next[i].Verified, next[i].Message, next[i].ID = got.Verified, got.Message, got.Id
			if b.Line != 0 && got.Line != 0 && got.Line != next[i].Line && next[i].Message == "" {
				next[i].Message = movedTo(got.Line)
			}
		}
	}
	*list = next
	if b.Line != 0 {
		s.breakpoints.files[file] = next
	}
	return slices.Clone(next), nil
}

// movedTo says that an adapter took another line than it was asked for.
func movedTo(line int) string { return fmt.Sprintf("moved to line %d", line) }
