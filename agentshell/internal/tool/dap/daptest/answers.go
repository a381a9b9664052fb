package daptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// tell answers a request for information about the program.
func (a *adapter) tell(m request) {
	switch m.Command {
	case "threads":
		list := `[{"id": 1, "name": "main"}]`
		if a.is("tells little") {
			list = `[]`
		}
		a.answer(m.Seq, m.Command, `{"threads": `+list+`}`)
	case "stackTrace":
		a.stackTrace(m)
	case "setBreakpoints", "setFunctionBreakpoints", "setInstructionBreakpoints", "setDataBreakpoints":
		var args struct {
			Breakpoints []json.RawMessage `json:"breakpoints"`
		}
		_ = json.Unmarshal(m.Arguments, &args)
		a.answer(m.Seq, m.Command, fmt.Sprintf(`{"breakpoints": [%s]}`, strings.TrimSuffix(
			strings.Repeat(`{"verified": true},`, len(args.Breakpoints)), ",")))
	case "scopes", "evaluate", "modules", "loadedSources", "disassemble", "readMemory", "writeMemory",
		"dataBreakpointInfo", "variables", "setExceptionBreakpoints", "echo":
		a.answer(m.Seq, m.Command, a.body(m))
	case "refuse":
		a.refuse(m.Seq, m.Command, "")
	case "heard":
		text, _ := json.Marshal(a.heard)
		a.answer(m.Seq, m.Command, `{"heard": `+string(text)+`}`)
	case "cancel":
		a.print("cancelled\n")
		a.answer(m.Seq, m.Command, `{}`)
	case "nothing":
	default:
		a.refuse(m.Seq, "", "Unsupported command "+m.Command)
	}
}

func (a *adapter) stackTrace(m request) {
	switch a.scenario {
	case "no frames", "tells little":
		a.refuse(m.Seq, m.Command, "unknown goroutine 1")
		return
	case "odd frames":
		a.answer(m.Seq, m.Command, `{"stackFrames": {"id": "x"}}`)
		return
	}
	// The number of a frame may be 0.
	a.answer(m.Seq, m.Command, `{"stackFrames": [{"id": 0, "name": "main", "line": 2, "column": 3,
		"source": {"path": "/usr/x.c"}, "instructionPointerReference": "0x10"}, {"id": 1, "name": "start", "line": 0,
		"column": 0}], "totalFrames": 2}`)
}

// body returns the fixed answer to a request.
func (a *adapter) body(m request) string {
	little := map[string]string{"readMemory": `{"address": "0x10", "unreadableBytes": 8}`, "modules": `{"modules": []}`,
		"dataBreakpointInfo": `{"dataId": null, "description": "no"}`, "variables": `{"variables": []}`}
	if text := little[m.Command]; text != "" && a.is("tells little") {
		return text
	}
	switch m.Command {
	case "scopes", "evaluate":
		var args struct {
			Frame *int   `json:"frameId"`
			Text  string `json:"expression"`
		}
		_ = json.Unmarshal(m.Arguments, &args)
		if args.Frame == nil {
			return `{"result": "no frame", "scopes": []}`
		}
		if a.is("prints controls") {
			return `{"result": "\u001b[31mred\u001b[0m\u0000\u202e", "variablesReference": 0}`
		}
		return fmt.Sprintf(`{"result": "frame %d", "type": "text", "variablesReference": 5,
			"scopes": [{"name": "Locals", "variablesReference": 4, "expensive": true, "presentationHint": "locals"}]}`,
			*args.Frame)
	case "modules":
		return `{"modules": [{"id": 7, "name": "libc", "path": "/lib/libc.so", "symbolStatus": "loaded",
			"addressRange": "0x1-0x2"}, {"id": "a", "name": "b"}]}`
	case "loadedSources":
		return `{"sources": [{"name": "x.c", "path": "/usr/x.c"}, {"name": "eval", "sourceReference": 3}]}`
	case "disassemble":
		return `{"instructions": [{"address": "0x10", "instructionBytes": "90", "instruction": "nop", "symbol": "main",
			"location": {"path": "/usr/x.c"}, "line": 2}]}`
	case "readMemory":
		return `{"address": "0x10", "data": "aGkgAP8wMTIzNDU2Nzg5YWJjZGU=", "unreadableBytes": 3}`
	case "writeMemory":
		return `{}`
	case "dataBreakpointInfo":
		return `{"dataId": "id1", "description": "x is watched", "accessTypes": ["write"], "canPersist": true}`
	case "variables":
		if a.is("many variables") {
			return `{"variables": [` + strings.TrimSuffix(strings.Repeat(`{"name": "x", "value": "`+
				strings.Repeat("v", 100)+`", "variablesReference": 0},`, 20_000), ",") + `]}`
		}
		return `{"variables": [{"name": "x", "value": "1", "type": "int", "variablesReference": 0,
			"memoryReference": "0x20"}, {"name": "l", "value": "[...]", "variablesReference": 6}]}`
	case "echo":
		return `{"arguments": ` + string(m.Arguments) + `}`
	}
	return `{}`
}
