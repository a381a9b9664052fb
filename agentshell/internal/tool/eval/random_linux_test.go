package eval

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

var sessions = flag.Int("sessions", 6, "random sessions of cells that misbehave")

// misdeeds are cells that do not behave, by language. The kernel of Jupyter has those of Python,
// too.
var misdeeds = map[Language]map[string]string{
	Python: {
		"crashes":              "import os; os._exit(3)",
		"is killed":            "import os; os.kill(os.getpid(), 9)",
		"fails":                "1/0",
		"exits":                "raise SystemExit(4)",
		"hangs":                "import time; time.sleep(1000)",
		"hangs in a loop":      "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
		"stops itself":         "import os; os.kill(os.getpid(), 19)",
		"floods":               "while True: print('x' * 1000)",
		"floods values":        "while True: display({'a': 'x' * 1000})",
		"floods a line":        "import os\nwhile True: os.write(2, b'y' * 65536)",
		"sends garbage":        "import os; os.write(3, os.urandom(5000))\nwhile True: pass",
		"sends half a message": "import os; os.write(3, b'{\"t\":\"sh')\nwhile True: pass",
		"sends a huge message": "import os\nwhile True: os.write(3, b'x' * 65536)",
		"prints marks":         "print('\\x1eA:1\\x1e' * 1000)",
		"closes its channel":   "import os; os.close(3); os.close(4)\nwhile True: pass",
		"closes its output":    "import os; os.close(1); os.close(2)",
		"forks": "import os\nfor i in range(3):\n" +
			"  if os.fork() == 0: os.setsid(); os.execvp('sleep', ['sleep', '1000'])",
		"forks twice": "import os\nif os.fork() == 0:\n" +
			"  if os.fork(): os._exit(0)\n  os.setsid(); import time; time.sleep(1000)",
		"ignores its end": "import signal\n" +
			"for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
		"waits for input":    "input()",
		"waits for the host": "parallel([lambda: read('f')] * 20)",
		"leaves threads behind": "import threading, time\n" +
			"for i in range(9): threading.Thread(target=time.sleep, args=(1000,)).start()",
	},
	JavaScript: {
		"crashes":              "process.exit(3)",
		"is killed":            "process.kill(process.pid, 'SIGKILL')",
		"fails":                "throw new Error('bad')",
		"hangs":                "await new Promise(() => {})",
		"hangs in a loop":      "while (true);",
		"floods":               "while (true) console.log('x'.repeat(1000))",
		"floods values":        "while (true) display({a: 'x'.repeat(1000)})",
		"sends garbage":        "fs.writeSync(3, 'garbage\\n'); await new Promise(() => {})",
		"sends half a message": "fs.writeSync(3, '{\"t\":\"sh'); await new Promise(() => {})",
		"closes its channel":   "fs.closeSync(3)",
		"forks": "" +
			"require('child_process').spawn('sleep', ['1000'], {detached: true, stdio: 'ignore'})",
		"ignores its end": "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); while (true);",
		"rejects":         "Promise.reject(new Error('later'))",
	},
}

// kernelMisdeeds are those of a kernel alone.
var kernelMisdeeds = map[string]string{
	"signs wrongly":       "get_ipython().kernel.session.key = b'another'; print(1)",
	"publishes garbage":   "get_ipython().kernel.iopub_thread.socket.send(b'x' * 100)\nwhile True: pass",
	"publishes much":      "k = get_ipython().kernel\nwhile True: k.iopub_thread.socket.send(b'x' * 1000000)",
	"closes its sockets":  "import os\nfor fd in range(5, 60):\n  try: os.close(fd)\n  except OSError: pass",
	"has no streams":      "import sys; sys.stdout = sys.stderr = None",
	"asks for its end":    "exit()",
	"has another session": "import json; json.dumps = None",
}

