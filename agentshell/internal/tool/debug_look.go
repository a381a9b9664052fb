package tool

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/google/go-dap"

	debug "github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxDebugRows is the number of lines in a list of the tool debug. maxDebugValue is the number of
// bytes that are shown of one value.
const (
	maxDebugRows  = 500
	maxDebugValue = 4 << 10
)

// rows returns a title and at most maxDebugRows of the lines. If there are no lines, none stands in
// their place.
func rows(title, none string, lines []string) string {
	if len(lines) == 0 {
		lines = []string{none}
	}
	more := len(lines) - maxDebugRows
	if more > 0 {
		lines = append(lines[:maxDebugRows:maxDebugRows], fmt.Sprintf("... %d more", more))
	}
	return title + "\n" + strings.Join(lines, "\n")
}

// look returns the threads, the stack, the scopes or the variables of a stopped program, as the
// action says.
func (t *debugTool) look(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	var lines []string
	switch r.Action {
	case "threads":
		threads, err := s.Threads(ctx)
		if err != nil {
			return "", "", err
		}
		for _, thread := range threads {
			lines = append(lines, fmt.Sprintf("- %d: %s", thread.Id, escaped(thread.Name)))
		}
		return rows("Threads:", "(none)", lines), count(len(threads), "thread"), nil
	case "stack_trace":
		frames, err := s.StackTrace(ctx, r.Levels)
		if err != nil {
			return "", "", err
		}
		for _, f := range frames {
			lines = append(lines, fmt.Sprintf("- #%d %s @ %s", f.Id, escaped(f.Name), t.frameSpot(f)))
		}
		return rows("Stack trace:", "(empty)", lines), count(len(frames), "frame"), nil
	case "scopes":
		return scopes(ctx, s, r)
	}
	reference := 0
	if r.VariableRef != nil {
		reference = *r.VariableRef
	} else {
		reference = *r.ScopeID
	}
	list, err := s.Variables(ctx, reference)
	if err != nil {
		return "", "", err
	}
	for _, v := range list {
		lines = append(lines, variableLine(v))
	}
	return rows("Variables:", "(none)", lines), count(len(list), "variable"), nil
}

// frameSpot returns the source position of a stack frame, or its address if that is all that is
// known.
func (t *debugTool) frameSpot(f dap.StackFrame) string {
	switch {
	case f.Source != nil && f.Source.Path != "":
		return t.spot(f.Source.Path, f.Line, f.Column)
	case f.InstructionPointerReference != "":
		return "<unknown> " + escaped(f.InstructionPointerReference)
	}
	return fmt.Sprintf("<unknown>:%d", f.Line)
}

// variableLine returns a variable as one line.
func variableLine(v dap.Variable) string {
	value := v.Value
	if len(value) > maxDebugValue {
		value = width.Head(value, maxDebugValue) + "... [cut]"
	}
	text := "- " + escaped(v.Name) + " = " + strings.ReplaceAll(value, "\n", `\n`)
	if v.Type != "" {
		text += " (" + escaped(width.Head(v.Type, 200)) + ")"
	}
	if v.MemoryReference != "" {
		text += " [memory=" + escaped(v.MemoryReference) + "]"
	}
	if v.VariablesReference > 0 {
		text += fmt.Sprintf(" [ref=%d]", v.VariablesReference)
	}
	return text
}

// scopes returns the list of scopes in a stack frame.
func scopes(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	frame, ok := r.frame(s)
	if !ok {
		return "", "", failed("No active stack frame. Run stack_trace first or supply frame_id.")
	}
	var body dap.ScopesResponseBody
	if err := s.Ask(ctx, "scopes", map[string]any{"frameId": frame}, &body); err != nil {
		return "", "", err
	}
	var lines []string
	for _, scope := range body.Scopes {
		expensive := "no"
		if scope.Expensive {
			expensive = "yes"
		}
		line := fmt.Sprintf("- %s: ref=%d, expensive=%s", escaped(scope.Name), scope.VariablesReference, expensive)
		if scope.PresentationHint != "" {
			line += ", hint=" + escaped(scope.PresentationHint)
		}
		lines = append(lines, line)
	}
	return rows("Scopes:", "(none)", lines), count(len(lines), "scope"), nil
}

// memory reads, writes or disassembles memory of the program, as the action says.
func (t *debugTool) memory(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	can := s.Can()
	switch r.Action {
	case "disassemble":
		if err := requires(can.SupportsDisassembleRequest, "disassembly"); err != nil {
			return "", "", err
		}
		return t.disassemble(ctx, s, r)
	case "read_memory":
		if err := requires(can.SupportsReadMemoryRequest, "memory reads"); err != nil {
			return "", "", err
		}
		return readMemory(ctx, s, r)
	}
	if err := requires(can.SupportsWriteMemoryRequest, "memory writes"); err != nil {
		return "", "", err
	}
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		return "", "", invalidArgs("data is no base64: %v", err)
	}
	var body dap.WriteMemoryResponseBody
	err = s.Ask(ctx, "writeMemory", map[string]any{"memoryReference": r.Memory, "offset": r.Offset, "data": r.Data,
		"allowPartial": r.Partial}, &body)
	if err != nil {
		return "", "", err
	}
	written := body.BytesWritten
	if written == 0 && !r.Partial {
		written = len(data) // an adapter that writes all need not say so
	}
	return fmt.Sprintf("Wrote %s to %s.", bytesWord(written), escaped(r.Memory)), bytesWord(written), nil
}

