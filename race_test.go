package scrollkeep

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shared are the types of package sync that only code of several goroutines needs.
var shared = []string{"Mutex", "RWMutex", "WaitGroup", "Cond", "Pool", "Map"}

// unraced are packages and files for several goroutines that need no race detector, and why.
var unraced = map[string]string{
	"agentshell":              "it starts the program",
	"agentshell/internal/app": "its tests play the program, a process of its own",
	"agentshell/internal/tool/document/apart.go":  "its goroutine looks at counters of the runtime",
	"agentshell/internal/tool/document/sqlite.go": "a count that is atomic",
}

// Where .ci/test runs packages with the race detector, those are all that start goroutines or lock,
// and no others. (Tests of stress run beside each other; they share no value that changes.)
func TestThePackagesOfSeveralGoroutinesMeetTheRaceDetector(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(".ci", "test"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^raced="(.*)"$`).FindSubmatch(script)
	if line == nil {
		t.Fatal(".ci/test has no list of packages called raced")
	}
	raced := map[string]bool{}
	for _, p := range strings.Fields(string(line[1])) {
		raced[strings.TrimPrefix(p, "./")] = false // not yet seen to need it
	}
	n := 0
	err = filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "stress" || name == "tui/examples" || // what those call is tui's
			d.Name() == "node_modules" || d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		n++
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		if tests, err := filepath.Glob(filepath.Join(dir, "*_test.go")); err != nil || len(tests) == 0 {
			return err
		}
		for _, at := range concurrent(f) {
			_, listed := raced[dir]
			switch {
			case listed:
				raced[dir] = true
			case unraced[dir] == "" && unraced[name] == "":
				t.Errorf("%s is for several goroutines, and .ci/test runs its package without the race detector",
					fset.Position(at))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, needs := range raced {
		if !needs {
			t.Errorf("%s has nothing for several goroutines, and .ci/test runs it with the race detector", dir)
		}
	}
	if n < 50 {
		t.Errorf("%d files only were read", n)
	}
}

// concurrent returns where f does what only code of several goroutines does.
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
