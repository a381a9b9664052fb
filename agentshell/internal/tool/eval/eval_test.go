package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// bench runs cells of real programs in a folder.
type bench struct {
	*testing.T
	service  *Service
	language Language
	dir      string
	host     hostFunc
}

// hostFunc is a Host.
type hostFunc func(ctx context.Context, name string, args map[string]any) (any, error)

// Call implements Host.
func (f hostFunc) Call(ctx context.Context, name string, raw []byte) (any, error) {
	var args map[string]any
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, err
	}
	return f(ctx, name, args)
}

// newBench returns a bench for one language, whose cells a loop of ours runs.
func newBench(t *testing.T, l Language) *bench {
	t.Helper()
	return newBenchOf(t, l, Config{})
}

// newKernelBench returns a bench for Python whose cells a kernel of Jupyter runs.
func newKernelBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOf(t, Python, Config{Jupyter: true})
}

// pathWithKernel returns a list of folders in which python3 has ipykernel.
func pathWithKernel(t *testing.T) string {
	t.Helper()
	path := findKernel()
	if path == "" {
		need.Missing(t, "ipykernel", "no Python has it")
	}
	return path
}

// findKernel returns a list of folders in which python3 has ipykernel, "" if there is none.
func findKernel() string {
	path := os.Getenv("PATH")
	for _, path := range []string{path, "/usr/bin:" + path} {
		python, err := child.NewPrograms(path).Path("python3")
		if err == nil && exec.Command(python, "-c", "import ipykernel").Run() == nil {
			return path
		}
	}
	return ""
}

func newBenchOf(t *testing.T, l Language, config Config) *bench {
	t.Helper()
	need.Program(t, map[Language]string{Python: "python3", JavaScript: "node"}[l])
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, language: l, dir: dir, host: func(context.Context, string, map[string]any) (any, error) {
		return nil, errors.New("nobody is there")
	}}
	config.Languages, config.Dir, config.Env, config.Family = []Language{l}, dir, os.Environ(), new(child.Family)
	if config.Jupyter {
		path := pathWithKernel(t)
		config.Family.Programs = child.NewPrograms(path)
		config.Env = append(config.Env, "PATH="+path)
	}
	config.Width, config.Grace, config.Options.Pause = 4, time.Minute, time.Millisecond
	b.service = NewService(config)
	t.Cleanup(func() { b.service.Close() })
	return b
}

// setEnv gives the programs one variable more.
func (b *bench) setEnv(variable string) {
	config := b.service.config
	config.Env = append(config.Env, variable)
	b.service = NewService(config)
}

// maxText is how much of what a cell gives a bench holds.
const maxText = 1 << 20

// result is what a cell gave: its text with what it has shown as JSON in its place.
type result struct {
	Outcome
	text string
	err  error
}

func (b *bench) run(code string) result { return b.runFor(b.Context(), time.Hour, code) }

