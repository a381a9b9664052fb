package tool

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
)

// scripted returns a table with an adapter that plays a scenario.
func scripted(scenario string) dap.Table {
	return dap.Table{"fake": {Name: "fake", Command: daptest.Command(scenario), Kinds: []string{".x"}, PID: "pid",
		Remote: "port", Traces: true, Launch: map[string]any{"stopOnEntry": true}, Install: "install fake"}}
}

// launched returns a bench with a session of an adapter that plays a scenario.
func launched(t *testing.T, scenario string) *debugBench {
	t.Helper()
	d := newDebugBench(t, scripted(scenario), map[string]string{"a.x": "one\n", "b.c": "two\n"})
	d.says(args{"action": "launch", "program": "a.x"}, "Session debug-1\nAdapter: fake\n")
	return d
}

func TestWhatTheToolDebugNeeds(t *testing.T) {
	d := newDebugBench(t, scripted("well"), map[string]string{"a.x": "one\n", "b.y": "two\n", "sub/c.x": "three\n"})
	if err := os.Symlink("/etc/passwd", filepath.Join(d.dir, "out.x")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args args
		kind string
		text string
	}{
		{args{"action": "launch"}, "invalid_args", "program is required for launch"},
		{args{"action": "attach"}, "invalid_args", "attach requires pid or port"},
		{args{"action": "set_breakpoint"}, "invalid_args", "set_breakpoint requires file+line or function"},
		{args{"action": "remove_breakpoint", "file": "a.x"}, "invalid_args",
			"remove_breakpoint requires file+line or function"},
		{args{"action": "set_breakpoint", "file": "a.x", "line": 1, "function": "f"}, "invalid_args", "not both"},
		{args{"action": "set_instruction_breakpoint"}, "invalid_args",
			"instruction_reference is required for set_instruction_breakpoint"},
		{args{"action": "data_breakpoint_info"}, "invalid_args", "name is required for data_breakpoint_info"},
		{args{"action": "set_data_breakpoint"}, "invalid_args", "data_id is required for set_data_breakpoint"},
		{args{"action": "evaluate"}, "invalid_args", "expression is required for evaluate"},
		{args{"action": "variables"}, "invalid_args", "variables requires variable_ref or scope_id"},
		{args{"action": "disassemble"}, "invalid_args", "instruction_count is required for disassemble"},
		{args{"action": "read_memory"}, "invalid_args", "memory_reference is required for read_memory"},
		{args{"action": "read_memory", "memory_reference": "0"}, "invalid_args", "count is required for read_memory"},
		{args{"action": "write_memory", "memory_reference": "0"}, "invalid_args", "data is required for write_memory"},
		{args{"action": "custom_request"}, "invalid_args", "command is required for custom_request"},
		{args{"action": "dance"}, "invalid_args", "action must be one of"},
		{args{"action": "launch", "program": "../a.x"}, "fs_denied", ""},
		{args{"action": "launch", "program": "/bin/true", "adapter": "fake"}, "fs_denied", ""},
		{args{"action": "launch", "program": "out.x"}, "fs_denied", ""},
		{args{"action": "launch", "program": "a.x", "cwd": "/"}, "fs_denied", ""},
		{args{"action": "launch", "program": "none.x"}, "not_found", ""},
		{args{"action": "launch", "program": "b.y"}, "tool_failed",
			"No debugger adapter available. Installed adapters: fake"},
		{args{"action": "launch", "program": "sub", "adapter": "fake"}, "tool_failed",
			"launch program resolves to a directory: workspace/sub. Pass an executable file path"},
		{args{"action": "launch", "program": "a.x", "adapter": "y"}, "invalid_args", `there is no adapter "y"`},
		{args{"action": "set_breakpoint", "file": "/etc/passwd", "line": 1}, "fs_denied", ""},
		{args{"action": "attach", "port": 1, "host": "-x y"}, "invalid_args", "is no name of a host"},
		{args{"action": "threads"}, "tool_failed", "No active debug session. Launch or attach first."},
		{args{"action": "output"}, "tool_failed", "No active debug session. Launch or attach first."},
	} {
		_, err := d.try(c.args)
		if err == nil || Kind(err) != c.kind || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v: %v, want %s %q", c.args, err, c.kind, c.text)
		}
	}
	missing := dap.Table{"z": {Name: "z", Command: []string{"no-such-debugger"}, Kinds: []string{".x"},
		Install: "get z"}}
	d = newDebugBench(t, missing, map[string]string{"a.x": "one\n"})
	for _, a := range []args{{"action": "launch", "program": "a.x"}, {"action": "launch", "program": "a.x",
		"adapter": "z"}} {
		if _, err := d.try(a); err == nil || Kind(err) != "not_found" || !strings.Contains(err.Error(),
			"no-such-debugger is not installed. To install it: get z") {
			t.Errorf("%v: %v", a, err)
		}
	}
}

