package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// imports are what the code of a page may use without saying so, where it is less than a program.
var imports = map[string]string{
	"context": "context", "fmt": "fmt", "log": "log", "time": "time",
	"tui":    "github.com/scrollkeep/scrollkeep/tui",
	"form":   "github.com/scrollkeep/scrollkeep/tui/form",
	"layout": "github.com/scrollkeep/scrollkeep/tui/layout",
	"widget": "github.com/scrollkeep/scrollkeep/tui/widget",
}

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// Each block of Go in these pages is a program, the test of the program before it, or functions and
// types that compile. They are those of somebody else's module.
func TestTheCodeInThePagesCompilesAndItsTestsPass(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join("..", "..")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/scrollkeep/scrollkeep"
	text := strings.Replace(string(mod), "module "+module, "module example.org/pages", 1) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, abs)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), text)
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	n := 0
	for _, page := range []string{"tutorial", "coming-from", "tui"} {
		source, err := os.ReadFile(filepath.Join(root, "docs", page+".md"))
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		for i, m := range goBlock.FindAllStringSubmatch(string(source), -1) {
			n++
			file := "main_test.go"
			if !strings.Contains(m[1], "func Test") {
				at, file = filepath.Join(dir, fmt.Sprint(page, i+1)), "main.go"
			}
			write(t, filepath.Join(at, file), whole(m[1]))
		}
	}
	if n < 10 {
		t.Errorf("%d blocks were found", n)
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		c := exec.Command("go", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// whole returns code as a file: with a package and imports, if it has none.
func whole(code string) string {
	if strings.HasPrefix(code, "package ") {
		return code
	}
	head := "package page\n\n"
	for name, path := range imports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code) {
			head += fmt.Sprintf("import %q\n", path)
		}
	}
	return head + "\n" + code
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
