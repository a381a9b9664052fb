package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// echo answers each call by its name and arguments.
func echo(_ context.Context, name string, args map[string]any) (any, error) {
	return fmt.Sprint(name, " ", args), nil
}

func TestACellOfPythonCallsTheHost(t *testing.T) {
	t.Parallel()
	callTheHost(newBench(t, Python))
}

// callTheHost holds for the loop and for the kernel of Jupyter.
func callTheHost(b *bench) {
	b.Helper()
	b.host = echo
	b.gives("print(read('f', 2, limit=3)); print(write('f', 't')); print(append('f', 't')); print(tree()); "+
		"print(diff('a', 'b'))",
		"read map[limit:3 offset:2 path:f]\nwrite map[content:t path:f]\nappend map[content:t path:f]\n"+
			"tree map[depth:3 hidden:false path:.]\ndiff map[a:a b:b]")
	b.gives("print(tool.search(pattern='x', n=1)); print(tool.x({'a': 1})); print(output('a')); "+
		"print(output('a', 'b'))",
		"tool map[args:map[n:1 pattern:x] name:search]\ntool map[args:map[a:1] name:x]\noutput map[id:a]\n"+
			"['output map[id:a]', 'output map[id:b]']")
	b.gives("print(completion('p', model='smol', schema={'type': 'object'})); print(agent('p', label='L'))",
		"completion map[model:smol prompt:p schema:map[type:object]]\nagent map[agentType:task label:L prompt:p]")
	b.gives("print(parallel([lambda: read('a'), lambda: 2])); print(pipeline([1, 2], lambda i: i + 1, str))",
		"['read map[path:a]', 2]\n['2', '3']")
	b.gives("async def f(): return 5\nparallel([f])", "[5]")
	b.gives("parallel([]), pipeline([], str)", "([], [])")
	b.fails("parallel([lambda: 1, lambda: 1 / 0])", "ZeroDivisionError")
	b.fails("pipeline([1, 0], lambda n: 1 / n)", "ZeroDivisionError")
	b.gives("print(tree('d', max_depth=1, hidden=True))", "tree map[depth:1 hidden:true path:d]")
	b.gives("import threading\ndef late():\n  go.wait()\n  try: read('f')\n  except RuntimeError as e: "+
		"said.append(str(e))\n"+
		"go, said = threading.Event(), []\nth = threading.Thread(target=late); th.start()", "")
	b.gives("0", "0")
	b.host = func(context.Context, string, map[string]any) (any, error) { return nil, errors.New("denied") }
	b.fails("read('f')", "ToolError: denied")
	b.gives("try: read('f')\nexcept ToolError as e: print(e)", "denied")
}

func TestACellOfJavaScriptCallsTheHost(t *testing.T) {
	t.Parallel()
	b := newBench(t, JavaScript)
	b.host = echo
	b.gives("print(await read('f', {offset: 2, limit: 3})); print(await write('f', 't')); print(await "+
		"append('f', 't')); "+
		"print(await tree()); print(await diff('a', 'b'))",
		"read map[limit:3 offset:2 path:f]\nwrite map[content:t path:f]\nappend map[content:t path:f]\n"+
			"tree map[depth:3 hidden:false path:.]\ndiff map[a:a b:b]")
	b.gives("print(await tool.search({pattern: 'x'})); print(await output('a'), await output('a', 'b'))",
		"tool map[args:map[pattern:x] name:search]\noutput map[id:a] [ 'output map[id:a]', 'output map[id:b]' ]")
	b.gives("print(await completion('p', {model: 'smol'})); print(await agent('p', {agentType: 'explore'}))",
		"completion map[model:smol prompt:p]\nagent map[agentType:explore prompt:p]")
	b.gives("print(await parallel([() => read('a'), () => 2]), await pipeline([1, 2], i => i + 1, String))",
		"[ 'read map[path:a]', 2 ] [ '2', '3' ]")
	b.gives("await parallel([]), await pipeline([], String)", `<{"application/json":[]}>`)
	b.fails("await parallel([() => 1, async () => { throw new TypeError('bad') }])", "TypeError: bad")
	b.fails("await pipeline([1, 0], n => { if (!n) throw new TypeError('bad') })", "TypeError: bad")
	b.gives("print(await tree('d', {maxDepth: 1, hidden: true}))", "tree map[depth:1 hidden:true path:d]")
	b.host = func(context.Context, string, map[string]any) (any, error) { return nil, errors.New("denied") }
	b.fails("await read('f')", "ToolError: denied")
	b.gives("try { await read('f') } catch (e) { print(e.name, e.message) }", "ToolError denied")
}

