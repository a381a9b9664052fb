package tool

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// languageBench is a workspace with the tool lsp and real servers.
type languageBench struct {
	*bench
	service *lsp.Service
	history undo.History
	tool    Tool
}

// newLanguageBench opens a workspace for one server, which is allowed to start.
func newLanguageBench(t *testing.T, server string, files map[string]string) *languageBench {
	t.Helper()
	return newLanguageBenchWith(t, server, files, func(*lsp.Config) {})
}

// newLanguageBenchWith opens such a workspace with a configuration that with has changed.
func newLanguageBenchWith(t *testing.T, server string, files map[string]string, with func(*lsp.Config)) *languageBench {
	t.Helper()
	table, err := lsp.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	only := lsp.Table{server: table[server]}
	if s := only[server]; s.Command == nil {
		t.Fatalf("there is no server %s in the table", server)
	}
	l := &languageBench{bench: newBench(t, files)}
	npm, err := filepath.Abs("lsp/servers/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	s := only[server]
	if path, err := exec.LookPath(filepath.Join(npm, s.Command[0])); err == nil {
		s.Command = append([]string{path}, s.Command[1:]...)
	} else if server == "gopls" || server == "clangd" {
		need.Program(t, s.Command[0])
	} else {
		need.Missing(t, "lsp", fmt.Errorf("real servers are not installed: %w", err))
	}
	only[server] = s
	c := lsp.Config{Table: only, Dir: l.ws.Dir(), Env: os.Environ(), Report: true, Family: new(child.Family)}
	with(&c)
	l.service = lsp.NewService(c)
	t.Cleanup(l.service.Close)
	l.env.History, l.env.Languages = &l.history, l.service
	l.tool = Languages(l.env, l.service)[0]
	l.tool.(*lspTool).memory.granted[grantKey(s)] = true
	return l
}

// call prepares a call of the tool.
func (l *languageBench) call(a args) (Call, error) {
	l.t.Helper()
	return l.tool.Prepare(context.Background(), "t1", mustJSON(l.t, a))
}

// says makes a call that changes nothing, and wants parts of its text.
func (l *languageBench) says(a args, parts ...string) string {
	l.t.Helper()
	c, err := l.call(a)
	if err != nil {
		l.t.Fatalf("%v: %v", a, err)
	}
	if c.Proposal != nil || len(c.Parts) > 0 {
		l.t.Fatalf("%v asks", a)
	}
	r, err := c.Run(context.Background(), func(string) {})
	if err != nil {
		l.t.Fatalf("%v: %v", a, err)
	}
	for _, part := range parts {
		if !strings.Contains(r.Text, part) {
			l.t.Errorf("%v says\n%s\nwithout %q", a, r.Text, part)
		}
	}
	return r.Text
}

// accept makes a call that changes files, each part after the other, and returns the files.
func (l *languageBench) accept(a args) (changed []string) {
	l.t.Helper()
	c, err := l.call(a)
	if err != nil {
		l.t.Fatalf("%v: %v", a, err)
	}
	parts := c.Parts
	if len(parts) == 0 {
		parts = []Part{{Call: c}}
	}
	for _, p := range parts {
		if p.Call.Proposal == nil {
			l.t.Fatalf("%v: %s changes without a question", a, p.Call.Title)
		}
		if _, err := p.Call.Run(context.Background(), func(string) {}); err != nil {
			l.t.Fatalf("%v: %v", a, err)
		}
		changed = append(changed, p.Call.Path)
	}
	slices.Sort(changed)
	return changed
}

// tree returns all files of the workspace.
func (l *languageBench) tree() map[string]string {
	l.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(l.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(l.dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return files
}

// undoAll takes back all changes, the last one first.
func (l *languageBench) undoAll() {
	l.t.Helper()
	for n := len(l.history.Changes()); n > 0; n-- {
		c, err := Undo(context.Background(), l.env, "u", 0)
		if err != nil {
			l.t.Fatal(err)
		}
		if _, err := c.Run(context.Background(), func(string) {}); err != nil {
			l.t.Fatal(err)
		}
	}
}

// restores wants the workspace to be as it was after all changes were taken back.
func (l *languageBench) restores(was map[string]string) {
	l.t.Helper()
	l.undoAll()
	if now := l.tree(); !maps.Equal(now, was) {
		l.t.Errorf("undone, there is %v, want %v", now, was)
	}
	l.history = undo.History{}
}

const goMain = `package main

import (
	"fmt"

	"example.com/m/sub"
)

type Shape interface{ Area() float64 }

type Square struct{ side float64 }

func (s Square) Area() float64 { return s.side * s.side }

func main() {
	var s Shape = Square{2}
	fmt.Println(s.Area(), sub.Double(3))
}
`

func TestEachActionWithGopls(t *testing.T) {
	t.Parallel()
	l := newLanguageBench(t, "gopls", map[string]string{"main.go": goMain,
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"sub/sub.go": "// Package sub doubles.\npackage sub\n\n// Double returns twice n.\n" +
			"func Double(n int) int { return 2 * n }\n",
		"bad.go": "package main\n\nimport \"os\"\n\nfunc bad() int { return \"x\" }\n"})
	l.says(args{"action": "status"}, "Active language servers:", "gopls: not started")
	l.says(args{"action": "hover", "file": "main.go", "line": 17, "symbol": "Double"}, "Double returns twice n")
	l.says(args{"action": "status"}, "gopls: ready")
	l.says(args{"action": "definition", "file": "main.go", "line": 17, "symbol": "Double"},
		"Found 1 definition(s):\nsub/sub.go:5:6\n", "func Double(n int) int")
	l.says(args{"action": "type_definition", "file": "main.go", "line": 16, "symbol": "s"}, "main.go:9:6")
	l.says(args{"action": "implementation", "file": "main.go", "line": 9, "symbol": "Shape"}, "main.go:11:6")
	l.says(args{"action": "references", "file": "sub/sub.go", "line": 5, "symbol": "Double"}, "Found 2 reference(s):",
		"main.go:17:28")
	l.says(args{"action": "symbols", "file": "main.go"}, "Symbols in workspace/main.go:\n",
		"interface Shape @ line 9")
	l.says(args{"action": "symbols", "query": "square"}, "Square", "main.go:11:6")
	l.says(args{"action": "diagnostics", "file": "bad.go"}, "bad.go:3:8: error: \"os\" imported and not used",
		"bad.go:5:25: error: cannot use")
	l.says(args{"action": "diagnostics", "file": "sub/sub.go"}, "OK\n")
	l.says(args{"action": "diagnostics", "file": "**/*.go"}, "sub/sub.go: OK", "bad.go: 2 diagnostics")
	l.says(args{"action": "capabilities", "file": "main.go"}, "gopls:\n  capabilities: {", "renameProvider")
	l.says(args{"action": "request", "query": "textDocument/foldingRange", "file": "main.go"},
		"gopls ← textDocument/foldingRange:\n[")
	l.says(args{"action": "code_actions", "file": "bad.go", "line": 3, "query": "source.organizeImports"},
		"1 code action(s):", "0: [source.organizeImports] Organize Imports")
	l.changesWithGopls()
	l.says(args{"action": "reload"}, "Restarted gopls")
	l.says(args{"action": "hover", "file": "main.go", "line": 1, "symbol": "main"})
}

// changesWithGopls makes each kind of change, and takes it back.
func (l *languageBench) changesWithGopls() {
	l.t.Helper()
	was := l.tree()
	rename := args{"action": "rename", "file": "sub/sub.go", "line": 5, "symbol": "Double", "new_name": "Twice"}
	preview := maps.Clone(rename)
	preview["apply"] = false
	l.says(preview, "Rename preview:\n", "main.go: +1 -1", "sub/sub.go: +2 -2")
	if got := l.accept(rename); !slices.Equal(got, []string{"main.go", "sub/sub.go"}) {
		l.t.Errorf("a rename changes %q", got)
	}
	if text := l.read("main.go"); !strings.Contains(text, "sub.Twice(3)") {
		l.t.Errorf("renamed:\n%s", text)
	}
	l.restores(was)
	l.accept(args{"action": "code_actions", "file": "bad.go", "line": 3, "query": "organize", "apply": true})
	if text := l.read("bad.go"); strings.Contains(text, `"os"`) {
		l.t.Errorf("imports in order:\n%s", text)
	}
	l.restores(was)
	l.accept(args{"action": "rename", "file": "sub/sub.go", "line": 2, "symbol": "sub#1", "new_name": "half"})
	if now := l.tree(); now["half/sub.go"] == "" || now["sub/sub.go"] != "" ||
		!strings.Contains(now["main.go"], `"example.com/m/half"`) {
		l.t.Errorf("a package with another name: %v", slices.Sorted(maps.Keys(now)))
	}
	if _, err := os.Stat(filepath.Join(l.dir, "sub")); err == nil {
		l.t.Error("its folder stays")
	}
	l.restores(was)
	l.accept(args{"action": "rename_file", "file": "bad.go", "new_name": "good.go"})
	if now := l.tree(); now["good.go"] != was["bad.go"] || now["bad.go"] != "" {
		l.t.Errorf("a file with another name: %v", now)
	}
	l.restores(was)
}

func TestEachActionWithTypescript(t *testing.T) {
	t.Parallel()
	l := newLanguageBench(t, "typescript-language-server", map[string]string{
		"package.json": `{"name":"m"}`, "tsconfig.json": `{"compilerOptions":{"strict":true,"module":"commonjs"}}`,
		"a.ts": "export interface Shape { area(): number }\n" +
			"export class Square implements Shape {\n\tarea() { return 4; }\n}\n",
		"b.ts": "import { Square } from './a';\nimport { join } from 'path';\n\n" +
			"const s: Square = new Square();\ns.area();\n",
		"bad.ts": "const n: number = 'x';\nfunction f() { const unused = 1; }\nexport {};\n"})
	l.linkTypescript()
	l.says(args{"action": "hover", "file": "b.ts", "line": 5, "symbol": "area"}, "Square.area(): number")
	l.says(args{"action": "definition", "file": "b.ts", "line": 5, "symbol": "area"}, "a.ts:3:2")
	l.says(args{"action": "type_definition", "file": "b.ts", "line": 5, "symbol": "s"}, "a.ts:2:14")
	l.says(args{"action": "implementation", "file": "a.ts", "line": 1, "symbol": "Shape"}, "a.ts:2:14")
	l.says(args{"action": "references", "file": "a.ts", "line": 2, "symbol": "Square"}, "Found 4 reference(s):",
		"b.ts:4:10")
	l.says(args{"action": "symbols", "file": "a.ts"}, "class Square @ line 2", "  method area @ line 3")
	l.says(args{"action": "symbols", "file": "*", "query": "square"}, "class Square @ a.ts:2:")
	l.says(args{"action": "diagnostics", "file": "bad.ts"},
		"bad.ts:1:7: error: Type 'string' is not assignable to type 'number'. (typescript 2322)")
	l.says(args{"action": "capabilities", "file": "a.ts"}, "renameProvider")
	l.says(args{"action": "code_actions", "file": "b.ts", "line": 2, "query": "source.organizeImports"}, "Organize")
	was := l.tree()
	l.accept(args{"action": "rename", "file": "a.ts", "line": 2, "symbol": "Square", "new_name": "Quad"})
	if text := l.read("b.ts"); !strings.Contains(text, "const s: Quad = new Quad();") {
		t.Errorf("renamed:\n%s", text)
	}
	l.restores(was)
	l.accept(args{"action": "rename_file", "file": "a.ts", "new_name": "shapes/a.ts"})
	if text := l.read("b.ts"); !strings.Contains(text, "from './shapes/a'") || l.read("shapes/a.ts") != was["a.ts"] {
		t.Errorf("a file with another name:\n%s", text)
	}
	l.restores(was)
	l.accept(args{"action": "code_actions", "file": "b.ts", "line": 2, "query": "Remove import", "apply": true})
	if text := l.read("b.ts"); strings.Contains(text, "'path'") {
		t.Errorf("a quick fix:\n%s", text)
	}
	l.restores(was)
	l.says(args{"action": "reload", "file": "a.ts"}, "Restarted typescript-language-server")
}

// linkTypescript lets the workspace find the compiler of the test.
func (l *languageBench) linkTypescript() {
	l.t.Helper()
	at, err := filepath.Abs("lsp/servers/node_modules")
	if err == nil {
		err = os.Symlink(at, filepath.Join(l.dir, "node_modules"))
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestOtherRealServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		server string
		files  map[string]string
		calls  []args
		want   []string // of each call
	}{
		{"pyright",
			map[string]string{"a.py": "class Shape:\n    def area(self) -> int:\n        return 4\n\n\nx: str = 1\n",
				"b.py": "from a import Shape\n\nprint(Shape().area())\n"}, []args{
				{"action": "diagnostics", "file": "a.py"}, {"action": "hover", "file": "b.py", "line": 3,
					"symbol": "area"},
				{"action": "references", "file": "a.py", "line": 2, "symbol": "area"},
				{"action": "rename", "file": "a.py", "line": 2, "symbol": "area", "new_name": "size", "apply": false}},
			[]string{"a.py:6:10: error: ", "(method) def area() -> int", "b.py:3:15", "b.py: +1 -1"}},
		{"clangd", map[string]string{"compile_flags.txt": "-std=c11\n",
			"a.c": "int half(int n);\nint main(void) { return half(2) + nope; }\n"},
			[]args{{"action": "diagnostics", "file": "a.c"}, {"action": "hover", "file": "a.c", "line": 2,
				"symbol": "half"},
				{"action": "rename", "file": "a.c", "line": 1, "symbol": "half", "new_name": "third",
					"apply": false}},
			[]string{"a.c:2:35: error: ", "half", "a.c: +2 -2"}},
		{"bash-language-server", map[string]string{"a.sh": "#!/bin/bash\nhello() { echo hi; }\nhello\n"},
			[]args{{"action": "definition", "file": "a.sh", "line": 3, "symbol": "hello"}, {"action": "symbols",
				"file": "a.sh"}},
			[]string{"a.sh:2:1", "function hello @ line 2"}},
		{"yaml-language-server", map[string]string{"a.yaml": "a: 1\nb:\n  c: [\n"},
			[]args{{"action": "diagnostics", "file": "a.yaml"}, {"action": "symbols", "file": "a.yaml"}},
			[]string{"a.yaml:4:1: error: ", "b @ line 2"}},
		{"biome", map[string]string{"biome.json": "{}", "a.js": "var x = 1;\nif (x == 2) { debugger; }\n"},
			[]args{{"action": "diagnostics", "file": "a.js"}, {"action": "code_actions", "file": "a.js",
				"line": 2, "symbol": "=="}},
			[]string{"a.js:2:7: error: Using ==", "code action(s):"}},
		{"oxlint", map[string]string{".oxlintrc.json": "{}", "a.js": "let x = 1;\nif (x == NaN) x = 2;\n"},
			[]args{{"action": "diagnostics", "file": "a.js"}, {"action": "code_actions", "file": "a.js",
				"line": 2, "symbol": "NaN"}},
			[]string{"a.js:2:10: warning: Checking equality with NaN", "code action(s):"}},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			if c.server == "biome" {
				startBiome(t)
			}
			l := newLanguageBench(t, c.server, c.files)
			for i, call := range c.calls {
				l.says(call, c.want[i])
			}
		})
	}
}

// startBiome starts Biome's daemon, which its server talks to, and ends it after the test. Where
// there are no watches left for it the daemon does not start.
func startBiome(t *testing.T) {
	const biome = "lsp/servers/node_modules/.bin/biome"
	// Without a pipe: the daemon would hold it open.
	if err := exec.Command(biome, "start").Run(); err != nil {
		need.Missing(t, "biome", fmt.Errorf("its daemon does not start: %w", err))
	}
	t.Cleanup(func() {
		if err := exec.Command(biome, "stop").Run(); err != nil {
			t.Errorf("biome stop: %v", err)
		}
	})
}
