// Package scrollkeep holds no code: its test keeps the house rules of the whole module.
package scrollkeep

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/scrollkeep/scrollkeep/"

// pkg is what go list says of one package. Imports are those of its code, not of its tests.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps=false", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// within reports whether path is one of the rooms or below it. A room is a package of this module;
// "=room" means that package alone.
func within(path string, rooms ...string) bool {
	path, ok := strings.CutPrefix(path, module)
	if !ok {
		return false
	}
	for _, r := range rooms {
		if exact, ok := strings.CutPrefix(r, "="); ok {
			if path == exact {
				return true
			}
			continue
		}
		if path == r || strings.HasPrefix(path, r+"/") {
			return true
		}
	}
	return false
}

// only says which packages may import a dependency directly: rooms, separated by spaces.
var only = []struct{ dep, rooms string }{
	{"github.com/rivo/uniseg", "terminal/width"},
	{"github.com/mattn/go-runewidth", "terminal/width"},
	{"golang.org/x/term", "terminal"},
	{"github.com/pmezard/go-difflib", "agentshell/internal/workspace/diff tui/tuitest"},
	{"github.com/gdamore/tcell", "tui/tcellhost tui/examples/host_tcell"},
	{"golang.org/x/image", "renderer/image/decode"},
	{"github.com/creack/pty", "tui/ptyexec"},
	{module + "terminal/vt",
		"terminal/vt tui/ptyexec tui/tuitest tui/examples/trial stress agentshell/internal/console"},
	{"github.com/yuin/goldmark", "tui/markdown"},
	{"github.com/tmaxmax/go-sse", "agentshell/internal/provider/remote"},
	{"github.com/alecthomas/kong", "agentshell/internal/cli"},
	{"github.com/modelcontextprotocol/go-sdk", "agentshell/internal/tool/mcp"},
	{"github.com/sourcegraph/jsonrpc2", "agentshell/internal/tool/lsp agentshell/internal/tool/extension"},
	{"github.com/coder/acp-go-sdk", "agentshell/internal/frontend/acp"},
	{"github.com/ledongthuc/pdf", "agentshell/internal/tool/document"},
	{"github.com/xuri/excelize", ""}, // tests compare with it; each start would pay 1.3 MB for it
	{"github.com/JohannesKaufmann/html-to-markdown", "agentshell/internal/tool/document"},
	{"github.com/google/jsonschema-go", "agentshell/internal/tool"},
	{"codeberg.org/readeck/go-readability", "agentshell/internal/tool/document"},
	{"github.com/ncruces/go-sqlite3", "agentshell/internal/tool/document"},
}

// never says which packages may not depend on which, however indirectly.
var never = []struct{ rooms, deps []string }{
	{[]string{"stdinbuf", "terminal/visible", "terminal/ansi", "terminal/width"},
		[]string{"tui", "renderer", "agentshell", "stress", "terminal/vt", "=terminal"}},
	{[]string{"=terminal"}, []string{"tui", "renderer", "agentshell", "stress", "terminal/vt"}},
	{[]string{"renderer"}, []string{"tui", "=terminal", "stdinbuf", "agentshell", "stress", "terminal/vt"}},
	{[]string{"=tui", "tui/chart", "tui/diffview", "tui/widget", "tui/form", "tui/layout", "tui/keys", "tui/markdown",
		"tui/code", "tui/internal", "tui/tcellhost"},
		[]string{"agentshell", "stress", "terminal/vt"}},
	{[]string{"agentshell", "=tui", "tui/chart", "tui/diffview", "tui/widget", "tui/form", "tui/layout", "tui/keys",
		"tui/internal"},
		[]string{"tui/tcellhost"}},
	{[]string{"agentshell/internal/process", "agentshell/internal/workspace", "agentshell/internal/provider",
		"agentshell/internal/approval", "agentshell/internal/session", "agentshell/internal/tool",
		"agentshell/internal/agent"},
		[]string{"tui", "=renderer", "=terminal", "stdinbuf", "stress"}},
	{[]string{"agentshell/internal/agent", "agentshell/internal/frontend/shell",
		"agentshell/internal/frontend/headless"}, []string{"agentshell/internal/provider/script"}},
	{[]string{"agentshell/internal/provider/picture"}, []string{"agentshell/internal/frontend/mention"}},
	{[]string{"terminal/vt"}, []string{"tui", "renderer", "=terminal", "agentshell", "stress"}},
	{[]string{"agentshell"}, []string{"stress"}},
}

// engine packages bring no dependency to those who import them but these.
var engineDeps = []string{"golang.org/x/sys", "golang.org/x/term", "github.com/rivo/uniseg",
	"github.com/mattn/go-runewidth", "github.com/clipperhouse/"}