// The answers of adapters, in the forms that real ones do not all give.
func TestEachAnswerOfAnAdapterIsShown(t *testing.T) {
	d := launched(t, "well")
	for _, c := range []struct {
		args args
		want string
	}{
		{args{"action": "sessions"}, "debug-1: stopped\n  adapter=fake\n  cwd=.\n  program=a.x\n" +
			"  location=/usr/x.c:2:3\n  reason=entry\n"},
		{args{"action": "stack_trace"}, "Stack trace:\n- #0 main @ /usr/x.c:2:3\n- #1 start @ <unknown>:0\n"},
		{args{"action": "threads"}, "Threads:\n- 1: main\n"},
		{args{"action": "scopes"}, "Scopes:\n- Locals: ref=4, expensive=yes, hint=locals\n"},
		{args{"action": "variables", "variable_ref": 4, "scope_id": 9},
			"Variables:\n- x = 1 (int) [memory=0x20]\n- l = [...] [ref=6]\n"},
		{args{"action": "evaluate", "expression": "x"}, "Result: frame 0\nType: text\nVariables ref: 5\n"},
		{args{"action": "evaluate", "expression": "x", "frame_id": 1},
			"Result: frame 1\nType: text\nVariables ref: 5\n"},
		{args{"action": "modules", "start_module": 0, "module_count": 5},
			"Modules:\n- 7: libc  /lib/libc.so  loaded  0x1-0x2\n- a: b\n"},
		{args{"action": "loaded_sources"}, "Loaded sources:\n- /usr/x.c\n- eval [ref=3]\n"},
		{args{"action": "disassemble", "instruction_count": 3}, "Disassembly:\n0x10  90  nop  <main>  [/usr/x.c:2]\n"},
		{args{"action": "read_memory", "memory_reference": "0x10", "count": 18},
			"Memory at 0x10:\n0x10               68 69 20 00 ff 30 31 32 33 34 35 36 37 38 39 61 |hi ..0123456789a|\n" +
				"+0x10              62 63                                           |bc|\nUnreadable bytes: 3\n"},
		{args{"action": "write_memory", "memory_reference": "0x10", "data": "AAE="}, "Wrote 2 bytes to 0x10.\n"},
		{args{"action": "data_breakpoint_info", "name": "x"},
			"Data breakpoint info: x is watched\nData ID: id1\nAccess types: write\nPersistent: yes\n"},
		{args{"action": "set_data_breakpoint", "data_id": "id1", "access_type": "write", "hit_condition": "3"},
			"Data breakpoints:\n- id1: verified (write) after 3\n"},
		{args{"action": "set_instruction_breakpoint", "instruction_reference": "0x10", "offset": 4, "condition": "x"},
			"Instruction breakpoints:\n- 0x10+4: verified if x\n"},
		{args{"action": "set_breakpoint", "file": "b.c", "line": 1}, "Breakpoints for b.c:\n- line 1: verified\n"},
		{args{"action": "custom_request", "command": "echo", "arguments": args{"a": []int{1}}},
			"echo response:\n{\n  \"arguments\": {\n    \"a\": [\n      1\n    ]\n  }\n}\n"},
		{args{"action": "step_in"}, "Session debug-1\nAdapter: fake\nStatus: stopped\nCWD: .\nProgram: a.x\n" +
			"Stop reason: step\nFrame: main\nInstruction pointer: 0x10\nLocation: /usr/x.c:2:3\n" +
			"Step in stopped at /usr/x.c:2:3.\n"},
		{args{"action": "continue"}, "Session debug-1\nAdapter: fake\nStatus: terminated\nCWD: .\nProgram: a.x\n" +
			"Exit code: 3\nProgram terminated with exit code 3.\n"},
		{args{"action": "output"}, "(no output)\n"},
		{args{"action": "terminate"}, "No debug session to terminate.\n"},
	} {
		if got, err := d.try(c.args); err != nil || got != c.want {
			t.Errorf("%v: %v\n%s\nwant\n%s", c.args, err, got, c.want)
		}
	}
	d.fails(args{"action": "write_memory", "memory_reference": "1", "data": "?"}, "No active debug session.")
}