// A session with cells of any kind is usable afterwards, tells what happened, and leaves nothing.
func TestRandomCellsThatMisbehaveLeaveNothing(t *testing.T) {
	need.Program(t, "python3")
	need.Program(t, "node")
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	family := new(child.Family)
	if err := family.AdoptOrphans(ctx); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tally := map[string]int{}
	for seed := range *sessions {
		misbehave(t, uint64(seed), family, tally)
	}
	runtime.ReadMemStats(&after)
	more := int64(after.Sys) - int64(before.Sys)
	if more > 100<<20 {
		t.Errorf("%d MiB of memory more", more>>20)
	}
	t.Logf("%d sessions, %d KiB of memory more, cells: %v", *sessions, more>>10, tally)
}

// misbehave is a session with a few cells that misbehave, and then one that does not.
func misbehave(t *testing.T, seed uint64, family *child.Family, tally map[string]int) {
	random := rand.New(rand.NewPCG(seed, 52))
	kind := []string{"py", "js", "kernel"}[random.IntN(3)]
	if kind == "kernel" && (random.IntN(4) > 0 || findKernel() == "") { // its start takes long
		kind = "py"
	}
	mark := fmt.Sprintf("EVAL_TEST=%d.%d", os.Getpid(), seed)
	b := randomBench(t, kind, mark, family)
	defer b.service.Close()
	deeds := maps.Clone(misdeeds[b.language])
	if kind == "kernel" {
		maps.Copy(deeds, kernelMisdeeds)
	}
	names, did := slices.Sorted(maps.Keys(deeds)), []string{}
	for range 1 + random.IntN(3) {
		name := names[random.IntN(len(names))]
		did = append(did, name)
		limit := time.Duration(20+random.IntN(100)) * time.Millisecond
		r := b.runFor(t.Context(), limit, deeds[name])
		switch {
		case r.err != nil:
			tally[kind+" ended"]++
			if !strings.Contains(r.err.Error(), "Python") && !strings.Contains(r.err.Error(), "JavaScript") {
				t.Errorf("seed %d (%s %v) does not say what ended: %v", seed, kind, did, r.err)
			}
		case r.TimedOut:
			tally[kind+" timed out"]++
		case r.Error != "":
			tally[kind+" failed"]++
		default:
			tally[kind+" went well"]++
		}
		if strings.Contains(fmt.Sprint(r.err, r.Error), "\x1e") {
			t.Errorf("seed %d (%s %v): a mark in %q", seed, kind, did, r.err)
		}
	}
	if !b.works() {
		t.Errorf("seed %d (%s %v): no cell runs any more: %+v", seed, kind, did, b.service.Status())
	}
	b.service.Close()
	if left := nasty.ProcessesWith(mark); len(left) > 0 {
		t.Errorf("seed %d (%s %v) leaves %v", seed, kind, did, left)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "scrollkeep-*")); len(left) > 0 || err != nil {
		t.Errorf("seed %d (%s %v) leaves %v, %v", seed, kind, did, left, err)
	}
}

// randomBench returns a bench whose programs have a variable, by which they are known.
func randomBench(t *testing.T, kind, mark string, family *child.Family) *bench {
	b := &bench{T: t, language: Python, dir: os.TempDir(), host: func(ctx context.Context, _ string,
		_ map[string]any) (any, error) {
		return "", nil
	}}
	if kind == "js" {
		b.language = JavaScript
	}
	path := os.Getenv("PATH")
	if kind == "kernel" {
		path = pathWithKernel(t)
	}
	family.Programs = child.NewPrograms(path)
	b.service = NewService(Config{Languages: []Language{b.language}, Dir: b.dir, Family: family, Width: 4,
		Env: append(os.Environ(), "PATH="+path, mark), Jupyter: kind == "kernel", Grace: 100 * time.Millisecond,
		Options: helper.Options{Pause: time.Millisecond}})
	return b
}

// works reports whether a cell gives its value, in the program that is there or in a new one.
func (b *bench) works() bool {
	for range 3 {
		if r := b.runFor(b.Context(), time.Minute, "6 * 7"); strings.TrimSpace(r.text) == "42" && r.err == nil {
			return true
		}
		_ = b.service.Stop(b.language) // as a person would do it
	}
	return false
}
