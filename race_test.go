package scrollkeep

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shared are the types of package sync that only code of several goroutines needs.
var shared = []string{"Mutex", "RWMutex", "WaitGroup", "Cond", "Pool", "Map"}

// alone are files whose goroutines share nothing with others but what is safe by itself: a
// goroutine that looks at the runtime's counters, a count that is atomic.
var alone = []string{"agentshell/document/apart.go", "agentshell/document/sqlite.go"}

// What .ci/test runs without the race detector starts no goroutine and locks nothing. (Tests of
// stress run beside each other; they share no value that changes.)
func TestPackagesWithoutTheRaceDetectorNeedNone(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(".ci", "test"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^plain="(.*)"$`).FindSubmatch(script)
	if line == nil {
		t.Fatal(".ci/test has no list of packages called plain")
	}
	args := append([]string{"list", "-f", "{{.Dir}}"}, strings.Fields(string(line[1]))...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, dir := range strings.Fields(string(out)) {
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(filepath.ToSlash(rel), "stress") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			n++
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range concurrent(f) {
				if slices.Contains(alone, filepath.ToSlash(rel)+"/"+filepath.Base(file)) {
					continue
				}
				t.Errorf("%s is for several goroutines, and .ci/test runs its package without the race detector",
					fset.Position(at))
			}
		}
	}
	if n < 50 {
		t.Errorf("%d files only were read", n)
	}
}

// concurrent is where f does what only code of several goroutines does.
func concurrent(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
			at = append(at, n.Pos())
		case *ast.ImportSpec:
			if n.Path.Value == `"sync/atomic"` {
				at = append(at, n.Pos())
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && slices.Contains(shared, n.Sel.Name) {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

func TestCodeForSeveralGoroutinesIsFound(t *testing.T) {
	for src, want := range map[string]int{
		"func f() { go f() }": 1, "var c chan int": 1, "func f() { select {} }": 1, "var m sync.Mutex": 1,
		"import _ \"sync/atomic\"": 1, "var v = sync.OnceValue(f)": 0, "func f() { defer f() }": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(concurrent(f)); got != want {
			t.Errorf("%s: %d places, want %d", src, got, want)
		}
	}
}