func TestImportsFollowTheTable(t *testing.T) {
	for _, p := range packages(t) {
		for _, o := range only {
			if within(p.ImportPath, strings.Fields(o.rooms)...) {
				continue
			}
			for _, imp := range p.Imports {
				if imp == o.dep || strings.HasPrefix(imp, o.dep+"/") {
					t.Errorf("%s imports %s, which belongs to %s alone", p.ImportPath, imp, o.rooms)
				}
			}
		}
		for _, n := range never {
			if !within(p.ImportPath, n.rooms...) {
				continue
			}
			for _, dep := range p.Deps {
				if within(dep, n.deps...) && dep != p.ImportPath {
					t.Errorf("%s depends on %s", p.ImportPath, dep)
				}
			}
		}
		if within(p.ImportPath, "stdinbuf", "=terminal", "terminal/ansi", "terminal/width", "terminal/visible",
			"terminal/vt", "=renderer", "=renderer/image", "=tui", "tui/chart", "tui/diffview", "tui/widget",
			"tui/form", "tui/layout", "tui/keys", "tui/internal") {
			for _, dep := range p.Deps {
				foreign := strings.Contains(strings.SplitN(dep, "/", 2)[0], ".") && !strings.HasPrefix(dep, module)
				known := slices.ContainsFunc(engineDeps, func(e string) bool { return strings.HasPrefix(dep, e) })
				if foreign && !known && !strings.HasPrefix(dep, "vendor/") {
					t.Errorf("the engine package %s brings %s to whoever imports it", p.ImportPath, dep)
				}
			}
		}
	}
}

// forbidden are texts that may stand in some files only.
var forbidden = []struct {
	name  string
	re    *regexp.Regexp
	where func(path string, test bool) bool // where the rule holds
}{
	{"a file opened that may be a pipe (package regular)", regexp.MustCompile(`\bos\.(ReadFile|Open)\(`),
		func(path string, test bool) bool {
			// What is in /proc, a file that we have made, and the script that the person names.
			own := []string{"process/sandbox/find_linux.go", "process/sandbox/inner_linux.go",
				"process/child/tree_linux.go",
				"process/child/survivor_linux.go", "frontend/shell/editor.go", "app/model.go"}
			rel, in := strings.CutPrefix(path, "agentshell/internal/")
			return in && !test && !strings.Contains(rel, "test/") && !slices.Contains(own, rel)
		}},
	{"time.Sleep in a test", regexp.MustCompile(`\btime\.Sleep\(`), func(_ string, test bool) bool { return test }},
	{"a skip that SCROLLKEEP_REQUIRE cannot forbid", regexp.MustCompile(`\.Skip(f|Now)?\(`),
		func(p string, test bool) bool { return test && !strings.HasPrefix(p, "internal/need/") }},
	{"an erasure of the whole screen or of the saved lines", regexp.MustCompile(`\[[23]J`),
		func(p string, test bool) bool {
			return !test && !strings.HasPrefix(p, "stress/") && !strings.HasPrefix(p, "terminal/vt/") &&
				p != "renderer/reset.go"
		}},
	{"an absolute move or a scroll region", regexp.MustCompile(`\\x1b\[(%d|\d*;?\d*)[HfdrST]["` + "`" + `]`),
		func(p string, test bool) bool {
			return !test && (strings.HasPrefix(p, "renderer/") || strings.HasPrefix(p, "tui/"))
		}},
	{"a message outside the screen", regexp.MustCompile(`\b(log\.(Print|Fatal|Panic)|os\.Stderr\b|fmt\.Print)`),
		func(p string, test bool) bool {
			return !test &&
				(strings.HasPrefix(p, "renderer/") || strings.HasPrefix(p, "stdinbuf/") ||
					strings.HasPrefix(p, "terminal/") && !strings.Contains(p, "/cmd/") ||
					strings.HasPrefix(p, "tui/") && !strings.Contains(p, "examples/") && p != "tui/main.go")
		}},
	{"a program that nobody ends: agentshell/internal/process/child starts them",
		regexp.MustCompile(`\.(Start|Run|Output|CombinedOutput)\(\)|\bos\.StartProcess\(|\bexec\.CommandContext\(`),
		func(p string, test bool) bool {
			return !test && strings.HasPrefix(p, "agentshell/") && p != "agentshell/internal/process/child/child.go"
		}},
	{"a program by its name: child.Programs finds those outside of the workspace",
		regexp.MustCompile(`\bexec\.(LookPath\(|Command\("[^/])`),
		func(p string, test bool) bool {
			return !test && strings.HasPrefix(p, "agentshell/") && p != "agentshell/internal/process/child/programs.go"
		}},
	{"a cut within a character: width.Head and width.Tail cut text",
		regexp.MustCompile(`ToValidUTF8\([^,()]*\[:|string\(r\[:[^)]*\) \+|string\(\[\]rune\(.*\)\[:[^)]*\) \+`),
		func(p string, test bool) bool { return !test && strings.HasPrefix(p, "agentshell/") }},
	{"an expression compiled at each start: lazyregexp.New compiles it when it is used",
		regexp.MustCompile(`^(var \w+\s*=|\t\w+\s+=) *regexp\.MustCompile\(`),
		func(p string, test bool) bool { return !test && startsWithShell(p) }},
	{"the default width condition",
		regexp.MustCompile(`\brunewidth\.(RuneWidth|StringWidth|Truncate|DefaultCondition)\b`),
		func(_ string, test bool) bool { return !test }},
}

// startsWithShell reports whether a file is of a package that a start of the shell initialises.
func startsWithShell(path string) bool {
	room, _, _ := strings.Cut(path, "/")
	return !strings.HasPrefix(path, "tui/examples/") &&
		slices.Contains(strings.Fields("agentshell renderer stdinbuf terminal tui"), room)
}

func TestForbiddenTextsStandNowhere(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || path == "house_test.go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(src), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, f := range forbidden {
				if f.re.MatchString(line) && f.where(filepath.ToSlash(path), strings.HasSuffix(path, "_test.go")) {
					t.Errorf("%s:%d: %s: %s", path, i+1, f.name, strings.TrimSpace(line))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