// A program that still runs at the end of the time of a call is no error.
func TestAProgramThatRunsOnIsNoError(t *testing.T) {
	d := launched(t, "runs for ever")
	c, err := d.tool.Prepare(t.Context(), "t", mustJSON(t, args{"action": "continue", "timeout": 1}))
	if err != nil {
		t.Fatal(err)
	}
	var r Result
	for limit := 50 * time.Millisecond; ; limit *= 2 { // a machine under load may need more to begin
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		r, err = c.Run(ctx, func(string) {})
		if cancel(); err == nil || limit > time.Minute {
			break
		}
	}
	if want := "Status: running\nCWD: .\nProgram: a.x\nProgram is still running after 5s. Use pause to interrupt and " +
		"inspect state.\n"; err != nil || !strings.HasSuffix(r.Text, want) || r.Summary != dap.Running {
		t.Errorf("%v: %q, want %q", err, r.Text, want)
	}
	d.fails(args{"action": "step_over"}, "the program is running: pause it first")
	d.says(args{"action": "pause"}, "Stop reason: pause\n", "Program stopped at /usr/x.c:2:3.\n")
}

// No byte of an adapter reaches the terminal as a control.
func TestWhatAnAdapterSaysIsHarmless(t *testing.T) {
	d := launched(t, "prints controls")
	text := d.says(args{"action": "evaluate", "expression": "x"}, "Result: red")
	d.says(args{"action": "continue"})
	text += d.says(args{"action": "output"}, "one", "two")
	if strings.ContainsAny(text, "\x1b\x00\x07\r") || strings.Contains(text, "\u009b") {
		t.Errorf("%q", text)
	}
}

// Long lists are bounded, and say so.
func TestLongListsOfAnAdapterAreBounded(t *testing.T) {
	d := launched(t, "many variables")
	text := d.says(args{"action": "variables", "scope_id": 4}, "Variables:\n- x = vvv")
	if len(text) > maxResult+1<<10 || !strings.Contains(text, "... 19500 more") {
		t.Errorf("%d bytes: %.200q", len(text), text[len(text)-200:])
	}
}

func TestAnswersThatAreMissing(t *testing.T) {
	d := launched(t, "no frames")
	d.fails(args{"action": "scopes"}, "No active stack frame. Run stack_trace first or supply frame_id.")
	d.fails(args{"action": "disassemble", "instruction_count": 1},
		"disassemble requires memory_reference unless the current stop location has an instruction pointer reference")
	d.fails(args{"action": "stack_trace"}, "unknown goroutine 1")
	d.says(args{"action": "evaluate", "expression": "x"}, "Result: no frame\n")
	d.says(args{"action": "terminate"}, "Status: terminated")
}