// parallel works on as many items at a time as the service allows, and on all where nothing limits
// it.
func TestParallelWorkIsBounded(t *testing.T) {
	t.Parallel()
	for l, code := range map[Language]string{
		Python:     "parallel([lambda i=i: read(str(i)) for i in range(12)])[11]",
		JavaScript: "(await parallel([...Array(12).keys()].map(i => () => read(i))))[11]",
	} {
		for width, want := range map[int]int32{4: 4, 0: 12} {
			b := newBench(t, l)
			b.service.config.Width = width
			b.service = NewService(b.service.config)
			t.Cleanup(b.service.Close)
			var now, most atomic.Int32
			full := make(chan struct{})
			once := sync.OnceFunc(func() { close(full) })
			late := time.AfterFunc(30*time.Second, once)
			b.host = func(_ context.Context, _ string, args map[string]any) (any, error) {
				n := now.Add(1)
				defer now.Add(-1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				if n == want {
					once()
				}
				<-full // all that may are at work at a time
				return args["path"], nil
			}
			if r := b.run(code); strings.Trim(strings.TrimSpace(r.text), "'") != "11" || most.Load() != want {
				t.Errorf("%s: %+v, %d at a time, want %d", l, r, most.Load(), want)
			}
			late.Stop()
		}
	}
}

// Two cells of one language share a program, which runs one at a time: the others wait.
func TestCellsOfOneLanguageWaitForEachOther(t *testing.T) {
	t.Parallel()
	for l, code := range map[Language][2]string{
		Python:     {"n = 0", "n += 1; m = n; read('f'); n = m; n"},
		JavaScript: {"var n = 0", "{ const m = n + 1; await read('f'); n = m }; n"},
	} {
		b := newBench(t, l)
		b.run(code[0])
		var open atomic.Int32
		b.host = func(context.Context, string, map[string]any) (any, error) {
			if open.Add(1) > 1 {
				t.Errorf("%s: two cells run at once", l)
			}
			stopped, cancel := context.WithCancel(t.Context())
			cancel()
			o, err := b.service.Run(stopped, Cell{Language: l, Code: "1", Timeout: time.Hour, Host: b.host})
			if !o.Stopped || !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a cell that is stopped while it waits: %+v, %v", l, o, err)
			}
			open.Add(-1)
			return "", nil
		}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if r := b.run(code[1]); r.err != nil || r.Outcome != (Outcome{}) {
					t.Errorf("%s: %+v", l, r)
				}
			})
		}
		all.Wait()
		b.gives("n", "6")
	}
}

// A call that names another cell than the one that runs is refused: that cell has ended, and its
// permission with it.
func TestACallOfAnotherCellIsRefused(t *testing.T) {
	t.Parallel()
	const line = `{"t":"call","cell":99,"id":7777,"name":"write","args":{}}`
	for l, code := range map[Language]string{
		Python:     "import os; os.write(3, b'" + line + "\\n'); read('f')",
		JavaScript: "fs.writeSync(3, '" + line + "\\n'); await read('f')",
	} {
		b := newBench(t, l)
		b.host = func(_ context.Context, name string, _ map[string]any) (any, error) {
			if name != "read" {
				t.Errorf("%s: the host is asked for %s", l, name)
			}
			return 7, nil
		}
		b.gives(code, "7")
	}
}

// The time of a cell stands while the host works for it.
func TestTimeInTheHostDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, up := time.Now(), make(chan time.Duration, 1)
		c := newClock(10*time.Second, func() { up <- time.Since(began) })
		<-time.After(4 * time.Second)
		c.pause()
		<-time.After(time.Hour)
		c.pause()
		c.resume()
		<-time.After(time.Hour)
		c.resume()
		if got := <-up; got != 10*time.Second+2*time.Hour {
			t.Errorf("its time was up after %v", got)
		}
		c.pause() // the host answers a call that was made before
		c.resume()
		<-time.After(time.Hour)
		if len(up) > 0 {
			t.Error("its time was up twice")
		}
		c = newClock(time.Second, func() { t.Error("it goes on after its end") })
		c.pause()
		c.end()
		c.resume()
		<-time.After(time.Hour)
	})
}

func TestAnInterruptOfPythonKeepsItsNames(t *testing.T) {
	t.Parallel()
	interruptPython(newBench(t, Python))
}

// interruptPython holds for the loop and for the kernel of Jupyter.
func interruptPython(b *bench) {
	b.Helper()
	b.gives("x = 5", "")
	for _, code := range []string{
		"go()\nwhile True: pass",
		"go()\nimport time\ntime.sleep(1000)",
		"go()\nimport asyncio\nawait asyncio.sleep(1000)",
		"go()\nimport subprocess\nsubprocess.run(['sleep', '1000'])",
	} {
		ctx, cancel := context.WithCancel(b.Context())
		b.host = func(context.Context, string, map[string]any) (any, error) {
			cancel()
			return "", nil
		}
		r := b.runFor(ctx, time.Hour, strings.Replace(code, "go()", "read('f')", 1))
		if r.Outcome != (Outcome{Stopped: true}) {
			b.Errorf("%q: %+v", code, r)
		}
		b.gives("x", "5")
	}
	if r := b.runFor(b.Context(), time.Millisecond, "while True: pass"); !r.TimedOut || r.Lost {
		b.Errorf("its time is up: %+v", r)
	}
	b.gives("x", "5")
}

