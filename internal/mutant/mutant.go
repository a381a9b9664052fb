// Package mutant tests tests: it removes a check from the code of a package and tells whether a
// test fails then.
package mutant

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// Mutant is a change of a source file that should make a test fail. It consists of the file's name,
// a text that occurs in the file exactly once, and the replacement of that text.
type Mutant [3]string

// Missed applies one mutant after another to the package under test and runs the package's tests.
// It fails t if all tests pass with a mutant, because then no test checks the changed code. run
// selects tests, like the flag -run; "" selects all.
//
// The tests run only if SCROLLKEEP_REQUIRE contains "mutants" (`make stress`). Otherwise Missed
// only checks that each text to change exists.
func Missed(t *testing.T, list []Mutant, run string) {
	t.Helper()
	all := need.Required("mutants") && os.Getenv("SCROLLKEEP_MUTANT") == ""
	for i, m := range list {
		src, err := os.ReadFile(m[0])
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(src), m[1]); n != 1 {
			t.Errorf("the text to change stands in %s %d times:\n%s", m[0], n, m[1])
			continue
		}
		if all {
			t.Run(fmt.Sprint(i), func(t *testing.T) { m.missed(t, string(src), run) })
		}
	}
}

// missed runs the tests with one mutant. src is the original text of the file.
func (m Mutant) missed(t *testing.T, src, run string) {
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	path, err := filepath.Abs(m[0])
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{changed: strings.Replace(src, m[1], m[2], 1), overlay: string(list)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-short", "-vet=off", "-timeout=300s", "-run", run, "-overlay", overlay, ".")
	cmd.Env = append(os.Environ(), "SCROLLKEEP_MUTANT=1")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		t.Errorf("no test of %s missed\n%s\nwith\n%s", m[0], m[1], m[2])
	case !strings.Contains(string(out), "--- FAIL"):
		t.Errorf("it failed otherwise: %v\n%s", err, out)
	}
}
