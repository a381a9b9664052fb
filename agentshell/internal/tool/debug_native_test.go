package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

const debuggedC = `#include <stdio.h>

int doubled(int n) {
	int r = n * 2;
	return r;
}

int main(int argc, char **argv) {
	int list[300] = {7};
	int x = 1;
	for (int i = 0; i < 3; i++)
		x = doubled(x);
	printf("sum %d %s\n", x + list[0], argc > 1 ? argv[1] : "");
	return 3;
}
`

// Debuggers of the machine's programs debug one of C. Each is skipped where it is missing or too
// old to be an adapter.
func TestNativeDebuggers(t *testing.T) {
	t.Parallel()
	table, err := dap.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gdb", "lldb-dap"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			only := dap.Table{name: table[name]}
			d := newDebugBench(t, only, map[string]string{"a.c": debuggedC})
			if _, err := d.service.Resolve(t.Context(), table[name]); err != nil {
				need.Missing(t, name, err)
			}
			build := exec.Command(need.Program(t, "gcc"), "-g", "-O0", "-o", "prog", "a.c")
			build.Dir = d.dir
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			d.debugsC(name)
		})
	}
}

// debugsC debugs the program of C.
func (d *debugBench) debugsC(name string) {
	d.t.Helper()
	d.says(args{"action": "launch", "program": "prog", "args": []string{"a b"}}, "Adapter: "+name+"\nStatus: stopped\n")
	d.says(args{"action": "set_breakpoint", "file": "a.c", "line": 5}, "- line 5: verified")
	d.says(args{"action": "continue"}, "Stop reason: breakpoint", "Frame: doubled", "Program stopped at a.c:5")
	d.says(args{"action": "stack_trace"}, "doubled @ a.c:5", "main @ a.c:12")
	locals := numberOf(d.t, between(d.says(args{"action": "scopes"}, "Locals: ref="), "Locals: ref=", ","))
	d.says(args{"action": "variables", "scope_id": locals}, "n = 1 (int)", "r = 2 (int)")
	d.says(args{"action": "evaluate", "expression": "r + n", "context": "watch"}, "Result: 3")
	d.says(args{"action": "step_out"}, "Frame: main")
	d.says(args{"action": "remove_breakpoint", "file": "a.c", "line": 5}, "(none)")
	d.says(args{"action": "continue"}, "Program terminated with exit code 3.")
	d.says(args{"action": "output"}, "sum 15 a b")
}

// An adapter that is too old for the protocol is passed over; where it is the only one, or the one
// that was named, the error says what to install.
func TestADebuggerThatIsTooOldIsPassedOver(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	old := dap.Adapter{Name: "a-old", Command: []string{os.Args[0]}, Kinds: []string{".x"}, Install: "get a newer one",
		Version: daptest.Version("old 1.2\n", asked), Least: 3}
	table := scripted("well")
	table["a-old"] = old
	d := newDebugBench(t, table, map[string]string{"a.x": "one\n"})
	if _, err := os.Stat(asked); err == nil {
		t.Error("it was asked for its version before it was needed")
	}
	d.says(args{"action": "launch", "program": "a.x"}, "Adapter: fake\n")
	d.fails(args{"action": "launch", "program": "a.x", "adapter": "a-old"},
		"1.2 is too old: it has to be 3 or newer. To install it: get a newer one")
	d.fails(args{"action": "launch", "program": "a.x", "adapter": "none"}, "Installed adapters: fake")
	d = newDebugBench(t, dap.Table{"a-old": old}, map[string]string{"a.x": "one\n"})
	d.fails(args{"action": "launch", "program": "a.x"}, "No debugger adapter available. Installed adapters: none. ")
	d.fails(args{"action": "launch", "program": "a.x"}, "To install it: get a newer one")
}

// The question about a launch names the program that starts the adapter, and the launch starts it.
func TestADebuggerIsAskedForByTheNameThatItHas(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "fake-19")); err != nil {
		t.Fatal(err)
	}
	table := scripted("well")
	a := table["fake"]
	a.Command = append([]string{"fake"}, a.Command[1:]...)
	a.Names = []string{"fake-20", "fake-19"}
	table["fake"] = a
	d := newDebugBench(t, table, map[string]string{"a.x": "one\n"})
	d.service = dap.NewService(dap.Config{Dir: d.ws.Dir(), Env: os.Environ(), Table: table,
		Family: &child.Family{Programs: child.NewPrograms(dir)}})
	t.Cleanup(d.service.Close)
	d.tool = Debug(d.env, d.service)[0]
	c, err := d.tool.Prepare(context.Background(), "t", mustJSON(t, args{"action": "launch", "program": "a.x"}))
	if err != nil || !strings.HasPrefix(c.Command, "fake-19 ") {
		t.Fatalf("it asks for %q, %v", c.Command, err)
	}
	r, err := c.Run(context.Background(), func(string) {})
	if err != nil || !strings.Contains(r.Text, "Status: stopped") {
		t.Errorf("%q, %v", r.Text, err)
	}
}
