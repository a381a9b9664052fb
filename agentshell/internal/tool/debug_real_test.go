package tool

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// debugBench is a workspace with the tool debug.
type debugBench struct {
	*bench
	service *dap.Service
	tool    Tool
}

// newDebugBench opens a workspace for adapters.
func newDebugBench(t *testing.T, table dap.Table, files map[string]string) *debugBench {
	t.Helper()
	d := &debugBench{bench: newBench(t, files)}
	d.service = dap.NewService(dap.Config{Dir: d.ws.Dir(), Env: os.Environ(), Family: new(child.Family), Table: table,
		StopTime: time.Minute})
	t.Cleanup(d.service.Close)
	d.tool = Debug(d.env, d.service)[0]
	return d
}

// realAdapter returns the table with one adapter, whose program must be there.
func realAdapter(t *testing.T, name string) dap.Table {
	t.Helper()
	table, err := dap.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	a := table[name]
	switch name {
	case "debugpy":
		a.Command[0] = pythonWith(t, "debugpy")
	default:
		need.Program(t, a.Command[0])
	}
	return dap.Table{name: a}
}

// pythonWith returns a Python that has a module.
func pythonWith(t *testing.T, module string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	need.Missing(t, module, "no python3 has the module")
	return ""
}

// try makes a call, and gives the answer to its question if it asks.
func (d *debugBench) try(a args) (string, error) {
	d.t.Helper()
	a["timeout"] = 60
	c, err := d.tool.Prepare(context.Background(), "t1", mustJSON(d.t, a))
	if err != nil {
		return "", err
	}
	r, err := c.Run(context.Background(), func(string) {})
	return r.Text, err
}

// says makes a call, and wants parts of its text.
func (d *debugBench) says(a args, parts ...string) string {
	d.t.Helper()
	text, err := d.try(a)
	if err != nil {
		d.t.Fatalf("%v: %v", a, err)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			d.t.Errorf("%v says\n%s\nwithout %q", a, text, part)
		}
	}
	return text
}

// fails makes a call, and wants an error with a text.
func (d *debugBench) fails(a args, part string) {
	d.t.Helper()
	if text, err := d.try(a); err == nil || !strings.Contains(err.Error(), part) {
		d.t.Errorf("%v: %q, %v, want an error with %q", a, text, err, part)
	}
}

// interrupted makes a call whose turn is stopped once the program has printed a text.
func (d *debugBench) interrupted(a args, printed string) {
	d.t.Helper()
	c, err := d.tool.Prepare(context.Background(), "t1", mustJSON(d.t, a))
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.Run(ctx, func(string) {})
		ended <- err
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				d.t.Fatalf("%v: %v", a, err)
			}
			return
		case <-tick.C:
			if text, _ := d.service.Last().Printed(); strings.Contains(text, printed) {
				cancel()
			}
		}
	}
}

// numberOf reads a number.
func numberOf(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// between returns what stands in a text between two others.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

const debuggedGo = `package main

import (
	"os"
	"strconv"
	"time"
)

type point struct{ x, y int }

func double(n int) int {
	r := n * 2
	return r
}

func main() {
	list := make([]int, 300)
	p := point{1, len(list)}
	for i := 0; i < 3; i++ {
		p.x = double(p.x)
	}
	os.Stdout.WriteString("sum " + strconv.Itoa(p.x+p.y) + "\n")
	if len(os.Args) > 1 {
		<-time.After(time.Hour)
	}
}
`

// newDelveBench builds the program with the library as it is cached.
func newDelveBench(t *testing.T) *debugBench {
	t.Helper()
	d := newDebugBench(t, realAdapter(t, "dlv"), map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n",
		"main.go": debuggedGo})
	cmd := exec.Command("go", "build", "-trimpath=false", "-gcflags=-N -l", "-o", "debugged", ".")
	cmd.Dir = d.dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return d
}