func TestAnInterruptOfJavaScriptStartsItAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t, JavaScript)
	for _, code := range []string{"var x = 5; while (true);", "var x = 5; await new Promise(() => {})"} {
		if r := b.runFor(t.Context(), time.Millisecond, code); !r.TimedOut || !r.Lost {
			t.Errorf("%q: %+v", code, r)
		}
		b.gives("typeof x", "undefined")
	}
}

// What a cell imports from the workspace is what is in the files now, also at the same time and
// size, and through other files.
func TestImportsAreFresh(t *testing.T) {
	t.Parallel()
	for l, c := range map[Language]struct {
		inner, outer, innerText, outerText string
		code                               []string
	}{
		Python: {"deep.py", "top.py", "v = %d\n", "import deep\ndef get(): return deep.v\n",
			[]string{"import top; top.get()", "from deep import v; v"}},
		JavaScript: {"deep.mjs", "top.mjs", "export const v = %d\n",
			"import {v} from './deep.mjs'\nexport const get = () => v\n",
			[]string{"import {get} from './top.mjs'; get()", "(await import('./deep.mjs')).v"}},
	} {
		importFresh(newBench(t, l), c.inner, c.outer, c.innerText, c.outerText, c.code...)
	}
	b := newBench(t, JavaScript)
	for version := 1; version <= 2; version++ {
		err := errors.Join(os.WriteFile(filepath.Join(b.dir, "c.js"), fmt.Appendf(nil, "module.exports = %d",
			version), 0o600),
			os.WriteFile(filepath.Join(b.dir, "d.json"), fmt.Appendf(nil, "[%d]", version), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		b.gives("import c from './c'; import d from './d.json'; c + require('./c') + d[0] + require('./d.json')[0]",
			fmt.Sprint(4*version))
	}
}

// A package is the same in each cell, and a file of the workspace is found by any path.
func TestPackagesAreImportedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, JavaScript)
	const count = "globalThis.%s = (globalThis.%[1]s ?? 0) + 1\n"
	if err := os.MkdirAll(filepath.Join(b.dir, "node_modules/pack"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(b.dir, "node_modules/pack/index.js"),
		fmt.Appendf(nil, count+"module.exports = {}", "packs"), 0o600),
		os.WriteFile(filepath.Join(b.dir, "local.mjs"), fmt.Appendf(nil, count, "locals"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b.gives("import p from 'pack'; import os from 'node:os'; p === require('pack')", "true")
	}
	b.gives("packs", "1")
	b.gives("import './local.mjs'; undefined", "")
	b.gives("import '"+b.dir+"/local.mjs'; undefined", "")
	b.gives("import '"+b.dir+"/local.mjs'; undefined", "")
	b.gives("await import(`${'./local'}.mjs`); undefined", "")
	b.gives("locals", "4")
}

// importFresh imports two files of the workspace by each code. The inner one changes.
func importFresh(b *bench, inner, outer, innerText, outerText string, codes ...string) {
	b.Helper()
	put := func(name, text string) {
		b.Helper()
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	put(outer, outerText)
	for version := 1; version <= 3; version++ {
		put(inner, fmt.Sprintf(innerText, version))
		for _, code := range codes {
			b.gives(code, fmt.Sprint(version))
		}
	}
	left, err := filepath.Glob(filepath.Join(b.dir, "*cache*"))
	if len(left) > 0 || err != nil {
		b.Errorf("%s leaves %v, %v", b.language, left, err)
	}
}

// A cell that resets its language waits for the one that runs, and others wait for the reset: none
// loses its program.
func TestCellsWaitForAReset(t *testing.T) {
	t.Parallel()
	for _, l := range []Language{Python, JavaScript} {
		b := newBench(t, l)
		b.host = func(context.Context, string, map[string]any) (any, error) { return "", nil }
		code := map[Language]string{Python: "read('f')", JavaScript: "await read('f')"}[l]
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				o, err := b.service.Run(t.Context(), Cell{Language: l, Code: code, Timeout: time.Hour, Host: b.host,
					Out: writerFunc(func([]byte) {}), Show: func(Display) {}, Reset: i%2 == 0})
				if err != nil || o != (Outcome{}) {
					t.Errorf("%s: %+v, %v", l, o, err)
				}
			})
		}
		all.Wait()
	}
}
