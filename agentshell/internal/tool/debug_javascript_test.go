package tool

import (
	"os"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

const debuggedJS = `const { fork } = require('child_process');

function doubled(n) {
  const r = n * 2;
  return r;
}

let x = 1;
for (let i = 0; i < 3; i++) x = doubled(x);
console.log('sum', x, process.argv[2]);
if (process.argv[2] === 'a b') fork(__filename, ['child']);
`

// A program of JavaScript is debugged by js-debug, with the processes that it starts. No package
// brings js-debug: SCROLLKEEP_JS_DEBUG names its dapDebugServer.js.
func TestJSDebug(t *testing.T) {
	t.Parallel()
	server := os.Getenv("SCROLLKEEP_JS_DEBUG")
	if server == "" {
		need.Missing(t, "js-debug", "SCROLLKEEP_JS_DEBUG does not name dapDebugServer.js")
	}
	table, err := dap.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	a := table["js-debug"]
	a.Command = append([]string{need.Program(t, "node"), server}, a.Command[1:]...)
	d := newDebugBench(t, dap.Table{"js-debug": a}, map[string]string{"a.js": debuggedJS})
	d.says(args{"action": "launch", "program": "a.js", "args": []string{"a b"}}, "Adapter: js-debug\nStatus: stopped\n",
		"Stop reason: entry")
	d.says(args{"action": "set_breakpoint", "file": "a.js", "line": 5}, "- line 5: ")
	d.says(args{"action": "continue"}, "Stop reason: breakpoint", "doubled\n", "Program stopped at a.js:5:")
	d.says(args{"action": "stack_trace"}, "doubled @ a.js:5:", "@ a.js:9:")
	d.says(args{"action": "threads"}, "a.js [")
	scopes := d.says(args{"action": "scopes"}, "Local: doubled: ref=")
	locals := numberOf(t, between(scopes, "Local: doubled: ref=", ","))
	d.says(args{"action": "variables", "scope_id": locals}, "n = 1", "r = 2")
	d.says(args{"action": "evaluate", "expression": "r + n"}, "Result: 3")
	d.says(args{"action": "step_out"}, "Step out stopped at a.js:9:")
	d.says(args{"action": "remove_breakpoint", "file": "a.js", "line": 5}, "(none)")
	// The process that it has started.
	d.says(args{"action": "continue"}, "Stop reason: entry", "Program stopped at a.js:1:")
	d.says(args{"action": "evaluate", "expression": "process.argv[2]"}, "child")
	d.says(args{"action": "continue"}, "Program terminated.")
	d.says(args{"action": "output"}, "sum 8 a b\n", "sum 8 child\n")
}