func TestEachActionWithDelve(t *testing.T) {
	t.Parallel()
	d := newDelveBench(t)
	d.says(args{"action": "sessions"}, "No debug sessions.")
	d.says(args{"action": "terminate"}, "No debug session to terminate.")
	d.fails(args{"action": "continue"}, "No active debug session. Launch or attach first.")
	d.says(args{"action": "launch", "program": "debugged"}, "Session debug-1\nAdapter: dlv\nStatus: stopped\nCWD: .\n"+
		"Program: debugged\nStop reason: entry\n")
	d.fails(args{"action": "launch", "program": "debugged"},
		"Debug session debug-1 is still active. Terminate it before launching another.")
	d.says(args{"action": "set_breakpoint", "file": "main.go", "line": 13},
		"Breakpoints for main.go:\n- line 13: verified\n")
	d.says(args{"action": "set_breakpoint", "file": "main.go", "line": 6}, "- line 13: verified\n- line 6: pending (")
	d.says(args{"action": "remove_breakpoint", "file": "main.go", "line": 6}, "main.go:\n- line 13: verified\n")
	d.says(args{"action": "continue"}, "Stop reason: breakpoint\nFrame: main.double\nInstruction pointer: 0x",
		"Location: main.go:13\n", "Program stopped at main.go:13.\n")
	frames := d.says(args{"action": "stack_trace"}, "Stack trace:\n- #", " main.double @ main.go:13\n",
		" main.main @ main.go:20\n", "runtime/proc.go:")
	if short := d.says(args{"action": "stack_trace", "levels": 1}); strings.Contains(short, "main.main") {
		t.Errorf("one frame of\n%s\nis\n%s", frames, short)
	}
	d.says(args{"action": "threads"}, "Threads:\n- 1: * [Go 1] main.double")
	d.says(args{"action": "sessions"}, "debug-1: stopped\n  adapter=dlv\n  cwd=.\n  program=debugged\n"+
		"  location=main.go:13\n  reason=breakpoint\n")
	locals := between(d.says(args{"action": "scopes"}, "Scopes:\n- Locals: ref="), "ref=", ",")
	d.says(args{"action": "variables", "scope_id": numberOf(t, locals)},
		"Variables:\n- n = 1 (int)\n", "- r = 2 (int)\n")
	d.says(args{"action": "evaluate", "expression": "r + 40"}, "Result: 42\nType: int\n")
	d.fails(args{"action": "evaluate", "expression": "nope"}, "could not find symbol value for nope")
	d.memoryWithDelve(numberOf(t, locals))
	d.moveWithDelve()
	d.says(args{"action": "output"}, "sum 308\n")
	d.says(args{"action": "sessions"}, "debug-1: terminated\n")
	d.fails(args{"action": "threads"}, "No active debug session.")
}

// memoryWithDelve looks at memory and instructions, and changes a variable.
func (d *debugBench) memoryWithDelve(locals int) {
	d.t.Helper()
	d.says(args{"action": "disassemble", "instruction_count": 3}, "Disassembly:\n0x", "[main.go:13]\n")
	info := d.says(args{"action": "data_breakpoint_info", "name": "r", "variable_ref": locals},
		"Data breakpoint info: Locals.r\nData ID: ", "Access types: read, write, readWrite\n")
	id := between(info, "Data ID: ", "\n")
	d.says(args{"action": "set_data_breakpoint", "data_id": id, "access_type": "write"}, "Data breakpoints:\n- ",
		": verified (write)\n")
	d.says(args{"action": "remove_data_breakpoint", "data_id": id}, "Data breakpoints:\n(none)\n")
	d.says(args{"action": "step_out"}, "Frame: main.main\n", "Step out stopped at main.go:20.\n")
	scope := numberOf(d.t, between(d.says(args{"action": "scopes"}), "ref=", ","))
	variables := d.says(args{"action": "variables", "variable_ref": scope}, "- p = main.point {x: 1, y: 300}")
	list := between(variables, "[memory=", "]")
	elements := numberOf(d.t, between(between(variables, "- list = ", "\n"), "[ref=", "]"))
	if text := d.says(args{"action": "variables", "variable_ref": elements}); !strings.Contains(text, "[299] = 0") {
		d.t.Errorf("a list of 300 has\n%s", text)
	}
	d.says(args{"action": "write_memory", "memory_reference": list, "data": "Bw=="}, "Wrote 1 byte to 0x")
	d.says(args{"action": "read_memory", "memory_reference": list, "count": 20}, "Memory at 0x", "07 00 00", "+0x10")
	d.says(args{"action": "evaluate", "expression": "list[0]", "context": "watch"}, "Result: 7\n")
	d.fails(args{"action": "modules"}, "Active adapter does not support modules.")
	d.fails(args{"action": "loaded_sources"}, "Active adapter does not support loaded sources.")
	d.fails(args{"action": "custom_request", "command": "nonesuch"}, "nonesuch")
	d.says(args{"action": "custom_request", "command": "evaluate",
		"arguments": map[string]any{"expression": "1 + 1"}}, "evaluate response:\n{\n", `"result": "2"`)
}

