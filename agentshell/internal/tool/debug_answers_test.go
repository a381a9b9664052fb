package tool

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
)

// heard returns the requests that the adapter was sent, each with its arguments.
func (d *debugBench) heard() (list []string) {
	d.t.Helper()
	var body struct {
		Heard []struct {
			Type, Command string
			Arguments     json.RawMessage
		}
	}
	err := d.service.With(d.t.Context(), func(s *dap.Session) error {
		return s.Ask(d.t.Context(), "heard", nil, &body)
	})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, m := range body.Heard {
		if m.Type == "request" {
			list = append(list, m.Command+" "+strings.ReplaceAll(string(m.Arguments), d.ws.Dir(), "$DIR"))
		}
	}
	return list
}

// lastHeard returns the last request of a kind that the adapter was sent.
func (d *debugBench) lastHeard(command string) string {
	d.t.Helper()
	list := d.heard()
	for _, text := range slices.Backward(list) {
		if strings.HasPrefix(text, command+" ") {
			return text
		}
	}
	d.t.Fatalf("the adapter was not sent %s, but %q", command, list)
	return ""
}

// What each action sends to its adapter.
func TestWhatADebuggerIsAsked(t *testing.T) {
	t.Parallel()
	d := newDebugBench(t, scripted("well"), map[string]string{"sub/a.x": "one\n", "b.c": "two\n"})
	d.says(args{"action": "launch", "program": "a.x", "cwd": "sub", "args": []string{"b c", ""}})
	for _, c := range []struct {
		args args
		want string
	}{
		{args{"action": "sessions"}, `launch {"args":["b c",""],"cwd":"$DIR/sub","program":"$DIR/sub/a.x",` +
			`"stopOnEntry":true}`},
		{args{"action": "evaluate", "expression": "x"}, `evaluate {"context":"repl","expression":"x","frameId":0}`},
		{args{"action": "evaluate", "expression": "x", "context": "hover", "frame_id": 7},
			`evaluate {"context":"hover","expression":"x","frameId":7}`},
		{args{"action": "scopes", "frame_id": 3}, `scopes {"frameId":3}`},
		{args{"action": "variables", "scope_id": 3}, `variables {"variablesReference":3}`},
		{args{"action": "variables", "scope_id": 3, "variable_ref": 6}, `variables {"variablesReference":6}`},
		{args{"action": "stack_trace", "levels": 2}, `stackTrace {"levels":2,"startFrame":0,"threadId":1}`},
		{args{"action": "disassemble", "instruction_count": 3, "instruction_offset": -2, "offset": 4,
			"resolve_symbols": true}, `disassemble {"instructionCount":3,"instructionOffset":-2,` +
			`"memoryReference":"0x10","offset":4,"resolveSymbols":true}`},
		{args{"action": "disassemble", "instruction_count": 1, "memory_reference": "0x7"}, `disassemble {` +
			`"instructionCount":1,"instructionOffset":0,"memoryReference":"0x7","offset":0,"resolveSymbols":false}`},
		{args{"action": "read_memory", "memory_reference": "0x7", "count": 8, "offset": 5},
			`readMemory {"count":8,"memoryReference":"0x7","offset":5}`},
		{args{"action": "write_memory", "memory_reference": "0x7", "data": "AAE=", "offset": 6, "allow_partial": true},
			`writeMemory {"allowPartial":true,"data":"AAE=","memoryReference":"0x7","offset":6}`},
		{args{"action": "modules", "start_module": 4, "module_count": 5}, `modules {"moduleCount":5,"startModule":4}`},
		{args{"action": "data_breakpoint_info", "name": "x"}, `dataBreakpointInfo {"frameId":0,"name":"x"}`},
		{args{"action": "data_breakpoint_info", "name": "x", "scope_id": 4},
			`dataBreakpointInfo {"name":"x","variablesReference":4}`},
		{args{"action": "data_breakpoint_info", "name": "x", "scope_id": 4, "variable_ref": 5},
			`dataBreakpointInfo {"name":"x","variablesReference":5}`},
		{args{"action": "set_data_breakpoint", "data_id": "id1", "access_type": "write", "hit_condition": "3"},
			`setDataBreakpoints {"breakpoints":[{"accessType":"write","dataId":"id1","hitCondition":"3"}]}`},
		{args{"action": "set_instruction_breakpoint", "instruction_reference": "0x10", "offset": 4, "condition": "x"},
			`setInstructionBreakpoints {"breakpoints":[{"condition":"x","instructionReference":"0x10","offset":4}]}`},
		{args{"action": "set_breakpoint", "function": "f"}, `setFunctionBreakpoints {"breakpoints":[{"name":"f"}]}`},
		{args{"action": "set_breakpoint", "file": "b.c", "line": 2}, `setBreakpoints {"breakpoints":[{"line":2}],` +
			`"lines":[2],"source":{"path":"$DIR/b.c"}}`},
		{args{"action": "set_breakpoint", "file": "b.c", "line": 5}, `setBreakpoints {"breakpoints":[{"line":2},` +
			`{"line":5}],"lines":[2,5],"source":{"path":"$DIR/b.c"}}`},
		{args{"action": "remove_breakpoint", "file": "b.c", "line": 2}, `setBreakpoints {"breakpoints":[{"line":5}],` +
			`"lines":[5],"source":{"path":"$DIR/b.c"}}`},
		{args{"action": "custom_request", "command": "echo", "arguments": args{"a": []int{1}}}, `echo {"a":[1]}`},
		{args{"action": "custom_request", "command": "nothing2", "fails": true}, `nothing2 `},
		{args{"action": "step_over"}, `next {"threadId":1}`}, {args{"action": "step_in"}, `stepIn {"threadId":1}`},
		{args{"action": "step_out"}, `stepOut {"threadId":1}`},
	} {
		a := maps.Clone(c.args)
		delete(a, "fails")
		if _, err := d.try(a); (err != nil) != (c.args["fails"] == true) {
			t.Errorf("%v: %v", a, err)
		}
		command, _, _ := strings.Cut(c.want, " ")
		if got := d.lastHeard(command); got != c.want {
			t.Errorf("%v sends\n%s\nwant\n%s", c.args, got, c.want)
		}
	}
	d.fails(args{"action": "write_memory", "memory_reference": "0x7", "data": "?"}, "data is no base64: ")
	if got := d.lastHeard("writeMemory"); !strings.Contains(got, `"data":"AAE="`) {
		t.Errorf("what is no base64 is sent: %s", got)
	}
	d.says(args{"action": "pause"}, "Program stopped at /usr/x.c:2:3.\n")
	if list := d.heard(); slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "pause ") }) {
		t.Error("a program that has stopped is paused")
	}
}

