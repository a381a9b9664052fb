// Package examples holds programs that are meant to be read: they stay short.
package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// binaries is the folder of the programs that tests run.
var binaries string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "examples")
	if err != nil {
		panic(err)
	}
	binaries = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var build = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "build", "-o", binaries+string(filepath.Separator), "./chat", "./downloads", "./exec",
		"./hello", "./host_tcell", "./table", "./tail", "./wizard").CombinedOutput()
})

// program returns the path of a program. All of them are built at the first call, by one command.
func program(t *testing.T, name string) string {
	t.Helper()
	if out, err := build(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(binaries, name)
}

// lines are how many an example has at most, where that is less than 60.
var lines = map[string]int{"hello": 12, "chat": 35, "wizard": 40, "form": 30, "downloads": 40, "exec": 20,
	"dashboard": 110}

func TestExamplesStayShort(t *testing.T) {
	files, err := filepath.Glob("*/main.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		limit := 60
		if most, ok := lines[filepath.Dir(f)]; ok {
			limit = most
		}
		if n := bytes.Count(src, []byte("\n")); n > limit {
			t.Errorf("%s has %d lines, more than %d", f, n, limit)
		}
	}
}

func TestEachExampleHasAFilm(t *testing.T) {
	files, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		film := filepath.Join("..", "..", "docs", "pictures", "example-"+filepath.Dir(f)+".svg")
		if _, err := os.Stat(film); err != nil {
			t.Errorf("%s has no film; see trial.Film: %v", f, err)
		}
	}
}

// The real programs, with the real standard input and output. What they do in a terminal is tested
// beside each of them.
func TestExamplesRunInAPipe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, in, out, err string }{
		{"hello", "ada\nb\x1b[2Job", "hello, ada\nhello, b␛[2Job\n", ""},
		{"chat", "hi\n", "> hi\nYou said: hi\n", ""},
		{"wizard", "tide\n", "What is the project called?\nWhich licence?\n1 MIT\n2 Apache-2.0\n3 BSD-3-Clause\n" +
			"A number or the words of one [MIT]:\n", "wizard: no line is left to answer \"Which licence?\" with\n"},
		{"table a.csv", "1\n", "a.csv\n  a  b\n1 1  2\n1, 2\n", ""},
		{"downloads no:where", "", "✗ no:where  Get \"no:where\": unsupported protocol scheme \"no\"\n",
			"downloads: no:where: Get \"no:where\": unsupported protocol scheme \"no\"\n"},
		{`exec printf a\nb\033[2J`, "", "a\nb\n", ""},
		{"tail none", "", "", "tail: open none: no such file or directory\n"},
	} {
		args := strings.Fields(c.name)
		c.name = args[0]
		binary := program(t, c.name)
		var out, problems strings.Builder
		cmd := exec.Command(binary, args[1:]...)
		cmd.Dir = dir
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.in), &out, &problems
		if err := cmd.Run(); (err == nil) != (c.err == "") {
			t.Errorf("%s: %v", c.name, err)
		}
		if out.String() != c.out || problems.String() != c.err {
			t.Errorf("%s wrote\n%s\nand said %q", c.name, out.String(), problems.String())
		}
	}
}