// moveWithDelve steps, stops by each kind of breakpoint, and lets the program end.
func (d *debugBench) moveWithDelve() {
	d.t.Helper()
	d.says(args{"action": "remove_breakpoint", "file": "main.go", "line": 13},
		"Breakpoints for main.go:\n(none)\n")
	d.says(args{"action": "step_over"}, "Step over stopped at main.go:19.\n")
	d.says(args{"action": "set_breakpoint", "function": "main.double", "condition": "n == 4"},
		"Function breakpoints:\n- main.double: verified if n == 4\n")
	d.says(args{"action": "continue"}, "Frame: main.double\n", "Program stopped at main.go:11.\n")
	d.says(args{"action": "evaluate", "expression": "n"}, "Result: 4\n")
	d.says(args{"action": "remove_breakpoint", "function": "main.double"}, "Function breakpoints:\n(none)\n")
	pointer := between(d.says(args{"action": "disassemble", "instruction_count": 9}), "[main.go:11]\n", " ")
	d.says(args{"action": "set_instruction_breakpoint", "instruction_reference": pointer},
		"Instruction breakpoints:\n- "+pointer+": verified\n")
	d.says(args{"action": "continue"}, "Instruction pointer: "+pointer+"\n")
	d.says(args{"action": "remove_instruction_breakpoint", "instruction_reference": pointer},
		"Instruction breakpoints:\n(none)\n")
	d.says(args{"action": "step_out"}, "Frame: main.main\n")
	d.says(args{"action": "continue"}, "Status: terminated\n", "Exit code: 0\nProgram terminated with exit code 0.\n")
}

// A program that runs is paused, and ends with its session.
func TestAProgramThatHangsIsPausedAndEnded(t *testing.T) {
	t.Parallel()
	d := newDelveBench(t)
	d.says(args{"action": "launch", "program": "debugged", "args": []string{"a b"}}, "Status: stopped\n")
	d.says(args{"action": "set_breakpoint", "file": "main.go", "line": 22}, "line 22: verified")
	d.says(args{"action": "continue"}, "main.go:22.\n")
	pid := numberOf(t, between(d.says(args{"action": "threads"}), "(Thread ", ")"))
	d.interrupted(args{"action": "continue"}, "sum 308\n")
	d.says(args{"action": "pause"}, "Status: stopped\n", "Program stopped at ")
	d.says(args{"action": "terminate"}, "Status: terminated\n")
	if alive(pid) {
		t.Errorf("the program still runs: %d", pid)
	}
}

const debuggedPython = `import sys
import time


def double(n):
    r = n * 2
    return r


def main():
    x = 1
    names = list(range(300))
    for i in range(3):
        x = double(x)
    print("sum", x)
    while len(sys.argv) > 1:
        time.sleep(0.01)


main()
`

