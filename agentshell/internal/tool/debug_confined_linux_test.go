package tool

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// confine makes the sessions of a bench run in a sandbox, with more variables.
func (d *debugBench) confine(table dap.Table, environ ...string) {
	d.t.Helper()
	family := new(child.Family)
	r := sandbox.Find(d.t.Context(), family, d.t.TempDir(), "")
	if r.Box == nil {
		need.Missing(d.t, "sandbox", r.Reason)
	}
	d.service = dap.NewService(dap.Config{Dir: d.ws.Dir(), Env: append(os.Environ(), environ...), Family: family,
		Table:    table,
		StopTime: time.Minute, Cell: func(cmd *exec.Cmd, trace bool, shared string) (*sandbox.Cell, error) {
			return r.Box.Cell(sandbox.Policy{Workspace: d.ws.Dir(), Home: filepath.Clean(os.Getenv("HOME")),
				Environ: cmd.Env, Trace: trace, Shared: shared}, cmd, nil)
		}})
	d.t.Cleanup(d.service.Close)
	d.tool = Debug(d.env, d.service)[0]
}

// A program is built, debugged and ended in the sandbox: it has the workspace, and nothing else.
// Its sources are found where the person's builds leave their paths out.
func TestDelveDebugsInTheSandbox(t *testing.T) {
	t.Parallel()
	table := realAdapter(t, "dlv")
	a := table["dlv"]
	a.Launch["buildFlags"] = a.Launch["buildFlags"].(string) + " -gcflags=std=" // the library as it is cached
	d := newDebugBench(t, table, map[string]string{"m/go.mod": "module example.com/m\n\ngo 1.21\n",
		"m/main.go": debuggedGo, "m/main_test.go": "package main\n\nimport \"testing\"\n\n" +
			"func TestDouble(t *testing.T) {\n\tif double(2) != 4 {\n\t\tt.Fail()\n\t}\n}\n",
		"bad/go.mod": "module example.com/bad\n", "bad/main.go": "package main\n\nfunc main() { nope() }\n"})
	d.confine(table, "GOFLAGS=-trimpath")
	d.fails(args{"action": "launch", "program": "bad"}, "undefined: nope")
	d.says(args{"action": "launch", "program": "m"}, "Status: stopped\nCWD: .\nProgram: m\nStop reason: entry\n")
	d.says(args{"action": "set_breakpoint", "file": "m/main.go", "line": 13}, "line 13: verified")
	d.says(args{"action": "continue"}, "Program stopped at m/main.go:13.\n")
	d.says(args{"action": "evaluate", "expression": "r"}, "Result: 2\n")
	d.says(args{"action": "terminate"}, "Status: terminated\n")
	d.says(args{"action": "launch", "program": "m/main_test.go"}, "Stop reason: entry\n")
	d.says(args{"action": "set_breakpoint", "function": "main.double"}, "main.double: verified")
	d.says(args{"action": "continue"}, ".double\n")
	d.says(args{"action": "remove_breakpoint", "function": "main.double"}, "(none)")
	d.says(args{"action": "continue"}, "Program terminated with exit code 0.\n")
	for _, left := range []string{"__debug_bin*", "m/__debug_bin*", "debugged"} {
		if names, _ := filepath.Glob(filepath.Join(d.dir, left)); len(names) > 0 {
			t.Errorf("the workspace has %q", names)
		}
	}
}

func TestDebugpyDebugsInTheSandbox(t *testing.T) {
	t.Parallel()
	table := realAdapter(t, "debugpy")
	d := newDebugBench(t, table, map[string]string{"a.py": "import os\n\n\ndef f():\n    return 1\n\n\nf()\n"})
	d.confine(table)
	d.says(args{"action": "launch", "program": "a.py"}, "Status: stopped\n", "Stop reason: entry\n")
	outside := filepath.Join(t.TempDir(), "x")
	d.fails(args{"action": "evaluate", "expression": "open('" + outside + "', 'w')"}, "No such file or directory")
	d.fails(args{"action": "evaluate", "expression": "open('/etc/x', 'w')"}, "Read-only file system")
	d.says(args{"action": "evaluate", "expression": "open('made', 'w').close()"}, "Result: ")
	if _, err := os.Stat(filepath.Join(d.dir, "made")); err != nil {
		t.Error(err)
	}
	if c, err := d.tool.Prepare(t.Context(), "t", mustJSON(t, args{"action": "evaluate",
		"expression": "1"})); err != nil || !c.Confined || !strings.Contains(c.Proposal.Payload.Line(), noteConfined) {
		t.Errorf("%+v, %v", c, err)
	}
	d.says(args{"action": "continue"}, "Program terminated with exit code 0.\n")
}