// What an adapter does not offer is not asked of it.
func TestWhatADebuggerDoesNotOfferIsNotAsked(t *testing.T) {
	t.Parallel()
	d := launched(t, "offers nothing")
	for what, a := range map[string]args{
		"disassembly":             {"action": "disassemble", "instruction_count": 1, "memory_reference": "0"},
		"memory reads":            {"action": "read_memory", "memory_reference": "0", "count": 1},
		"memory writes":           {"action": "write_memory", "memory_reference": "0", "data": "AA=="},
		"modules":                 {"action": "modules"},
		"loaded sources":          {"action": "loaded_sources"},
		"data breakpoints":        {"action": "set_data_breakpoint", "data_id": "1"},
		"instruction breakpoints": {"action": "set_instruction_breakpoint", "instruction_reference": "0"},
		"function breakpoints":    {"action": "set_breakpoint", "function": "f"},
		"conditions of breakpoints": {"action": "set_breakpoint", "file": "b.c", "line": 1,
			"condition": "x"},
	} {
		before := len(d.heard())
		d.fails(a, "Active adapter does not support "+what+".")
		if list := d.heard(); len(list) != before+1 {
			t.Errorf("%s: it is asked %q", what, list[before:])
		}
	}
	d.fails(args{"action": "data_breakpoint_info", "name": "x"}, "Active adapter does not support data breakpoints.")
	d.says(args{"action": "remove_breakpoint", "file": "b.c", "line": 1, "condition": "x"}, "(none)")
}

// The time of an action is bounded.
func TestTheTimeOfADebugActionIsBounded(t *testing.T) {
	for given, want := range map[int]time.Duration{0: 30 * time.Second, 1: 5 * time.Second, 7: 7 * time.Second,
		301: 300 * time.Second} {
		if got := (debugRequest{debugArgs: debugArgs{Timeout: given}}).limit(); got != want {
			t.Errorf("%d s become %v, want %v", given, got, want)
		}
	}
}