// How the calls of the tool look to rules and modes.
func TestWhatIsDebuggedIsDecidedAsCommandsAre(t *testing.T) {
	d := newDebugBench(t, scripted("well"), map[string]string{"a.x": "one\n"})
	subject := func(a args) (approval.Subject, Call) {
		t.Helper()
		c, err := d.tool.Prepare(t.Context(), "t", mustJSON(t, a))
		if err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		return c.Subject(DebugName), c
	}
	launch, c := subject(args{"action": "launch", "program": "a.x", "args": []string{"it's", "b"}})
	line := shellLine(daptest.Command("well")) + "; " + filepath.Join(d.ws.Dir(), "a.x") + ` 'it'\''s' b`
	if launch.Tool != "bash" || launch.Command != line || !launch.Mutates || launch.Confined {
		t.Errorf("a launch: %+v, want %s", launch, line)
	}
	if text := c.Proposal.Payload.Line(); !strings.Contains(text, `b with fake (not confined: can change any file)`) {
		t.Errorf("its question: %s", text)
	}
	if pay := c.Proposal.Payload.(approval.Command); pay.What != "a program in fake" ||
		c.Proposal.Notes[1] != idleNote {
		t.Errorf("the pane says %q, %q", pay.What, c.Proposal.Notes)
	}
	decide := func(s approval.Subject, mode string, rules ...string) approval.Action {
		t.Helper()
		cfg := approval.PolicyConfig{Mode: mode, Tools: Traits()}
		for _, text := range rules {
			verb, text, _ := strings.Cut(text, " ")
			actions := map[string]approval.Action{"allow": approval.Allow, "deny": approval.Deny, "ask": approval.Ask}
			rule, err := approval.ParseRule(actions[verb], text)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Rules = append(cfg.Rules, approval.Entry{Rule: rule, Origin: "flag"})
		}
		p, err := approval.NewPolicy(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return p.Decide(s).Action
	}
	look, _ := subject(args{"action": "threads"})
	step, _ := subject(args{"action": "continue"})
	plain, _ := subject(args{"action": "set_breakpoint", "file": "a.x", "line": 1})
	condition, _ := subject(args{"action": "set_breakpoint", "file": "a.x", "line": 1, "condition": "f()"})
	evaluated, _ := subject(args{"action": "evaluate", "expression": "f()"})
	attach, attached := subject(args{"action": "attach", "pid": os.Getpid()})
	for _, test := range []struct {
		name    string
		subject approval.Subject
		mode    string
		rules   []string
		want    approval.Action
	}{
		{"a launch", launch, "ask", nil, approval.Ask},
		{"a launch of what a rule denies", launch, "trusted", []string{"deny bash(" + d.ws.Dir() + "/a.x *)"},
			approval.Deny},
		{"a launch by half a rule", launch, "ask", []string{"allow bash(" + d.ws.Dir() + "/a.x *)"}, approval.Ask},
		{"a launch in plan mode", launch, "plan", nil, approval.Deny},
		{"a look", look, "ask", nil, approval.Allow},
		{"a look in plan mode", look, "plan", nil, approval.Allow},
		{"a look where a rule asks", look, "ask", []string{"ask debug"}, approval.Ask},
		{"a step", step, "ask", nil, approval.Allow},
		{"a step in plan mode", step, "plan", nil, approval.Deny},
		{"a step where a rule denies", step, "ask", []string{"deny debug"}, approval.Deny},
		{"a breakpoint", plain, "ask", nil, approval.Allow},
		{"a condition", condition, "ask", nil, approval.Ask},
		{"an expression", evaluated, "ask", nil, approval.Ask},
		{"an expression by a rule about commands", evaluated, "ask", []string{"allow bash"}, approval.Ask},
		{"an expression by a rule", evaluated, "ask", []string{"allow debug"}, approval.Allow},
		{"an expression in plan mode", evaluated, "plan", nil, approval.Deny},
		{"an attach", attach, "trusted", []string{"allow bash"}, approval.Ask},
	} {
		if got := decide(test.subject, test.mode, test.rules...); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	if text := attached.Proposal.Payload.Line(); !strings.Contains(text, filepath.Base(os.Args[0])) {
		t.Errorf("the question about an attach does not show to what: %s", text)
	}
}
