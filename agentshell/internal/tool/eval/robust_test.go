package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A kernel that a cell has ended or broken is named, and the next cell has a new one.
func TestAKernelThatACellBreaksStartsAnew(t *testing.T) {
	t.Parallel()
	for l, codes := range map[Language]map[string]string{
		Python: {
			"import os; os._exit(7)":                                     "exit status 7",
			"import os; os.kill(os.getpid(), 9)":                         "killed",
			"import os; os.write(3, b'garbage\\n')":                      "no message",
			"import os; os.write(3, b'{\"t\":\"done\",\"cell\":99}\\n')": "no message",
			"import os; os.close(3)":                                     "",
		},
		JavaScript: {
			"process.exit(7)":                      "exit status 7",
			"process.kill(process.pid, 'SIGKILL')": "killed",
			"require('fs').writeSync(3, 'garbage\\n'); await new Promise(() => {})": "no message",
			"require('fs').closeSync(3)": "",
		},
	} {
		b := newBench(t, l)
		b.service.kernels[l].Stop()
		for code, want := range codes {
			r := b.run(code)
			if r.err == nil || !r.Lost || !strings.Contains(r.err.Error(), want) ||
				!strings.HasPrefix(r.err.Error(), "the kernel of "+l.Name()+" has ended") ||
				strings.Contains(r.err.Error(), "\x1e") {
				t.Errorf("%s: %+v", code, r)
			}
			b.service.kernels[l].Stop()
			b.service.kernels[l].Stop() // it has ended: now its failures are forgotten
			b.gives("1", "1")
		}
	}
}

// A cell that spoils what cells have does not spoil the cells after it, or is ended at its time.
func TestACellCannotHideFromItsEnd(t *testing.T) {
	t.Parallel()
	for l, codes := range map[Language][]string{
		Python: {
			"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
			"while True:\n  try:\n    while True: pass\n  except BaseException: pass",
			"import os\nfor i in range(3):\n  if os.fork() == 0: os.execvp('sleep', ['sleep', " +
				"'1000'])\nos.setsid() if os.getpgid(0) != os.getpid() else 0\nwhile True: pass",
			"import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
		},
		JavaScript: {"process.on('SIGTERM', () => {}); while (true);"},
	} {
		b := newBench(t, l)
		b.service.config.Grace = 20 * time.Millisecond
		for _, code := range codes {
			b.gives("1", "1")
			b.service.kernels[l].Helper.Stop()
			if r := b.runFor(t.Context(), 50*time.Millisecond, code); !r.TimedOut {
				t.Errorf("%s: %+v", code, r)
			}
		}
		b.gives("1", "1")
	}
}

func TestACellThatForksEndsOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, Python)
	forkInACell(b)
	b.gives("import json, os, sys\njson.dumps = json.loads = os.write = None", "")
	b.service.kernels[Python].Stop()
	b.gives("import sys; sys.stdout = None; sys.stderr.close()", "")
	b.gives("2", "")
}

// forkInACell holds for the loop and for the kernel of Jupyter.
func forkInACell(b *bench) {
	b.Helper()
	b.gives("import os\nif (child := os.fork()): os.waitpid(child, 0)\nprint('x', flush=True) if child else "+
		"print('child')", "child\nx")
	b.gives("1", "1")
	b.gives("display = read = print = None", "")
	b.gives("del display, read, print\ndisplay({})", `<{"application/json":{}}>`)
}

// What the loop itself needs comes from Python, whatever lies in the workspace. What a cell imports
// comes from the workspace first.
func TestFilesOfTheWorkspaceReplaceNothingThatTheLoopNeeds(t *testing.T) {
	t.Parallel()
	b := newBench(t, Python)
	for _, name := range []string{"json", "queue", "traceback", "threading", "ast"} {
		if err := os.WriteFile(filepath.Join(b.dir, name+".py"), []byte("raise SystemExit('replaced')"),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(b.dir, "colorsys.py"), []byte("mine = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.gives("import colorsys; colorsys.mine", "1")
}

func TestACellThatInterruptsItselfWasInterrupted(t *testing.T) {
	t.Parallel()
	b := newBench(t, Python)
	if r := b.run("raise KeyboardInterrupt"); r.err != nil || r.Outcome != (Outcome{Stopped: true}) {
		t.Errorf("%+v", r)
	}
	b.gives("1", "1")
}