// readMemory returns bytes of the program's memory in hexadecimal and as ASCII.
func readMemory(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	var body dap.ReadMemoryResponseBody
	err = s.Ask(ctx, "readMemory", map[string]any{"memoryReference": r.Memory, "offset": r.Offset, "count": r.Count},
		&body)
	if err != nil {
		return "", "", err
	}
	data, err := base64.StdEncoding.DecodeString(body.Data)
	if err != nil {
		return "", "", fmt.Errorf("the adapter gave memory that is no base64: %w", err)
	}
	data = data[:min(len(data), r.Count)]
	lines := []string{"Memory at " + escaped(body.Address) + ":"}
	for at := 0; at < len(data); at += 16 {
		where := fmt.Sprintf("+0x%x", at)
		if at == 0 {
			where = escaped(body.Address)
		}
		part := data[at:min(at+16, len(data))]
		shown := strings.Map(func(c rune) rune {
			if c < ' ' || c > '~' {
				return '.'
			}
			return c
		}, string(latin(part)))
		lines = append(lines, fmt.Sprintf("%-18s %-47s |%s|", where, fmt.Sprintf("% x", part), shown))
	}
	if len(data) == 0 {
		lines = append(lines, "(no readable bytes)")
	}
	if body.UnreadableBytes > 0 {
		lines = append(lines, fmt.Sprintf("Unreadable bytes: %d", body.UnreadableBytes))
	}
	return strings.Join(lines, "\n"), bytesWord(len(data)), nil
}

// latin returns each byte as the character with the same code point (ISO 8859-1).
func latin(data []byte) []rune {
	text := make([]rune, len(data))
	for i, b := range data {
		text[i] = rune(b)
	}
	return text
}

// disassemble returns machine instructions, by default from the position at which the program has
// stopped.
func (t *debugTool) disassemble(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string,
	err error) {
	reference := r.Memory
	if sum := s.Summary(); reference == "" && sum.Frame != nil {
		reference = sum.Frame.InstructionPointerReference
	}
	if reference == "" {
		return "", "", invalidArgs("disassemble requires memory_reference unless the current stop location has an " +
			"instruction pointer reference")
	}
	var body dap.DisassembleResponseBody
	err = s.Ask(ctx, "disassemble", map[string]any{"memoryReference": reference, "offset": r.Offset,
		"instructionOffset": r.IOffset, "instructionCount": r.ICount, "resolveSymbols": r.Symbols}, &body)
	if err != nil {
		return "", "", err
	}
	var lines []string
	for _, i := range body.Instructions[:min(len(body.Instructions), r.ICount)] {
		line := strings.TrimSpace(fmt.Sprintf("%s  %s  %s", escaped(i.Address), escaped(i.InstructionBytes),
			escaped(i.Instruction)))
		if i.Symbol != "" {
			line += "  <" + escaped(i.Symbol) + ">"
		}
		if i.Location != nil && i.Location.Path != "" {
			line += "  [" + t.spot(i.Location.Path, i.Line, i.Column) + "]"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"(empty)"}
	}
	return "Disassembly:\n" + strings.Join(lines, "\n"), count(len(body.Instructions), "instruction"), nil
}

// loaded returns the list of modules or of source files that the program has loaded.
func (t *debugTool) loaded(ctx context.Context, s *debug.Session, r debugRequest) (text, summary string, err error) {
	can := s.Can()
	var lines []string
	if r.Action == "modules" {
		if err := requires(can.SupportsModulesRequest, "modules"); err != nil {
			return "", "", err
		}
		args := map[string]any{"startModule": r.StartModule}
		if r.ModuleCount > 0 {
			args["moduleCount"] = r.ModuleCount
		}
		var body dap.ModulesResponseBody
		if err := s.Ask(ctx, "modules", args, &body); err != nil {
			return "", "", err
		}
		for _, m := range body.Modules {
			line := fmt.Sprintf("- %v: %s", m.Id, m.Name)
			for _, part := range []string{m.Path, m.SymbolStatus, m.AddressRange} {
				if part != "" {
					line += "  " + part
				}
			}
			lines = append(lines, escaped(line))
		}
		return rows("Modules:", "(none)", lines), count(len(lines), "module"), nil
	}
	if err := requires(can.SupportsLoadedSourcesRequest, "loaded sources"); err != nil {
		return "", "", err
	}
	var body dap.LoadedSourcesResponseBody
	if err := s.Ask(ctx, "loadedSources", nil, &body); err != nil {
		return "", "", err
	}
	for _, source := range body.Sources {
		line := "- " + escaped(source.Name)
		if source.Path != "" {
			line = "- " + t.place(source.Path)
		}
		if source.SourceReference > 0 {
			line += fmt.Sprintf(" [ref=%d]", source.SourceReference)
		}
		lines = append(lines, line)
	}
	return rows("Loaded sources:", "(none)", lines), count(len(lines), "source"), nil
}