func TestEachActionWithDebugpy(t *testing.T) {
	t.Parallel()
	d := newDebugBench(t, realAdapter(t, "debugpy"), map[string]string{"sub/a.py": debuggedPython})
	d.says(args{"action": "launch", "program": "a.py", "cwd": "sub", "args": []string{"x y"}},
		"Session debug-1\nAdapter: debugpy\nStatus: stopped\nCWD: sub\nProgram: sub/a.py\nStop reason: entry\n",
		"Location: sub/a.py:1")
	d.says(args{"action": "set_breakpoint", "file": "sub/a.py", "line": 7},
		"Breakpoints for sub/a.py:\n- line 7: verified\n")
	d.says(args{"action": "set_breakpoint", "file": "sub/a.py", "line": 7, "condition": "n == 2"},
		"Breakpoints for sub/a.py:\n- line 7: verified if n == 2\n")
	d.says(args{"action": "continue"}, "Stop reason: breakpoint\nFrame: double\n", "Program stopped at sub/a.py:7:1.\n")
	d.says(args{"action": "stack_trace"}, " double @ sub/a.py:7:1\n", " main @ sub/a.py:14:1\n")
	d.says(args{"action": "threads"}, "- 1: MainThread\n")
	locals := numberOf(t, between(d.says(args{"action": "scopes"}, "Scopes:\n- Locals: ref="), "ref=", ","))
	d.says(args{"action": "variables", "scope_id": locals}, "- n = 2 (int)\n- r = 4 (int)\n")
	d.says(args{"action": "evaluate", "expression": "r + n"}, "Result: 6\nType: int\n")
	d.fails(args{"action": "evaluate", "expression": "nope"}, "NameError: name 'nope' is not defined")
	d.says(args{"action": "evaluate", "expression": "print('\x1b[31mred')"}, "Result: ")
	d.says(args{"action": "modules"}, "__main__  ", "sub/a.py")
	d.fails(args{"action": "read_memory", "memory_reference": "0x1", "count": 1},
		"Active adapter does not support memory reads.")
	d.fails(args{"action": "disassemble", "instruction_count": 1}, "Active adapter does not support disassembly.")
	d.says(args{"action": "remove_breakpoint", "file": "sub/a.py", "line": 7}, "Breakpoints for sub/a.py:\n(none)\n")
	d.says(args{"action": "step_over"}, "Step over stopped at sub/a.py:")
	d.says(args{"action": "set_breakpoint", "function": "double"}, "Function breakpoints:\n- double: verified\n")
	d.says(args{"action": "continue"}, "Frame: double\n")
	d.says(args{"action": "remove_breakpoint", "function": "double"}, "(none)")
	d.says(args{"action": "step_in"}, "Step in stopped at sub/a.py:")
	d.says(args{"action": "step_out"}, "Frame: main\n")
	d.interrupted(args{"action": "continue"}, "sum 8\n")
	d.says(args{"action": "pause"}, "Status: stopped\n", "Frame: main\n")
	if text := d.says(args{"action": "output"}, "red", "sum 8\n"); strings.Contains(text, "\x1b") ||
		strings.Contains(text, "ptvsd") {
		t.Errorf("the output is %q", text)
	}
	text := d.says(args{"action": "evaluate", "expression": "__import__('os').getpid()"})
	pid := numberOf(t, between(text, "Result: ", "\n"))
	d.says(args{"action": "terminate"}, "Status: terminated\n")
	if alive(pid) {
		t.Errorf("the program still runs: %d", pid)
	}
}

// startOutside starts a program that is not ours, and returns it and the first line that it prints.
func (d *debugBench) startOutside(name string, arguments ...string) (pid int, line string) {
	d.t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Dir = d.dir
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	if line, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		d.t.Fatal(err)
	}
	return cmd.Process.Pid, strings.TrimSpace(line)
}

// A program that runs is attached to, and goes on when the session ends.
func TestRealAdaptersAttach(t *testing.T) {
	t.Parallel()
	t.Run("dlv", func(t *testing.T) {
		t.Parallel()
		d := newDelveBench(t)
		pid, _ := d.startOutside(filepath.Join(d.dir, "debugged"), "wait")
		d.says(args{"action": "attach", "pid": pid}, "Adapter: dlv\nStatus: stopped\n", "Program: process ")
		d.says(args{"action": "threads"}, "[Go 1] ")
		d.says(args{"action": "terminate"}, "Status: terminated\n")
		if !alive(pid) {
			t.Error("the program has ended")
		}
	})
	t.Run("debugpy", func(t *testing.T) {
		t.Parallel()
		table := realAdapter(t, "debugpy")
		d := newDebugBench(t, table, map[string]string{"a.py": "import debugpy\nimport time\n\n" +
			"print(debugpy.listen(('127.0.0.1', 0))[1], flush=True)\nwhile True:\n    time.sleep(0.01)\n"})
		pid, port := d.startOutside(table["debugpy"].Command[0], "a.py")
		d.says(args{"action": "attach", "port": numberOf(t, port)}, "Adapter: debugpy\nStatus: running\n",
			"Program: 127.0.0.1:"+port+"\n")
		d.says(args{"action": "set_breakpoint", "file": "a.py", "line": 6}, "line 6: verified")
		d.says(args{"action": "continue"}, "Program stopped at a.py:6:1.\n")
		d.says(args{"action": "terminate"}, "Status: terminated\n")
		if !alive(pid) {
			t.Error("the program has ended")
		}
	})
}
