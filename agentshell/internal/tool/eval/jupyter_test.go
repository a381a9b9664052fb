package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What holds for the loop of Python holds for the kernel of Jupyter.
func TestAKernelOfJupyterIsLikeTheLoop(t *testing.T) {
	t.Parallel()
	b := newKernelBench(t)
	forkInACell(b)
	if s := b.service.Status(); len(s) != 1 || !strings.HasPrefix(s[0].Name, "Python (ipykernel ") {
		t.Errorf("%+v", s)
	}
	interruptPython(b)
	importFresh(b, "deep.py", "top.py", "v = %d\n", "import deep\ndef get(): return deep.v\n",
		"import top; top.get()", "from deep import v; v")
	callTheHost(b)
	b.gives("raise SystemExit", "")
	b.fails("raise SystemExit(3)", "SystemExit: 3")
	if r := b.run("raise KeyboardInterrupt"); r.err != nil || r.Outcome != (Outcome{Stopped: true}) {
		t.Errorf("%+v", r)
	}
	showInAKernel(b)
	b.gives("import sys; sys.stdout = None; sys.stderr.close()", "")
	b.gives("2", "2")
	runCellsOfPython(b)
	dir := b.service.kernels[Python].shared()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%q: %v, %v", dir, info, err)
	}
	b.service.Close()
	if _, err := os.Lstat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}

// shared returns the folder of the program that runs.
func (k *languageKernel) shared() string {
	c, release, err := k.Use(context.Background())
	if err != nil {
		return err.Error()
	}
	defer release()
	return c.process.Shared()
}

// showInAKernel shows what only a kernel knows.
func showInAKernel(b *bench) {
	b.Helper()
	b.gives("from IPython.display import Markdown, JSON, HTML, display as other\nMarkdown('# t')",
		`<{"text/markdown":"# t"}>`)
	b.gives("print(1); other(JSON({'a': 1})); print(2)\nHTML('t')",
		"1\n<{\"application/json\":{\"a\":1}}>\n2\n<{\"text/html\":\"t\"}>")
	b.gives("h = other(1, display_id=True); h.update(2)", "1\n2")
	b.gives(`b"\x89PNGxx"`, `<{"image/png":"iVBOR3h4\n"}>`)
	b.gives("%%sh\necho out\necho err >&2", "out\nerr")
	b.gives("%%capture c\nprint('held')", "")
	b.gives("c.stdout", `'held\n'`)
	b.gives("for i in range(3000): display({'i': i})", func() string {
		var want strings.Builder
		for i := range 3000 { // more than wait for a place at a time
			fmt.Fprintf(&want, "<{\"application/json\":{\"i\":%d}}>\n", i)
		}
		return strings.TrimSpace(want.String())
	}())
	// Something that writes to the streams of a kernel itself.
	b.gives("k = get_ipython().kernel\nk.session.send(k.iopub_socket, 'stream', {'name': 'stdout', 'text': 'own'}, "+
		"parent=get_ipython().get_parent())\nNone", "own")
}

// A kernel that a cell ends or breaks is named, and the next cell has a new one.
func TestAKernelOfJupyterThatACellBreaksStartsAnew(t *testing.T) {
	t.Parallel()
	b := newKernelBench(t)
	for code, want := range map[string]string{
		"import os; os._exit(7)":                                  "exit status 7",
		"get_ipython().kernel.session.key = b'another'; print(1)": "no message",
	} {
		r := b.run(code)
		if r.err == nil || !r.Lost || !strings.Contains(r.err.Error(), want) ||
			!strings.HasPrefix(r.err.Error(), "the kernel of Python has ended") {
			t.Errorf("%s: %+v", code, r)
		}
	}
	b.gives("1", "1")
	b.service.config.Grace = 20 * time.Millisecond
	b.service.kernels[Python].Helper.Stop()
	// It takes no request for an interrupt any more.
	r := b.runFor(t.Context(), time.Second, "import re\nre.match('(a+)+$', 'a' * 40 + 'b')")
	if !r.TimedOut || !r.Lost {
		t.Errorf("%+v", r)
	}
}

// Where ipykernel is missing or broken the loop runs the cells, also with a file of the workspace
// that has its name.
func TestWithoutAKernelOfJupyterTheLoopRunsTheCells(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"raise ImportError", "raise ValueError('broken')"} {
		b := newKernelBench(t)
		lib := t.TempDir()
		for path, text := range map[string]string{filepath.Join(lib, "ipykernel.py"): text,
			filepath.Join(b.dir, "ipykernel.py"): "raise SystemExit('taken from the workspace')"} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b.setEnv("PYTHONPATH=" + lib)
		b.gives("'get_ipython' in globals()", "False")
		if s := b.service.Status(); s[0].Name != "Python" {
			t.Errorf("%+v", s)
		}
	}
}