// Which actions ask, and which count as looking.
func TestWhichDebugActionsAsk(t *testing.T) {
	t.Parallel()
	d := launched(t, "well")
	for _, c := range []struct {
		args           args
		asks, onlyLook bool
	}{
		{args{"action": "output"}, false, true}, {args{"action": "threads"}, false, true},
		{args{"action": "stack_trace"}, false, true}, {args{"action": "scopes"}, false, true},
		{args{"action": "variables", "scope_id": 1}, false, true}, {args{"action": "modules"}, false, true},
		{args{"action": "loaded_sources"}, false, true}, {args{"action": "sessions"}, false, true},
		{args{"action": "disassemble", "instruction_count": 1}, false, true},
		{args{"action": "read_memory", "memory_reference": "0", "count": 1}, false, true},
		{args{"action": "continue"}, false, false}, {args{"action": "pause"}, false, false},
		{args{"action": "terminate"}, false, false}, {args{"action": "step_in"}, false, false},
		{args{"action": "set_breakpoint", "function": "f"}, false, false},
		{args{"action": "remove_breakpoint", "function": "f", "condition": "x"}, false, false},
		{args{"action": "set_breakpoint", "function": "f", "condition": "x"}, true, false},
		{args{"action": "set_instruction_breakpoint", "instruction_reference": "0", "hit_condition": "1"}, true, false},
		{args{"action": "set_data_breakpoint", "data_id": "0", "hit_condition": "1"}, true, false},
		{args{"action": "data_breakpoint_info", "name": "f()"}, true, false},
		{args{"action": "evaluate", "expression": "x"}, true, false},
		{args{"action": "write_memory", "memory_reference": "0", "data": "AA=="}, true, false},
		{args{"action": "custom_request", "command": "x"}, true, false},
	} {
		call, err := d.tool.Prepare(t.Context(), "t", mustJSON(t, c.args))
		if err != nil || (call.Proposal != nil) != c.asks || call.Mutates == c.onlyLook {
			t.Errorf("%v: asks %v, changes %v, %v", c.args, call.Proposal != nil, call.Mutates, err)
		}
	}
}

// What an adapter tells in odd ways is told in plain words.
func TestOddAnswersOfADebuggerAreTold(t *testing.T) {
	t.Parallel()
	d := launched(t, "no frames")
	d.says(args{"action": "step_in"}, "Step in stopped at unknown location.\n")
	d = launched(t, "tells little")
	d.fails(args{"action": "custom_request", "command": "refuse"}, "the adapter refused it and gives no reason")
	d.says(args{"action": "read_memory", "memory_reference": "0x10", "count": 8},
		"(no readable bytes)\nUnreadable bytes: 8\n")
	d.says(args{"action": "data_breakpoint_info", "name": "x"}, "Data ID: (not available)\n")
	d.says(args{"action": "modules"}, "Modules:\n(none)\n")
	d.says(args{"action": "variables", "scope_id": 1}, "Variables:\n(none)\n")
	d.fails(args{"action": "step_in"}, "Debugger reported no threads.")
	d = launched(t, "prints in each category")
	d.says(args{"action": "continue"}, "Program terminated.\n")
	if got := d.says(args{"action": "output"}); got != "out err console important none\n" {
		t.Errorf("the output is %q", got)
	}
	d = launched(t, "floods")
	d.says(args{"action": "continue"})
	d.says(args{"action": "output"}, "[the output before this is lost]\n")
	d = launched(t, "refuses to terminate")
	d.says(args{"action": "terminate"}, "Status: terminated\n")
}

// A process and a port are attached to by the adapter that was named, if it can do that.
func TestAnAttachTakesTheAdapterThatWasNamed(t *testing.T) {
	t.Parallel()
	adapter := func(name, pid, remote string) dap.Adapter {
		return dap.Adapter{Name: name, Command: daptest.Command("well"), Kinds: []string{".x"}, PID: pid,
			Remote: remote}
	}
	d := newDebugBench(t, dap.Table{"debugpy": adapter("debugpy", "processId", "port"),
		"gdb": adapter("gdb", "pid", ""), "port": adapter("port", "", "port")}, map[string]string{"a.x": ""})
	for _, c := range []struct {
		args args
		want string
	}{
		{args{"pid": os.Getpid()}, "gdb"}, {args{"port": 9, "host": "127.0.0.2"}, "debugpy"},
		{args{"pid": os.Getpid(), "adapter": "debugpy"}, "debugpy"}, {args{"port": 9, "adapter": "port"}, "port"},
	} {
		c.args["action"] = "attach"
		d.says(c.args, "Adapter: "+c.want+"\n")
		got := d.lastHeard("attach")
		if c.args["host"] != nil && !strings.Contains(got, `"host":"127.0.0.2","port":9`) {
			t.Errorf("%v sends %s", c.args, got)
		}
		d.says(args{"action": "terminate"})
	}
	for _, c := range []struct{ name, want string }{{"gdb", "adapter gdb does not attach to a port"},
		{"port", "adapter port does not attach to a process"}} {
		a := args{"action": "attach", "adapter": c.name, "port": 9}
		if c.name == "port" {
			delete(a, "port")
			a["pid"] = 1
		}
		_, err := d.tool.Prepare(t.Context(), "t", mustJSON(t, a))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", a, err, c.want)
		}
	}
}
