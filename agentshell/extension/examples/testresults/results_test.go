package main

import (
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
)

const plain = `=== RUN   TestA
--- PASS: TestA (0.00s)
--- SKIP: TestS (0.00s)
--- FAIL: TestB (0.12s)
    b_test.go:7: got 1, want 2
    b_test.go:8: and more
FAIL
FAIL	example.com/a	0.130s
# example.com/c
c.go:3:1: syntax error
FAIL	example.com/c [build failed]
ok  	example.com/b	(cached)
?   	example.com/d	[no test files]
FAIL
`

const lines = `{"Action":"start","Package":"example.com/a"}
{"Action":"run","Package":"example.com/a","Test":"TestA"}
{"Action":"output","Package":"example.com/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"example.com/a","Test":"TestA","Output":"    a_test.go:5: got 1, want 2\n"}
{"Action":"output","Package":"example.com/a","Test":"TestA","Output":"--- FAIL: TestA (0.01s)\n"}
{"Action":"fail","Package":"example.com/a","Test":"TestA","Elapsed":0.01}
{"Action":"pass","Package":"example.com/a","Test":"TestB","Elapsed":0}
{"Action":"fail","Package":"example.com/a","Elapsed":0.02}
`

// text returns the text of rows.
func text(rows []extension.Row) string {
	var b strings.Builder
	for _, r := range rows {
		for _, s := range r {
			b.WriteString(s.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestResultsAreShownByTheirFailures(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain": {plain, "✗ TestB 0.12s\n    b_test.go:7: got 1, want 2\n    b_test.go:8: and more\n" +
			"✗ example.com/c build failed\n✗ 2 failed, 1 test passed, 3 packages, 1 skipped, 1 cached\n"},
		"json": {lines, "✗ example.com/a.TestA 0.01s\n    a_test.go:5: got 1, want 2\n" +
			"✗ 1 failed, 1 test passed, 1 package\n"},
		"all is well":         {"ok  \texample.com/b\t0.2s\n", "✓ 1 package\n"},
		"another program":     {"total 3\nok, fine\n", ""},
		"nothing":             {"", ""},
		"cut within":          {plain[:90], ""},
		"only a failing line": {"FAIL\texample.com/a\t0.1s\n", "✗ example.com/a \n✗ 1 failed, 1 package\n"},
	} {
		if got := text(read(c.in).rows()); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestTheManifestIsThatOfTheProgram(t *testing.T) {
	file, err := os.ReadFile("extension.toml")
	if want := program().Manifest(); err != nil || string(file) != want {
		t.Errorf("extension.toml is not\n%s%v", want, err)
	}
}