func (b *bench) runFor(ctx context.Context, limit time.Duration, code string) (r result) {
	b.Helper()
	var mu sync.Mutex
	var out bytes.Buffer
	r.Outcome, r.err = b.service.Run(ctx, Cell{Language: b.language, Code: code, Timeout: limit, Host: b.host,
		Out: writerFunc(func(p []byte) {
			mu.Lock()
			defer mu.Unlock()
			out.Write(p[:min(len(p), maxText-min(out.Len(), maxText))])
		}),
		Show: func(d Display) {
			mu.Lock()
			defer mu.Unlock()
			if plain, ok := d["text/plain"].(string); ok && len(d) == 1 {
				fmt.Fprintln(&out, plain)
				return
			}
			if out.Len() > maxText {
				return
			}
			delete(d, "text/plain") // a kernel has it beside every other form
			text, _ := json.Marshal(d)
			fmt.Fprintf(&out, "<%s>\n", text)
		}})
	mu.Lock()
	defer mu.Unlock()
	r.text = out.String()
	return r
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// gives runs a cell that has to end well with that text.
func (b *bench) gives(code, want string) {
	b.Helper()
	if r := b.run(code); r.err != nil || r.Outcome != (Outcome{}) || strings.TrimSpace(r.text) != want {
		b.Errorf("%s\ngives %q, %+v, %v\nwant  %q", code, r.text, r.Outcome, r.err, want)
	}
}

// fails runs a cell that has to end with an error that has those texts.
func (b *bench) fails(code string, want ...string) {
	b.Helper()
	r := b.run(code)
	for _, w := range want {
		if r.err != nil || !strings.Contains(r.Error, w) {
			b.Errorf("%s\nfails with %q, %v\nwant %q", code, r.Error, r.err, w)
		}
	}
}

func TestCellsOfPython(t *testing.T) {
	t.Parallel()
	runCellsOfPython(newBench(t, Python))
}

// runCellsOfPython holds for the loop and for the kernel of Jupyter.
func runCellsOfPython(b *bench) {
	b.Helper()
	b.gives("x = 20\ndef f(): return x + 1\nx", "20")
	b.gives("f() + 1", "22")
	b.gives("import asyncio\nawait asyncio.sleep(0)\nasync def g(): return 'g'\nawait g()", "'g'")
	b.gives("print('a'); display({'k': [1, 2]}); print('b')\ndisplay('s', 3)",
		"a\n<{\"application/json\":{\"k\":[1,2]}}>\nb\ns\n3")
	b.gives("import os, sys\nos.system('echo out; echo err >&2')\nprint('e', file=sys.stderr)", "out\nerr\ne")
	b.gives("class M:\n  def _repr_markdown_(self): return '# t'\nM()", `<{"text/markdown":"# t"}>`)
	b.gives("class H:\n  def _repr_html_(self): return '<b>t</b>'\nH()",
		`<{"text/html":"\u003cb\u003et\u003c/b\u003e"}>`)
	b.gives("display({'type': 'image', 'data': 'AAAA', 'mimeType': 'image/png'})", `<{"image/png":"AAAA"}>`)
	b.gives(`display(b"\x89PNGxx")`, `<{"image/png":"iVBOR3h4"}>`)
	b.gives("None", "")
	b.gives("import sys; sys.exit()", "")
	b.gives("sort('b\\na\\nb', unique=True), uniq('a\\na\\nb', count=True), counter(['x','y','x']), env('NO_SUCH')",
		`('a\nb', '2 a\n1 b', [['x', 2], ['y', 1]], None)`)
	b.gives("sort('a\\nc\\nb', reverse=True), counter('x\\ny\\nx', limit=1), "+
		"counter(['x','y','x'], reverse=True)",
		`('c\nb\na', [['x', 2]], [['y', 1], ['x', 2]])`)
	b.gives("env('EVAL_TEST', 'v'); os.environ['EVAL_TEST']", "'v'")
	b.gives("import os; os.getcwd() == '"+b.dir+"'", "True")
	b.fails("a = 1\n\n1/0\n", "Traceback (most recent call last)", "line 3", "1/0", "ZeroDivisionError")
	b.fails("x = (", "SyntaxError")
	b.fails("input('?')", "Kernel requested stdin; interactive input is not supported.")
	b.gives("a", "1")
	if r := b.runReset("'x' in globals()"); r.text != "False\n" {
		b.Errorf("after a reset: %+v", r)
	}
}

func (b *bench) runReset(code string) result {
	b.Helper()
	if err := b.service.Stop(b.language); err != nil {
		b.Fatal(err)
	}
	return b.run(code)
}

func TestCellsOfJavaScript(t *testing.T) {
	t.Parallel()
	b := newBench(t, JavaScript)
	b.gives("const x = 20; let y = 1; function f() { return x + y }; class A {}; x", "20")
	b.gives("const x = 1; f()", "2")
	b.gives("y = 2; const z = await Promise.resolve(f()); return z;", "3")
	b.gives("z + 1", "4")
	b.gives("if (z) return 'early'; return 5", "early")
	b.gives("const later = async () => { return 1 }; (await later()) + 1", "2")
	b.gives("console.log('a'); display({k: [1, 2]}); print('b'); display('s', 3, null, 2n)",
		"a\n<{\"application/json\":{\"k\":[1,2]}}>\nb\ns\n3\nnull\n2n")
	b.gives("require('child_process').execSync('echo out; echo err >&2', {stdio: 'inherit'}); undefined", "out\nerr")
	b.gives("display({type: 'markdown', text: '# t'}); undefined", `<{"text/markdown":"# t"}>`)
	b.gives("display({type: 'image', data: 'AAAA', mimeType: 'image/png'}); undefined", `<{"image/png":"AAAA"}>`)
	b.gives("[sort('b\\na\\nb', {unique: true}), uniq('a\\na\\nb', {count: true}), counter(['x','y','x']), "+
		"env('NO_SUCH') ?? 0]",
		`<{"application/json":["a\nb","2 a\n1 b",[["x",2],["y",1]],0]}>`)
	b.gives("[sort('a\\nc\\nb', {reverse: true}), counter('x\\ny\\nx', {limit: 1}), "+
		"counter(['x','y','x'], {reverse: true})]",
		`<{"application/json":["c\nb\na",[["x",2]],[["y",1],["x",2]]]}>`)
	b.gives("process.cwd()", b.dir)
	b.gives("import def, {join as j} from 'node:path';\nimport * as os from\n 'os'\nimport 'fs'\n[typeof "+
		"def.sep, j('a', 'b'), os.EOL]",
		`<{"application/json":["string","a/b","\n"]}>`)
	b.gives("const t = `import('x') ${(await import('os')).EOL === '\\n' ? 'import(y)' : 0}`; "+
		"/import(.)/.test(t) + t",
		"trueimport('x') import(y)")
	b.gives("String(async () => import('fs')).endsWith(\"(s, o) => import(s, o))('fs')\")", "true")
	b.gives("[fs.readFileSync, require('path').join, Buffer, fetch, Blob, Headers, Request, Response, URL]."+
		"map(f => typeof f).join()",
		"function"+strings.Repeat(",function", 8))
	b.fails("const q = 1\nthrow new Error('bad')", "Error: bad", "cell-")
	b.fails("let s =", "SyntaxError")
	b.fails("{ import fs from 'fs' }", "SyntaxError") // only at the top level
	b.fails("JSON.parse('{')", "SyntaxError")
	b.gives("q", "1")
	r := b.run("setTimeout(() => { throw new Error('late') }); await new Promise(done => setTimeout(done, 5)); 7")
	if !strings.HasPrefix(r.text, "Uncaught Error: late") || !strings.HasSuffix(r.text, "\n7\n") {
		t.Errorf("an error of a timer: %+v", r)
	}
	if r := b.runReset("typeof x"); r.text != "undefined\n" {
		t.Errorf("after a reset: %+v", r)
	}
}
